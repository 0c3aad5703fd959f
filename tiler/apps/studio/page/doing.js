// What a person does with pieces: take one in hand, turn it, lay it down, take it back, lock it, ask for a hint or for the rest.
import { batch } from "@preact/signals";
import { chosenIn, groupAt, withChoice } from "./document.js";
import { flipped, middleOf, mirrored, movedTo, orientationOf, turned } from "./placing.js";
import { fromOne, keyOf } from "./lattice.js";
import {
  answered, asked, change, current, cursor, doc, hand, laid, link, live, overlay, pinned, places, problem, ready,
  rules, say, trying,
} from "./state.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./placing.js").Piece} Piece */

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @param {string} name @param {number} [orientation] @param {number} [grab] */
export function take(name, orientation = 0, grab = -1) {
  const tile = rules.value?.tileOf(name);
  if (!tile || !places.value) return;
  const held = grab < 0 ? middleOf(places.value, tile.orientations[orientation]) : grab;
  hand.value = { tile: name, orientation, grab: held };
}

/** @param {(tile: import("./placing.js").PlayTile, orientation: number) => number} way */
function another(way) {
  const now = hand.value;
  const tile = now && rules.value?.tileOf(now.tile);
  if (!tile || !places.value) return false;
  const orientation = way(tile, now.orientation);
  if (orientation === now.orientation) return false;
  take(now.tile, orientation);
  return true;
}

export const turn = () => another(turned) || say("This piece looks the same when it is turned, or may not be turned.");
export const turnBack = () => another((tile, orientation) => {
  let before = orientation;
  for (let next = turned(tile, orientation); next !== orientation && before !== next; next = turned(tile, next)) before = next;
  return before;
});
/** The mirror image, in space, where turning over does not lead to it. */
export const mirror = () => another(mirrored);
export const flip = () => another(flipped) || say("This piece may not be turned over, or it looks the same then.");

/** Where the piece in hand would lie at the cell of the pointer or of the keys. */
export function ghostAtCursor() {
  const now = hand.value;
  const told = rules.value;
  const at = cursor.value;
  if (!now || !told || !at || !places.value) return null;
  const tile = told.tileOf(now.tile);
  const cells = movedTo(places.value, tile.orientations[now.orientation], now.grab, at);
  return { tile, cells, orientation: now.orientation, fits: told.allows(now.tile, cells, laid.value, now.orientation) };
}

/** Lays a piece; false if it does not fit there. @param {string} name @param {Cell[]} cells @param {number | null} [orientation] */
export function put(name, cells, orientation) {
  const told = rules.value;
  const home = told?.folded(cells);
  if (!told || !home || !told.allows(name, cells, laid.value, orientation ?? undefined)) {
    say(`${name} does not fit there.`);
    return false;
  }
  batch(() => {
    pinned.value = null;
    const way = told.tileOf(name)?.coats?.length ? { orientation } : {};
    change({ ...doc.value, laid: [...laid.value, { tile: name, cells: home, locked: false, ...way }] });
    say(`${name} lies.`);
  });
  return true;
}

/** @param {Cell | null} cell */
export function pieceAt(cell) {
  if (!cell) return -1;
  const home = rules.value?.folded([cell])?.[0] || cell;
  const key = keyOf(home);
  return laid.value.findIndex((piece) => piece.cells.some((one) => keyOf(one) === key));
}

/** Takes a piece off the board. @param {number} index */
export function takeOff(index) {
  const piece = laid.value[index];
  if (!piece) return false;
  if (piece.locked) {
    say(`${piece.tile} is locked: unlock it first.`);
    return false;
  }
  change({ ...doc.value, laid: laid.value.filter((_, k) => k !== index) });
  say(`${piece.tile} is taken off.`);
  return true;
}

/** Takes a piece off the board and into the hand, held at a cell of it. @param {number} index @param {Cell} cell */
export function pickUp(index, cell) {
  const piece = laid.value[index];
  const told = rules.value;
  if (!piece || !told || !places.value) return false;
  const tile = told.tileOf(piece.tile);
  if (!tile) return false;
  const known = told.placement(piece.tile, piece.cells, piece.orientation);
  const orientation = known !== null && known >= 0 ? told.sent(known)[1] : orientationOf(places.value, tile, piece.cells);
  if (!takeOff(index)) return false;
  const shape = tile.orientations[Math.max(0, orientation)];
  const where = places.value;
  const grabs = shape.map((_, grab) => movedTo(where, shape, grab, cell));
  const same = grabs.findIndex((cells) => cells.every((one) => piece.cells.some((other) => keyOf(one) === keyOf(other))));
  take(piece.tile, Math.max(0, orientation), same);
  return true;
}

