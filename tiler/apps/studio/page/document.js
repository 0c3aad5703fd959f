// The document: one value that never changes, and its history. What a person does makes another value; going back is taking an
// older one. The problem in it is the object that Tiler reads and writes as JSON (schema tiler-instance-1).
import { distinct, keyOf } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./placing.js").Piece} Piece */
/** @typedef {{name: string, cells: Cell[]}} Group one of its cells stays open */
/** @typedef {{board: Cell[], optional?: Cell[], groups?: Group[], labels?: {cell: Cell, label: string}[], colours?: [Cell, string][],
 * border?: {marks: string[], sides?: any}[], wrap?: Cell[], tiles: Record<string, any>[], open?: [number, number], lattice?: string,
 * mates?: string[][], title?: string, name?: string, reflections?: boolean, turning?: boolean, expected?: any,
 * constraints?: any[]}} Problem what the page looks at; it keeps all else too */
/** `choices` are the groups with all their cells, where cells were chosen that stay open.
 * @typedef {{schema: string, title: string, problem: Problem, laid: Piece[], choices?: Group[]}} Document */
/** @typedef {{past: Document[], present: Document, future: Document[], label: string}} History */

export const SCHEMA = "tiler-studio-1";
const MOST_STEPS = 300;

/** @param {Problem} problem @param {Piece[]} [laid] @param {string} [title] @returns {Document} */
export function documentOf(problem, laid = [], title = "") {
  return Object.freeze({ schema: SCHEMA, title: title || problem.title || problem.name || "", problem, laid });
}

/** The document with another title. @param {Document} document @param {string} title @returns {Document} */
export const titled = (document, title) => Object.freeze({ ...document, title, problem: { ...document.problem, title } });

/** All cells of the board, also those that may stay open. @param {Problem} problem @returns {Cell[]} */
export const boardCells = ({ board, optional }) => [...board, ...(optional || [])];

/** Reads a document that was kept or sent; an Error says what is wrong with it. @param {unknown} value @returns {Document} */
export function checked(value) {
  const told = /** @type {any} */ (value);
  if (!told || typeof told !== "object") throw new Error("This is no document of the studio.");
  if (told.schema !== SCHEMA) throw new Error(`This was made by another version of the studio (${String(told.schema).slice(0, 40)}).`);
  const { problem, laid } = told;
  const isProblem = problem && Array.isArray(problem.board) && Array.isArray(problem.tiles);
  if (!isProblem) throw new Error("This document has no board or no pieces.");
  if (!Array.isArray(laid)) throw new Error("This document does not say which pieces lie.");
  if (!boardCells(problem).every(isCell)) throw new Error("A cell of the board is no list of whole numbers.");
  for (const piece of laid) {
    const isPiece = typeof piece?.tile === "string" && Array.isArray(piece.cells) && piece.cells.every(isCell);
    if (!isPiece) throw new Error("A piece that lies has no cells.");
  }
  const pieces = laid.map(({ tile, cells, locked, orientation }) =>
    ({ tile, cells, locked: !!locked, ...(Number.isSafeInteger(orientation) ? { orientation } : {}) }));
  const read = documentOf(problem, pieces, String(told.title || "").slice(0, 200));
  return areGroups(told.choices) ? { ...read, choices: told.choices } : read;
}

/** @param {unknown} value */
const areGroups = (value) => Array.isArray(value)
  && value.every(({ name, cells }) => typeof name === "string" && Array.isArray(cells) && cells.every(isCell));

/** @param {unknown} cell */
const isCell = (cell) => Array.isArray(cell) && (cell.length === 2 || cell.length === 3) && cell.every(Number.isSafeInteger);

/** @param {Document} document @returns {History} */
export const historyOf = (document) => ({ past: [], present: document, future: [], label: "" });

/** A step forward. Steps with the same label that is not empty are one step (painting with the mouse held down).
 * @param {History} history @param {Document} document @param {string} [label] @returns {History} */
export function changed(history, document, label = "") {
  if (document === history.present) return history;
  if (label && label === history.label) return { ...history, present: document, future: [] };
  return { past: [...history.past, history.present].slice(-MOST_STEPS), present: document, future: [], label };
}

/** @param {History} history @returns {History} */
export function undone(history) {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], label: "" };
}

/** @param {History} history @returns {History} */
export function redone(history) {
  const [next, ...later] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.present], present: next, future: later, label: "" };
}

