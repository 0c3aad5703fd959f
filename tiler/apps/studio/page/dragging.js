// A piece that hangs on the pointer: one SVG over the whole page, one transform a frame.
import { effect } from "@preact/signals";
import { cellBelow, shown, spotAt } from "./board_place.js";
import { ghostAtCursor, put } from "./doing.js";
import { moved, pieceElement, svg } from "./piece_drawing.js";
import { cursor, hand, mode, places, rules, say } from "./state.js";

const FAR = 5; // pixels that a press may move and be a click still
const HOLD = 250; // milliseconds after which a finger that rests on a piece drags it

/** @type {{x: number, y: number} | null} */
let from = null;
const pointer = { x: 0, y: 0, seen: false, kind: "mouse" };
let frame = 0;
/** @type {SVGElement} */
let floating;
/** @type {SVGElement} */
let carrier;

/** The press that began at a piece in the hand: it is dragged until the pointer is up. @param {PointerEvent} event */
function startDrag(event) {
  from = { x: event.clientX, y: event.clientY };
  const target = /** @type {Element} */ (event.target);
  if (target.hasPointerCapture?.(event.pointerId)) target.releasePointerCapture(event.pointerId);
  followed(event);
}

/** @typedef {{tap: () => void, drag?: () => void}} Acts what a press does: `drag` takes something in hand, which is dragged then */

/** A finger that is down, and does not drag yet. @type {{event: PointerEvent, acts: Acts, touchAction: string, timer: number} | null} */
let finger = null;

/** A press. The mouse drags at once. A finger may scroll instead: it drags across the way that the page scrolls there, or after a
 * moment on the spot; else it taps. @param {PointerEvent} event @param {Acts} acts */
export function press(event, acts) {
  if (event.pointerType !== "touch") {
    if (acts.drag) startDrag(event);
    (acts.drag || acts.tap)();
    return;
  }
  lift();
  const { touchAction } = getComputedStyle(/** @type {Element} */ (event.currentTarget));
  finger = { event, acts, touchAction, timer: window.setTimeout(dragByFinger, HOLD) };
}

/** The finger is up, or does something else. */
function lift() {
  clearTimeout(finger?.timer);
  finger = null;
}

function dragByFinger() {
  const pressed = finger;
  lift();
  if (!pressed?.acts.drag) return;
  startDrag(pressed.event);
  pressed.acts.drag();
}

/** @param {PointerEvent} event */
function fingerMoved(event) {
  if (!finger || event.pointerId !== finger.event.pointerId) return;
  const [x, y] = [Math.abs(event.clientX - finger.event.clientX), Math.abs(event.clientY - finger.event.clientY)];
  if (Math.hypot(x, y) < FAR) return;
  const { touchAction } = finger;
  const scrolls = (touchAction === "pan-x" && x > y) || (touchAction === "pan-y" && y > x);
  if (scrolls) lift();
  else dragByFinger();
}

/** @param {PointerEvent} event */
function followed(event) {
  fingerMoved(event);
  floating.style.visibility = "visible";
  Object.assign(pointer, { x: event.clientX, y: event.clientY, seen: true, kind: event.pointerType });
  if (!hand.value) return;
  if (from) {
    const cell = overBoard() ? cellBelow(event) : null;
    if (String(cell) !== String(cursor.value)) cursor.value = cell;
  }
  if (!frame) frame = requestAnimationFrame(drawn);
}

function overBoard() {
  const box = shown.svg?.getBoundingClientRect();
  return !!box && pointer.x >= box.left && pointer.x <= box.right && pointer.y >= box.top && pointer.y <= box.bottom;
}

function drawn() {
  frame = 0;
  const at = spotAt(pointer.x, pointer.y);
  const where = places.value;
  const now = hand.value;
  if (!at || !where || !now) return;
  const tile = rules.value?.tileOf(now.tile);
  const [x, y] = tile ? where.centre(tile.orientations[now.orientation][now.grab]) : [0, 0];
  carrier.setAttribute("transform", `translate(${pointer.x} ${pointer.y}) scale(${at.scale}) translate(${-x} ${-y})`);
}

/** @param {PointerEvent} event */
function released(event) {
  const tap = finger?.acts.tap;
  lift();
  tap?.();
  if (!from) return;
  const far = Math.hypot(event.clientX - from.x, event.clientY - from.y);
  from = null;
  if (far < FAR || !hand.value) return; // A click: the piece stays in the hand.
  const now = overBoard() ? ghostAtCursor() : null;
  if (now?.fits) put(now.tile.name, now.cells, now.orientation);
  else if (now) say(`${now.tile.name} does not fit there; it is back among the pieces.`);
  hand.value = null;
}

/** Follows the pointer, from the beginning of the page to its end. */
export function followPointer() {
  floating = svg("svg", { class: "floating", "aria-hidden": "true" });
  carrier = svg("g");
  floating.append(carrier);
  document.body.append(floating);
  window.addEventListener("pointermove", followed);
  window.addEventListener("pointerup", released);
  // Whoever goes on by keys sees the piece on the board.
  window.addEventListener("keydown", ({ key }) => {
    if (/^(Arrow.*|[np])$/.test(key)) floating.style.visibility = "hidden";
  });
  window.addEventListener("pointercancel", () => {
    from = null;
    lift();
  });
  // A finger that drags a piece does not scroll.
  window.addEventListener("touchmove", (event) => from && event.cancelable && event.preventDefault(), { passive: false });
  effect(() => {
    const now = hand.value;
    const where = places.value;
    carrier.replaceChildren();
    if (!now || !where || mode.value !== "play" || !pointer.seen || (pointer.kind !== "mouse" && !from)) return;
    const tile = rules.value?.tileOf(now.tile);
    if (!tile) return;
    const shape = tile.orientations[now.orientation];
    carrier.append(pieceElement(where, shape, tile.fill, tile.name, false,
      moved(where, tile.coats?.[now.orientation] || [], shape, shape)));
    drawn();
  });
}
