// What part of the lattice the board shows: in space one drawing for each layer, beside each other.
import { distance, leastBy, Places, STACKED, widened } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Box} Box */
/** @typedef {{layer: number, box: Box}} Layer */
/** @typedef {{box: Box, layers: Layer[]}} Stage */

/** The height of the name of a layer, above its drawing. */
export const NAME = 1.3;

/** @param {Places} places @param {Cell[]} cells @param {number} margin around each layer
 * @param {number} [above] how many empty layers to show on both sides @returns {Stage} */
export function stageOf(places, cells, margin, above = 0) {
  const flat = places.rows === STACKED ? places : new Places(places.data);
  const shown = cells.length ? cells : places.data.kinds.map((kind) => kind.cell);
  const around = widened(flat.box(shown), margin);
  if (!places.data.layer) return { box: around, layers: [{ layer: 0, box: around }] };
  const heights = shown.map((cell) => cell[0]);
  /** @type {Layer[]} */
  const layers = [];
  for (let layer = Math.min(...heights) - above; layer <= Math.max(...heights) + above; layer++) {
    const [across, down] = places.offset(layer);
    layers.push({ layer, box: { left: around.left + across, right: around.right + across, top: around.top + down, bottom: around.bottom
      + down } });
  }
  const reach = (/** @type {"left" | "top" | "right" | "bottom"} */ side) => layers.map(({ box }) => box[side]);
  // Cells of the last row may stand out by half of their size.
  const [top, bottom] = [Math.min(...reach("top")) - NAME, Math.max(...reach("bottom")) + 0.5];
  return { box: { left: Math.min(...reach("left")), top, right: Math.max(...reach("right")), bottom }, layers };
}

/** In how many columns layers are drawn largest: each takes `across` by `down`, and the page has some size.
 * @param {number} layers @param {number} across @param {number} down @param {{width: number, height: number}} page */
export function columnsFor(layers, across, down, { width, height }) {
  let best = 1;
  let most = 0;
  for (let columns = 1; columns <= layers; columns++) {
    const scale = Math.min(width / (columns * across), height / (Math.ceil(layers / columns) * down));
    if (scale > most * 1.001) [best, most] = [columns, scale];
  }
  return best;
}

/** The layer at a spot of the page. @param {Stage} stage @param {import("./lattice.js").Spot} spot */
export function layerAt(stage, spot) {
  return leastBy(stage.layers, ({ box }) => distance(spot, [(box.left + box.right) / 2, (box.top + box.bottom) / 2])).layer;
}