/** The document with another problem. Pieces that lie on cells that are gone, or whose tile is gone, are taken off. On another
 * board, cells that were chosen to stay open are no choice any more.
 * @param {Document} document @param {Partial<Problem>} change @returns {Document} */
export function withProblem(document, change) {
  const problem = { ...document.problem, ...change };
  const known = new Set(boardCells(problem).map(keyOf));
  const names = new Set(problem.tiles.map((tile) => tile.name));
  const laid = document.laid.filter((piece) => names.has(piece.tile) && piece.cells.every((cell) => known.has(keyOf(cell))));
  // What was known of the old problem need not hold of the new one.
  delete problem.expected;
  const { choices, ...rest } = document;
  const isSame = !["board", "optional", "groups"].some((name) => name in change);
  return { ...rest, problem, laid, ...(choices && isSame ? { choices } : {}) };
}

/** @typedef {"on" | "off" | "open"} CellState */

/** @param {Problem} problem @returns {Map<string, CellState>} */
export function statesOf(problem) {
  /** @type {Map<string, CellState>} */
  const states = new Map(problem.board.map((cell) => [keyOf(cell), "on"]));
  for (const cell of problem.optional || []) states.set(keyOf(cell), "open");
  return states;
}

/** The document with some cells on, off, or such that may stay open. A cell that is on leaves its group. One that is off is the cell
 * of its group that is not covered: the others of the group must be.
 * @param {Document} document @param {Cell[]} cells @param {CellState} state */
export function withCells(document, cells, state) {
  const { problem } = document;
  const touched = new Set(cells.map(keyOf));
  const isTouched = (/** @type {Cell} */ cell) => touched.has(keyOf(cell));
  const keep = (/** @type {Cell[]} */ some) => some.filter((cell) => !isTouched(cell));
  const fresh = distinct(cells);
  const board = state === "off" ? keep(problem.board) : [...keep(problem.board), ...fresh];
  const before = /** @type {Group[]} */ (problem.groups || []);
  const settled = state === "off" ? before.filter((group) => group.cells.some(isTouched)) : [];
  const must = new Set(settled.flatMap((group) => group.cells.map(keyOf)));
  const optional = keep(problem.optional || []).filter((cell) => !must.has(keyOf(cell)));
  if (state === "open") optional.push(...fresh);
  const without = (/** @type {Group[]} */ groups) =>
    groups.map((group) => ({ ...group, cells: state === "open" ? group.cells : keep(group.cells) }));
  const groups = without(before.filter((group) => !settled.includes(group))).filter((group) => group.cells.length);
  const names = new Set(groups.map((group) => group.name));
  const there = new Set(board.map(keyOf));
  const change = { board, optional, open: optional.length ? problem.open : undefined };
  const labels = (problem.labels || []).filter((label) => there.has(keyOf(label.cell)));
  const colours = (problem.colours || []).filter(([cell]) => there.has(keyOf(cell)));
  // Demands on single sides of the border hold of the board as it was.
  const border = (problem.border || []).filter((one) => !one.sides);
  const next = withProblem(document, { ...change, labels, groups, colours: colours.length ? colours : undefined,
    border: border.length ? border : undefined });
  return document.choices ? { ...next, choices: without(document.choices).filter((group) => names.has(group.name)) } : next;
}

/** The group with all its cells that has a cell, also where one of its cells was chosen. @param {Document} document @param {Cell} cell
 * @returns {Group | undefined} */
export const groupAt = ({ choices, problem }, cell) =>
  (choices || problem.groups || []).find((group) => group.cells.some((one) => keyOf(one) === keyOf(cell)));

/** The cell that is chosen to stay open in a group; null if none is. @param {Document} document @param {string} name of the group
 * @returns {Cell | null} */
export function chosenIn({ problem }, name) {
  const group = (problem.groups || []).find((one) => one.name === name);
  return group?.cells.length === 1 ? group.cells[0] : null;
}

/** The document in which the cells of a group that may stay open are others. @param {Document} document @param {Group} whole
 * @param {Cell[]} cells */
function narrowed(document, whole, cells) {
  const { problem } = document;
  const own = new Set(whole.cells.map(keyOf));
  const others = (problem.optional || []).filter((one) => !own.has(keyOf(one)));
  const groups = (problem.groups || []).map((group) => (group.name === whole.name ? { ...group, cells } : group));
  return withProblem(document, { optional: [...others, ...cells], groups });
}

