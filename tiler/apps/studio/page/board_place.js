// Where the board is in the window: which spot of it, and which cell, lies below a pointer.
import { layerAt } from "./stage.js";
import { places } from "./state.js";

/** The board that is drawn, and the part of the lattice that it shows.
 * @type {{svg: SVGSVGElement | null, stage: import("./stage.js").Stage | null}} */
export const shown = { svg: null, stage: null };

/** The spot of a drawing below a place of the window. @param {SVGSVGElement | null} drawing @param {number} x @param {number} y */
export function spotIn(drawing, x, y) {
  const matrix = drawing?.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  return { spot: /** @type {[number, number]} */ ([point.x, point.y]), scale: matrix.a };
}

/** The spot of the board below a place of the window. @param {number} x @param {number} y */
export const spotAt = (x, y) => spotIn(shown.svg, x, y);

/** The cell below a pointer. @param {{clientX: number, clientY: number}} event */
export function cellBelow(event) {
  const at = spotAt(event.clientX, event.clientY);
  const where = places.value;
  if (!at || !where || !shown.stage) return null;
  return where.at(at.spot, where.data.layer ? layerAt(shown.stage, at.spot) : 0);
}
