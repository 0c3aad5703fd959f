// Paint on pieces, from the data of the engine: patches that move as their cells do.
import { minus } from "./lattice.js";
import { orientationOf } from "./placing.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./placing.js").Patch} Patch */

/** The patches of an orientation where its cells lie now: `lying` has them in the same order.
 * @param {import("./lattice.js").Places} places @param {Patch[]} coat @param {Cell[]} shape @param {Cell[]} lying @returns {Patch[]} */
export function moved(places, coat, shape, lying) {
  const there = new Map(shape.map((cell, k) => [String(cell), lying[k]]));
  return coat.map((patch) => {
    const cell = there.get(String(patch.cell)) || patch.cell;
    const [x, y] = minus(places.centre(cell), minus(places.centre(patch.cell), places.offset(patch.cell[0])));
    return { ...patch, cell, loop: patch.loop.map(([a, b]) => [a + x, b + y]) };
  });
}

/** The paint that is seen on a piece that lies; none if nothing is painted.
 * @param {import("./lattice.js").Places} places @param {import("./placing.js").Rules | null} rules
 * @param {import("./placing.js").Piece} piece @returns {Patch[]} */
export function paintOf(places, rules, piece) {
  const tile = rules?.tileOf(piece.tile);
  if (!rules || !tile?.coats?.length) return [];
  const way = piece.orientation ?? orientationOf(places, tile, piece.cells);
  const lying = rules.lying(piece, way);
  return lying ? moved(places, tile.coats[way], tile.orientations[way], lying) : [];
}

/** @param {Patch} patch */
export const patchPath = ({ loop }) => `M${loop.map(([x, y]) => `${Math.round(x * 1e3) / 1e3} ${Math.round(y * 1e3) / 1e3}`).join("L")}Z`;