/** The document in which a cell of a group is the one that stays open. Where it is already, any cell of the group may again.
 * @param {Document} document @param {Cell} cell @returns {Document} */
export function withChoice(document, cell) {
  const whole = groupAt(document, cell);
  if (!whole || whole.cells.length < 2) return document;
  const was = chosenIn(document, whole.name);
  const cells = was && keyOf(was) === keyOf(cell) ? whole.cells : [cell];
  return { ...narrowed(document, whole, cells), choices: document.choices || document.problem.groups };
}

/** The document in which no cell is chosen. @param {Document} document @returns {Document} */
const released = (document) => (document.choices || []).reduce((one, whole) => narrowed(one, whole, whole.cells), document);

/** The document with some cells of the board that demand a colour; "" takes it away. @param {Document} document @param {Cell[]} cells
 * @param {string} name */
export function withColour(document, cells, name) {
  const there = new Set(boardCells(document.problem).map(keyOf));
  const touched = distinct(cells.filter((cell) => there.has(keyOf(cell))));
  const keys = new Set(touched.map(keyOf));
  const others = (document.problem.colours || []).filter(([cell]) => !keys.has(keyOf(cell)));
  const colours = name ? [...others, ...touched.map((cell) => /** @type {[Cell, string]} */ ([cell, name]))] : others;
  return withProblem(document, { colours: colours.length ? colours : undefined });
}

/** @param {Document} document @param {Cell} cell @param {string} label */
export function withLabel(document, cell, label) {
  const others = (document.problem.labels || []).filter((one) => keyOf(one.cell) !== keyOf(cell));
  return withProblem(document, { labels: label ? [...others, { cell, label }] : others });
}

/** Adds a cell to a group, or takes it out if it is in. A cell belongs to one group at most. No cell is chosen then.
 * @param {Document} before @param {Cell} cell @param {string} name */
export function withGroup(before, cell, name) {
  const document = released(before);
  const key = keyOf(cell);
  const groups = /** @type {Group[]} */ (document.problem.groups || []);
  const was = groups.find((group) => group.cells.some((one) => keyOf(one) === key))?.name;
  const without = groups.map((group) => ({ ...group, cells: group.cells.filter((one) => keyOf(one) !== key) }));
  if (was !== name && name) {
    const own = without.find((group) => group.name === name);
    if (own) own.cells = [...own.cells, cell];
    else without.push({ name, cells: [cell] });
  }
  // One cell of each group stays open: so all its cells may.
  const isIn = was !== name && !!name;
  const others = (document.problem.optional || []).filter((one) => keyOf(one) !== key);
  const board = isIn && !document.problem.board.some((one) => keyOf(one) === key) ? [...document.problem.board, cell]
    : document.problem.board;
  return withProblem(document, { board, optional: isIn ? [...others, cell] : others, open: undefined,
    groups: without.filter((group) => group.cells.length) });
}

/** @param {Document} document @param {number} index @param {Record<string, any>} change */
export function withTile(document, index, change) {
  const old = document.problem.tiles[index];
  const tiles = document.problem.tiles.map((tile, k) => (k === index ? { ...tile, ...change } : tile));
  const next = withProblem({ ...document, laid: [] }, { tiles });
  const laid = document.laid.filter((piece) => !(change.cells && piece.tile === old.name))
    .map((piece) => (piece.tile === old.name && change.name ? { ...piece, tile: change.name } : piece));
  return { ...next, laid };
}

/** A name that no tile has yet. @param {Problem} problem @param {string} wish */
export function freshName(problem, wish) {
  const names = new Set(problem.tiles.map((tile) => tile.name));
  if (!names.has(wish)) return wish;
  for (let k = 2; ; k++) if (!names.has(`${wish}${k}`)) return `${wish}${k}`;
}

/** The document with more tiles; those with a name that is taken get another. @param {Document} document @param {any[]} tiles */
export function withMoreTiles(document, tiles) {
  let problem = document.problem;
  for (const tile of tiles) {
    problem = { ...problem, tiles: [...problem.tiles, { ...tile, name: freshName(problem, tile.name || "A") }] };
  }
  return withProblem(document, { tiles: problem.tiles });
}