/** @param {number} index */
export function lock(index) {
  const piece = laid.value[index];
  if (!piece) return;
  change({ ...doc.value, laid: laid.value.map((one, k) => (k === index ? { ...one, locked: !one.locked } : one)) });
  say(piece.locked ? `${piece.tile} may be moved again.` : `${piece.tile} is locked.`);
}

/** Whether one of these cells stays open, and which is for the person to say: then it is this cell, or any of them again.
 * @param {Cell} cell */
export function choose(cell) {
  const group = groupAt(doc.value, cell);
  if (!group || group.cells.length < 2) return false;
  change(withChoice(doc.value, cell));
  const name = nameOf(cell);
  say(chosenIn(doc.value, group.name) ? `${name} stays open.` : `Any cell of ${group.name} may stay open.`);
  return true;
}

/** Whether a cell is the one of its group that was chosen to stay open. @param {Cell} cell */
export function isChosen(cell) {
  const group = groupAt(doc.value, cell);
  return !!group && String(chosenIn(doc.value, group.name)) === String(cell);
}

/** The label of a cell; empty if it has none. @param {Cell} cell @returns {string} */
export const labelOf = (cell) =>
  (problem.value.labels || []).find((one) => keyOf(one.cell) === keyOf(cell))?.label || "";

/** A cell as it is said: its label, or its coordinates counted from 1. @param {Cell} cell */
export const nameOf = (cell) => labelOf(cell) || fromOne(cell);

/** Takes all pieces off that are not locked. */
export function clear() {
  const kept = laid.value.filter((piece) => piece.locked);
  if (kept.length < laid.value.length) change({ ...doc.value, laid: kept });
}

/** What still fits on a cell: placements with their numbers, those with the largest number first. @param {Cell | null} cell */
export function fitsAt(cell) {
  const told = rules.value;
  const answer = live.value;
  if (!cell || !told?.opened.placements || !answer?.fits || answer.pieces !== laid.value || isChosen(cell)) return [];
  const number = told.number.get(keyOf(told.folded([cell])?.[0] || cell));
  if (number === undefined) return [];
  return answer.fits
    .filter(([index]) => told.sent(index).indexOf(number, 2) > 0)
    .sort((one, two) => size(two[1]) - size(one[1]));
}

/** @param {string | null} count */
const size = (count) => (count === null ? -1 : count === "many" ? Infinity : Number(count));

/** The placements that lie in every tiling, and do not lie yet. @param {import("./messages.js").Laid} answer */
export function stillForced({ forced }) {
  const lies = new Set(laid.value.map((piece) => rules.value?.placement(piece.tile, piece.cells, piece.orientation)));
  return forced.filter((index) => !lies.has(index));
}

/** The first block of a kind in an answer. @param {any} answer @param {string} kind */
const blockIn = (answer, kind) => answer?.blocks?.find((/** @type {any} */ block) => block.kind === kind);

/** The first tiling in an answer; undefined if it has none. @param {any} answer @returns {Piece[] | undefined} */
const tilingIn = (answer) => blockIn(answer, "tilings")?.tilings[0];

/** One piece that is right: from the live answer, one that is forced first; else the engine looks for one. */
export async function hint() {
  const answer = await trying(answered);
  const told = rules.value;
  if (!told || answer === undefined) return;
  if (answer?.possible === false) {
    const way = laid.value.length ? "Take one off" : "Change the pieces or the board";
    say(`No piece helps: with these pieces the board cannot be filled. ${way}.`);
    return;
  }
  const known = answer && answer.count !== null && answer.count !== "many";
  const forced = answer ? stillForced(answer) : [];
  const good = (answer?.fits || []).filter((/** @type {any} */ [, count]) => size(count) > 0);
  if (forced.length) {
    hinted(told.piece(forced[0]), known ? "it lies there in every tiling" : "nothing else fits on a cell of it");
  } else if (known && good.length) {
    hinted(told.piece(fewest(told, good)), "it lies there in a tiling; no piece is forced");
  } else {
    const about = laid.value;
    const found = await ask("hint", {});
    const piece = tilingIn(found)?.[0];
    if (about !== laid.value) return;
    if (piece) hinted(piece, found.sentences[0].replace(/^place [^:]*: /, "")); // The page shows where.
    else if (found) say(found.sentences[0] || "There is no hint.");
  }
}

