// Drawing the board: the tool that is chosen, and what a stroke with it does.
import { signal } from "@preact/signals";
import { statesOf, withCells, withColour, withGroup, withLabel } from "./document.js";
import { fromOne, keyOf } from "./lattice.js";
import { line, rectangle } from "./selection.js";
import { change, doc, endStep, places, problem, say } from "./state.js";

/** @typedef {import("./lattice.js").Cell} Cell */

/** "pen", "line", "rectangle", "label", "group" or "colour" */
export const tool = signal("pen");
/** What a stroke makes of cells: "on", "off", "open", or "swap" (what the first cell is not). */
export const paint = signal("swap");
export const groupName = signal("A");
export const colourName = signal("black");
/** The cells that a line or a rectangle would take. @type {import("@preact/signals").Signal<Cell[]>} */
export const preview = signal([]);
/** Changes when a stroke ends, so that the board is drawn to its new size. */
export const sketch = signal(0);
/** The cell that waits for a label. @type {import("@preact/signals").Signal<Cell | null>} */
export const labelled = signal(null);

/** @type {{from: Cell, state: import("./document.js").CellState, last: Cell, colour: string} | null} */
let stroke = null;
let strokes = 0;

/** @param {Cell} cell @param {string} [wish] */
function stateFor(cell, wish = paint.value) {
  if (wish !== "swap") return /** @type {import("./document.js").CellState} */ (wish);
  return statesOf(problem.value).has(keyOf(cell)) ? "off" : "on";
}

/** @param {Cell} cell @param {string} [wish] */
export function begin(cell, wish) {
  if (tool.value === "label") {
    labelled.value = cell;
    return;
  }
  if (tool.value === "group") {
    change(withGroup(doc.value, cell, groupName.value));
    return;
  }
  strokes++;
  const has = (problem.value.colours || [])
    .some(([one, name]) => keyOf(one) === keyOf(cell) && name === colourName.value);
  stroke = { from: cell, state: stateFor(cell, wish), last: cell, colour: has ? "" : colourName.value };
  if (isFree()) draw([cell]);
  else preview.value = [cell];
}

/** Whether a stroke takes the cells below it, and no figure. */
const isFree = () => tool.value === "pen" || tool.value === "colour";

export const isDrawing = () => stroke !== null;

/** @param {Cell} cell */
export function extend(cell) {
  const where = places.value;
  if (!stroke || !where || keyOf(cell) === keyOf(stroke.last)) return;
  if (isFree()) draw(line(where, stroke.last, cell));
  else if (tool.value === "line") preview.value = line(where, stroke.from, cell);
  else preview.value = rectangle(where, stroke.from, cell);
  stroke.last = cell;
}

export function finish() {
  if (stroke && !isFree() && preview.value.length) draw(preview.value);
  abandon();
}

export function abandon() {
  stroke = null;
  preview.value = [];
  sketch.value++;
  endStep();
}

/** @param {Cell[]} cells */
function draw(cells) {
  if (!stroke) return;
  const next = tool.value === "colour" ? withColour(doc.value, cells, stroke.colour) : withCells(doc.value, cells, stroke.state);
  change(next, `stroke ${strokes}`);
}

/** @param {Cell} cell @param {string} wish */
export function set(cell, wish) {
  change(withCells(doc.value, [cell], stateFor(cell, wish)));
  const now = statesOf(problem.value).get(keyOf(cell));
  say(`${fromOne(cell)}: ${now === "on" ? "on the board" : now === "open" ? "may stay open" : "not on the board"}`);
}

/** @param {string} label */
export function giveLabel(label) {
  if (labelled.value) change(withLabel(doc.value, labelled.value, label.trim()));
  labelled.value = null;
}
