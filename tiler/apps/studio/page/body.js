// A board in space as a body, beside its layers: it can be turned, and a click on a cell of it goes to that cell in the layers.
import { effect } from "@preact/signals";
import { paint, set, tool } from "./board_tools.js";
import { byCopy, current, cursor, laid, mode, places, problem, rules } from "./state.js";
import { keyOf } from "./lattice.js";
import { paintOf } from "./piece_drawing.js";
import { mountViewer, useView } from "./classic_scripts.js";
import { html } from "./html.js";

const GLASS = "#8fa3b0";

/** The pieces as the view takes them: [number of the tile, colour, numbers of cells, paint]; the cells that are free are of glass.
 * @param {import("./placing.js").Rules} told @param {import("./placing.js").Piece[]} pieces */
function frameOf(told, pieces) {
  const body = /** @type {Record<string, any>} */ (told.opened.body);
  const number = new Map(body.names.map((/** @type {string} */ name, /** @type {number} */ k) => [name, k]));
  const numbers = (/** @type {any[]} */ cells) => cells.map((cell) => number.get(keyOf(cell))).filter((cell) => cell !== undefined);
  const free = new Set(number.values());
  const fills = told.fills(pieces, byCopy.value);
  const frame = pieces.map((piece, k) => {
    const tile = told.tile.get(piece.tile) ?? 0;
    const cells = numbers(piece.cells);
    cells.forEach((cell) => free.delete(cell));
    return [tile, fills[k], cells, coatOf(told, piece, number)];
  });
  return free.size ? [...frame, [-1, GLASS, [...free], []]] : frame;
}

/** Cells that are coloured as a whole: all their faces. @param {import("./placing.js").Rules} told
 * @param {import("./placing.js").Piece} piece @param {Map<string, number>} number */
function coatOf(told, piece, number) {
  const places = /** @type {import("./lattice.js").Places} */ (told.places);
  const whole = paintOf(places, told, piece).filter((patch) => !patch.level && !patch.border);
  return whole.flatMap((patch) => {
    const cell = number.get(keyOf(patch.cell)) ?? -1;
    const faces = cell < 0 ? [] : told.opened.body?.faces[cell];
    return faces.map((/** @type {any} */ _, /** @type {number} */ face) => [cell, face, patch.fill]);
  });
}

/** The board as the view takes it. @param {{opened: import("./messages.js").Opened, problem: any,
 * rules: import("./placing.js").Rules}} told */
const dataOf = (told) =>
  ({ ...told.opened.body, title: "The board", frames: [frameOf(told.rules, told.problem === problem.value ? laid.value : [])] });

/** A click on a face of a cell: with the pen it draws. @param {number} number of the cell @param {number} face */
function pick(number, face) {
  const name = rules.peek()?.opened.body?.names[number];
  if (!name) return;
  const cell = name.split(",").map(Number);
  const beyond = places.peek()?.beyond(cell, face);
  const drawn = mode.peek() === "board" && tool.peek() === "pen" ? paint.peek() : "";
  if (beyond && (drawn === "on" || drawn === "open")) set(beyond, drawn);
  else if (drawn === "off") set(cell, "off");
  cursor.value = (drawn && beyond) || cell;
}

/** Shows the body in an element, and follows what changes; resolves with what ends that. @param {HTMLElement} element */
async function mountBody(element) {
  const view = await mountViewer(element, dataOf(/** @type {any} */ (current.peek())), pick);
  const ends = [
    effect(() => {
      const told = current.value;
      if (told?.opened.body) view.show(dataOf(told));
    }),
    effect(() => {
      const at = cursor.value;
      const names = current.value?.opened.body?.names;
      laid.value;
      if (names) view.choose(at ? names.indexOf(keyOf(at)) : -1);
    }),
    view,
  ];
  return () => ends.forEach((end) => end());
}

export function Body() {
  const has = !!current.value?.opened.body;
  const { holder, failed } = useView(mountBody, [has]);
  if (!has) return null;
  return html`<div class="viewer body" role="group" aria-label="The board as a body">${failed ? html`<p class="error">${failed}</p>` : null}
    <div class="view" ref=${holder}></div></div>`;
}