/** @param {Piece} piece @param {string} reason */
function hinted(piece, reason) {
  if (put(piece.tile, piece.cells, piece.orientation)) say(`${piece.tile}: ${reason}.`.replace(/\.\.$/, "."));
}

/** The best placement of the cell on which least fits. @param {import("./placing.js").Rules} told @param {any[]} good */
function fewest(told, good) {
  /** @type {Map<number, any[]>} */
  const byCell = new Map();
  for (const fit of good) {
    for (const cell of told.sent(fit[0]).slice(2)) byCell.set(cell, [...(byCell.get(cell) || []), fit]);
  }
  const [least] = [...byCell.values()].sort((one, two) => one.length - two.length);
  return least.sort((one, two) => size(two[1]) - size(one[1]))[0][0];
}

/** @param {string | null} count */
export const ways = (count) => (count === null ? "unknown" : count === "many" ? "many ways" : count === "1" ? "one way"
  : `${grouped(count)} ways`);

/** @param {string} digits */
export const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, ",");

/** Fills the rest of the board, or lays one more piece of a tiling. @param {boolean} [single] */
export async function solve(single = false) {
  const about = problem.value;
  const answer = await ask("solve", {});
  if (about !== problem.value) return; // It is the tiling of another problem.
  const tiling = tilingIn(answer);
  if (!tiling) {
    if (answer) say(answer.sentences?.[0] || "There is no tiling.");
    return;
  }
  const lies = new Set(laid.value.map((piece) => cellsKey(piece.cells)));
  const fresh = tiling.filter((piece) => !lies.has(cellsKey(piece.cells)));
  const more = (single ? fresh.slice(0, 1) : fresh)
    .map(({ tile, cells, orientation }) => ({ tile, cells, locked: false, orientation }));
  batch(() => {
    hand.value = null;
    change({ ...doc.value, laid: [...laid.value, ...more] });
  });
  say(single ? `${more[0]?.tile ?? "No piece"}: one piece of a tiling.`
    : `Filled with ${counted(more.length, "piece")}. Undo takes them off again.`);
}

/** @param {Cell[]} cells */
const cellsKey = (cells) => cells.map(keyOf).sort().join(" ");

/** Lays a whole tiling of a list. @param {Piece[]} tiling */
export function show(tiling) {
  const locks = new Map(laid.value.filter((piece) => piece.locked).map((piece) => [cellsKey(piece.cells), true]));
  batch(() => {
    hand.value = null;
    change({ ...doc.value, laid: tiling.map(({ tile, cells, orientation }) =>
      ({ tile, cells, locked: locks.has(cellsKey(cells)), orientation })) });
  });
}

/** Asks a question; resolves with its answer, undefined if it failed. @param {string} question @param {any} parameters
 * @returns {Promise<any>} */
export function ask(question, parameters) {
  return new Promise((done) => {
    trying(async () => {
      /** @type {any[]} */
      const early = [];
      let id = "";
      const end = link.engine.on((event) => (id ? hear(event) : early.push(event)));
      const hear = (/** @type {any} */ event) => {
        if (event.event === "gone" && event.session && !id.startsWith(event.session)) event = { event: "failed", id,
          error: event.sentence };
        if (event.id !== id) return;
        const over = event.event === "answer" || event.event === "failed";
        update(id, (was) => ({ ...was, ...merged(was, event), running: !over }));
        if (!over) return;
        end();
        overlay.value = blockIn(event, "cells") || overlay.value;
        if (event.error) say(event.error);
        done(event.error ? undefined : event);
      };
      try {
        await ready();
        ({ id } = await link.engine.ask(question, parameters, laid.value));
      } catch (error) {
        end();
        done(undefined);
        throw error;
      }
      asked.value = [{ id, question, running: true, of: current.value?.problem, tilings: [] },
        ...asked.value.filter((one, k) => one.running || k < 11)]; // What runs can be stopped.
      early.forEach(hear);
    });
  });
}

/** @param {any} was @param {any} event */
function merged(was, event) {
  if (event.event === "part") return { tilings: [...was.tilings, ...event.tilings] };
  if (event.event === "answer") return { answer: event };
  return event.event === "failed" ? { error: event.error } : { progress: event };
}

/** @param {string} id @param {(was: any) => any} next */
function update(id, next) {
  asked.value = asked.value.map((one) => (one.id === id ? next(one) : one));
}
