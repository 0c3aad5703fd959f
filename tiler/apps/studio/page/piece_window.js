// The part of the lattice in which a piece is drawn. It only grows, and only where the piece comes near its border: so a cell stays
// below the pointer while one draws.
import { widened } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Box} Box */
/** @typedef {import("./lattice.js").Places} Places */

/** Distances: a piece that is nearer than `near` to a side of the window pushes it `room` away; the sides of a new window are `least`
 * from its middle. */
const FLAT = { near: 1, room: 2, least: 3.2 };
const IN_SPACE = { near: 0.3, room: 0.8, least: 0.8 }; // where there are no layers
const EDGE = 0.05;

/** @param {Box} one @param {Box} two @returns {Box} */
const joined = (one, two) => ({
  left: Math.min(one.left, two.left), right: Math.max(one.right, two.right),
  top: Math.min(one.top, two.top), bottom: Math.max(one.bottom, two.bottom),
});

/** A window for a piece: a new one around it, or the one before, grown where the piece has come near its border.
 * @param {Places} places @param {Cell[]} cells @param {Box | null} [before] @returns {Box} */
export function windowOf(places, cells, before = null) {
  const own = places.box(cells.length ? cells : [places.data.kinds[0].cell]);
  const [x, y] = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
  const { near, room, least } = places.among ? IN_SPACE : FLAT;
  const old = before || widened({ left: x, right: x, top: y, bottom: y }, least);
  const grown = {
    left: own.left - old.left < near ? own.left - room : old.left,
    right: old.right - own.right < near ? own.right + room : old.right,
    top: own.top - old.top < near ? own.top - room : old.top,
    bottom: old.bottom - own.bottom < near ? own.bottom + room : old.bottom,
  };
  const isSame = Object.entries(grown).every(([side, at]) => old[/** @type {keyof Box} */ (side)] === at);
  return isSame ? old : grown;
}

/** The cells of a window in a layer, and a box that has them whole; in a space without layers it has the window too.
 * @param {Places} places @param {Box} window @param {number} layer */
export function shownIn(places, window, layer) {
  const cells = places.within(window, layer);
  const whole = places.box(cells);
  return { cells, box: widened(places.among ? joined(whole, window) : whole, EDGE) };
}
