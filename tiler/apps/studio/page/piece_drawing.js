// SVG of pieces: their cells, the thin sides inside, the border around, and paint: patches that move as their cells do.
import { borderPath, cellsPath, loopPath, minus } from "./lattice.js";
import { orientationOf } from "./placing.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Places} Places */
/** @typedef {import("./placing.js").Patch} Patch */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | number>} [attributes] @returns {SVGElement} */
export function svg(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** The patches of an orientation where its cells lie now: `lying` has them in the same order.
 * @param {Places} places @param {Patch[]} coat @param {Cell[]} shape @param {Cell[]} lying @returns {Patch[]} */
export function moved(places, coat, shape, lying) {
  const there = new Map(shape.map((cell, k) => [String(cell), lying[k]]));
  return coat.map((patch) => {
    const cell = there.get(String(patch.cell)) || patch.cell;
    const [x, y] = minus(places.centre(cell), minus(places.centre(patch.cell), places.offset(patch.cell[0])));
    return { ...patch, cell, loop: patch.loop.map(([a, b]) => [a + x, b + y]) };
  });
}

/** The paint that is seen on a piece that lies; none if nothing is painted.
 * @param {Places} places @param {import("./placing.js").Rules | null} rules @param {import("./placing.js").Piece} piece
 * @returns {Patch[]} */
export function paintOf(places, rules, piece) {
  const tile = rules?.tileOf(piece.tile);
  if (!rules || !tile?.coats?.length) return [];
  const way = piece.orientation ?? orientationOf(places, tile, piece.cells);
  const lying = rules.lying(piece, way);
  return lying ? moved(places, tile.coats[way], tile.orientations[way], lying) : [];
}

/** @param {Places} places @param {Cell[]} cells @param {string} fill @param {string} name @param {boolean} [locked]
 * @param {Patch[]} [paint] */
export function pieceElement(places, cells, fill, name, locked = false, paint = []) {
  const group = svg("g", { class: locked ? "piece locked" : "piece" });
  const title = svg("title");
  title.textContent = locked ? `${name}, locked` : name;
  const patches = (/** @type {(level: number) => boolean} */ of) => paint.filter(({ level }) => of(level))
    .sort((one, two) => one.level - two.level)
    .map((patch) => svg("path", { class: "coat", d: loopPath(patch.loop), fill: patch.fill, "stroke-width": patch.border }));
  group.append(title, svg("path", { class: "body", d: cellsPath(places, cells), fill }), ...patches((level) => !level),
    svg("path", { class: "border", d: borderPath(places, cells) }), ...patches((level) => level > 0));
  if (locked) {
    const [x, y] = places.centre(cells[0]);
    group.append(svg("path", { class: "pin", d: `M${x - 0.16} ${y - 0.02}h.32v.24h-.32zM${x - 0.1} ${y - 0.02}v-.1a.1 .1 0 0 1 .2 0v.1` }));
  }
  return group;
}

/** The text of an SVG as elements that can be shown; null if it is none. Whatever could run in it is left out.
 * @param {string} text */
export function pictureElement(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const picture = read.documentElement;
  if (picture.localName !== "svg") return null;
  for (const part of [...picture.querySelectorAll("script, foreignObject, a")]) part.remove();
  for (const part of [picture, ...picture.querySelectorAll("*")]) {
    for (const { name } of [...part.attributes]) if (name.startsWith("on") || name === "style"
      || name.endsWith("href")) part.removeAttribute(name);
  }
  return document.importNode(picture, true);
}
