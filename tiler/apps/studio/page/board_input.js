// Mouse, finger and keys on the board.
import { abandon, begin, extend, finish, isDrawing, set, tool } from "./board_tools.js";
import { cellBelow } from "./board_place.js";
import {
  choose, clear, flip, fitsAt, ghostAtCursor, hint, isChosen, labelOf, lock, mirror, pickUp, pieceAt, put, take, takeOff, turn,
  turnBack, ways,
} from "./doing.js";
import { press } from "./dragging.js";
import { ARROWS, fromOne, keyOf } from "./lattice.js";
import { cursor, frozen, hand, laid, live, mode, pinned, places, problem, rules, say, tilesLeft } from "./state.js";
import { statesOf } from "./document.js";

/** @typedef {import("./lattice.js").Cell} Cell */

/** Listens to pointers and keys on the board. @param {HTMLElement} board */
export function attach(board) {
  const root = /** @type {SVGSVGElement} */ (board.querySelector("svg"));
  root.addEventListener("pointerdown", (event) => {
    const cell = cellBelow(event);
    if (!cell || event.button > 0) return;
    board.focus({ preventScroll: true });
    cursor.value = cell;
    if (mode.value === "board") {
      root.setPointerCapture(event.pointerId);
      frozen.value = true;
      begin(cell);
    } else {
      pressed(event, cell);
    }
  });
  // The board has the focus already, or the field for a label has it.
  root.addEventListener("mousedown", (event) => event.preventDefault());
  root.addEventListener("pointermove", (event) => {
    const cell = cellBelow(event);
    if (!cell) return;
    if (!cursor.value || keyOf(cell) !== keyOf(cursor.value)) cursor.value = cell;
    if (isDrawing()) extend(cell);
  });
  const end = () => {
    if (!frozen.value) return;
    frozen.value = false;
    finish();
  };
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
  root.addEventListener("pointerleave", () => {
    if (!isDrawing() && document.activeElement !== board) cursor.value = null;
  });
  root.addEventListener("contextmenu", (event) => {
    const index = pieceAt(cellBelow(event));
    const isHeld = /** @type {PointerEvent} */ (event).pointerType === "touch"; // A finger that rests drags.
    if (hand.value && !isHeld) flip();
    else if (mode.value !== "board" && index >= 0 && !isHeld) lock(index);
    else if (!isHeld) return;
    event.preventDefault();
  });
  root.addEventListener("wheel", (event) => {
    if (!hand.value) return;
    event.preventDefault();
    if (event.deltaY > 0) turn();
    else turnBack();
  }, { passive: false });
  board.addEventListener("keydown", keyed);
  board.addEventListener("focus", () => {
    if (!cursor.value) cursor.value = problem.value.board[0] || null;
  });
}

/** @param {PointerEvent} event @param {Cell} cell */
function pressed(event, cell) {
  const piece = laid.value[pieceAt(cell)];
  if (hand.value) press(event, { tap: dropAt });
  else if (!piece) press(event, { tap: () => choose(cell) || pin(cell) });
  else if (piece.locked) press(event, { tap: () => say(`${piece.tile} is locked. L unlocks it.`) });
  else {
    const up = () => pickUp(laid.value.indexOf(piece), cell);
    press(event, { tap: up, drag: up });
  }
}

/** Keeps a cell, of which what fits is shown; or no more. @param {Cell} cell */
function pin(cell) {
  pinned.value = rules.value?.folded([cell]) && String(pinned.value) !== String(cell) ? cell : null;
}

function dropAt() {
  const now = ghostAtCursor();
  if (now) put(now.tile.name, now.cells, now.orientation);
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = cursor.value;
  const way = ARROWS[event.key];
  if (way && at && places.value) {
    move(places.value.next(at, way));
  } else if ((event.key === "PageUp" || event.key === "PageDown") && at && places.value?.data.layer) {
    const step = event.key === "PageUp" ? 1 : -1;
    const up = places.value.data.layer.cell;
    move(at.map((a, k) => a + step * up[k]));
  } else if (!(mode.value === "board" ? drawing(event, at) : playing(event.key, at))) {
    return;
  }
  event.preventDefault();
}

/** @param {Cell} cell */
function move(cell) {
  cursor.value = cell;
  if (isDrawing()) extend(cell);
  say(described(cell));
}

/** @param {Cell} cell */
function described(cell) {
  const state = statesOf(problem.value).get(keyOf(cell));
  const label = labelOf(cell);
  const index = pieceAt(cell);
  const piece = laid.value[index];
  const now = ghostAtCursor();
  const open = isChosen(cell) ? "stays open" : "may stay open";
  const what = piece ? `${piece.tile}${piece.locked ? ", locked" : ""}` : state === "on" ? "empty" : state === "open" ? open
    : "not on the board";
  const fits = piece || mode.value === "board" ? [] : fitsAt(cell).slice(0, 3);
  const first = fits.map(([number, count]) => `${rules.value?.piece(number).tile} ${ways(count)}`).join(", ");
  const alone = live.value?.pieces === laid.value ? live.value.single : [];
  const single = alone.some((one) => keyOf(one) === keyOf(cell));
  const held = now ? `; ${now.tile.name} ${now.fits ? "fits here" : "does not fit here"}` : first
    ? `; ${single ? "only this is possible" : "fits"}: ${first}` : "";
  return `${fromOne(cell)}${label ? ` ${label}` : ""}: ${what}${held}`;
}

/** @param {KeyboardEvent} event @param {Cell | null} at */
function drawing(event, at) {
  if (!at) return false;
  if (event.key === " ") set(at, "swap");
  else if (event.key === "o" || event.key === "O") set(at, "open");
  else if (event.key === "Escape" && isDrawing()) abandon();
  else if (event.key === "Enter") {
    if (isDrawing()) finish();
    else {
      begin(at);
      if (tool.value === "pen" || tool.value === "colour") finish();
    }
  } else return false;
  return true;
}

/** Lays the piece in hand, takes the one on the cell in hand, or chooses the cell to stay open. @param {number} index
 * @param {Cell | null} at */
function touch(index, at) {
  if (hand.value) dropAt();
  else if (at && index >= 0) pickUp(index, at);
  else if (at) choose(at);
}

/** @param {string} key @param {Cell | null} at */
function playing(key, at) {
  const index = pieceAt(at);
  const act = /** @type {Record<string, () => unknown>} */ ({
    r: turn, R: turnBack, f: flip, F: flip, m: mirror, M: mirror, h: hint, H: hint,
    n: () => another(1), p: () => another(-1),
    l: () => lock(index), L: () => lock(index),
    Delete: () => takeOff(index), Backspace: () => takeOff(index),
    Escape: () => { hand.value = null; },
    Enter: () => touch(index, at),
    " ": () => touch(index, at),
    C: clear,
  })[key];
  act?.();
  return !!act;
}

/** Takes the next piece in hand of which some are left. @param {number} step */
function another(step) {
  const tiles = rules.value?.tiles || [];
  const now = tiles.findIndex((tile) => tile.name === hand.value?.tile);
  for (let k = 1; k <= tiles.length; k++) {
    const next = (((now < 0 && step < 0 ? 0 : now) + step * k) % tiles.length + tiles.length) % tiles.length;
    const rest = tilesLeft.value[next];
    if (rest !== null && rest <= 0) continue;
    take(tiles[next].name);
    say(`${tiles[next].name} in hand, ${tiles[next].area} cells${rest === null ? "" : `, ${rest} left`}`);
    return;
  }
  say("No piece is left.");
}
