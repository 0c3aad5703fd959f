// The cells of a rectangle and of a line that a person draws on the page, from one cell to another.
import { distinct, widened } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Places} Places */

const SLACK = 0.01;

/** @param {Places} places @param {Cell} from @param {Cell} to */
export function rectangle(places, from, to) {
  const [a, b] = [places.centre(from), places.centre(to)];
  const box = { left: Math.min(a[0], b[0]), right: Math.max(a[0], b[0]), top: Math.min(a[1], b[1]), bottom: Math.max(a[1], b[1]) };
  return places.within(widened(box, SLACK), places.data.layer ? from[0] : 0);
}

/** @param {Places} places @param {Cell} from @param {Cell} to */
export function line(places, from, to) {
  const [a, b] = [places.centre(from), places.centre(to)];
  const layer = places.data.layer ? from[0] : 0;
  const steps = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) * 4));
  /** @type {Cell[]} */
  const cells = [];
  for (let k = 0; k <= steps; k++) {
    const cell = places.at([a[0] + ((b[0] - a[0]) * k) / steps, a[1] + ((b[1] - a[1]) * k) / steps], layer);
    if (cell) cells.push(cell);
  }
  return distinct(cells);
}
