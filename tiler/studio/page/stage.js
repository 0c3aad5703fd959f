// What part of the lattice the board shows: in space one drawing for each layer, beside each other.
import { Places } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Box} Box */
/** @typedef {{layer: number, box: Box}} Layer */
/** @typedef {{box: Box, layers: Layer[]}} Stage */

/** @param {Places} places @param {Cell[]} cells @param {number} margin around each layer @param {number} [above] how many empty layers to show on both sides @returns {Stage} */
export function stageOf(places, cells, margin, above = 0) {
  const flat = places.spread ? new Places(places.data, 0) : places;
  const shown = cells.length ? cells : places.data.kinds.map((kind) => kind.cell);
  const own = flat.box(shown);
  const around = { left: own.left - margin, top: own.top - margin, right: own.right + margin, bottom: own.bottom + margin };
  if (!places.data.layer) return { box: around, layers: [{ layer: 0, box: around }] };
  const heights = shown.map((cell) => cell[0]);
  const layers = [];
  for (let layer = Math.min(...heights) - above; layer <= Math.max(...heights) + above; layer++) {
    const shift = layer * places.spread;
    layers.push({ layer, box: { ...around, left: around.left + shift, right: around.right + shift } });
  }
  return { box: { ...around, left: layers[0].box.left, right: layers[layers.length - 1].box.right }, layers };
}

/** The layer at a place across the page. @param {Stage} stage @param {number} x */
export function layerAt(stage, x) {
  let best = stage.layers[0];
  let least = Infinity;
  for (const one of stage.layers) {
    const far = Math.abs(x - (one.box.left + one.box.right) / 2);
    if (far < least) [best, least] = [one, far];
  }
  return best.layer;
}
