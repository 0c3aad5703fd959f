// The rooms of the studio, and the switch between them. A room is a module of its own, fetched when it is first entered; the first
// one, where one draws and plays, is always there.
import { useEffect, useState } from "preact/hooks";
import { room } from "./place.js";
import { html } from "./html.js";
import { inPage } from "./in_page.js";
import { say } from "./state.js";

/** @typedef {{name: string, words: string, view?: () => Promise<any>}} Room */

/** To add a room, add a line: its name in the link, its name in the head, and what fetches its view. @type {Room[]} */
const ALL = [
  { name: "", words: "Puzzle" },
  { name: "compare", words: "Compare", view: async () => (await import("./compare_room.js")).CompareRoom },
  { name: "race", words: "Race", view: async () => (await import("./race_room.js")).RaceRoom },
];

/** Races take processes: a page with the engine inside says what does them. @param {Room} room @returns {Room} */
const elsewhere = (room) => (room.name === "race"
  ? { ...room, view: async () => () => html`<main class="room"><p class="hint">
  ${room.words}: not in this page; in a terminal: <code>tiler studio</code></p></main>` } : room);
const ROOMS = inPage ? ALL.map(elsewhere) : ALL;

/** The room that is shown. */
const current = () => ROOMS.find((one) => one.name === room.value) || ROOMS[0];

/** Whether the room where one draws and plays is shown. */
export const isPuzzle = () => !current().view;

export function RoomSwitch() {
  if (ROOMS.length === 1) return null;
  return html`<nav class="rooms" aria-label="Rooms">${ROOMS.map(({ name, words }) => html`<a href=${name ? `#room=${name}` : "#room="}
    aria-current=${current().name === name ? "page" : null}>${words}</a>`)}</nav>`;
}

/** The room that is shown, where it is not the first one. */
export function OtherRoom() {
  const { name, words, view } = current();
  const [shown, show] = useState(/** @type {{name: string, View: any}} */ ({ name: "", View: null }));
  useEffect(() => {
    view?.().then((View) => show({ name, View }), () => say(`The room ${words} could not be fetched.`));
  }, [name]);
  return shown.name === name && shown.View ? html`<${shown.View} />` : html`<main class="room"><p class="hint">…</p></main>`;
}
