// SVG elements of pieces: their cells, the thin sides inside, and the border around.
import { borderPath, cellsPath } from "./lattice.js";
import { patchPath } from "./painting.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | number>} [attributes] @returns {SVGElement} */
export function svg(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** @param {import("./lattice.js").Places} places @param {import("./lattice.js").Cell[]} cells @param {string} fill @param {string} name
 * @param {boolean} [locked] @param {import("./placing.js").Patch[]} [paint] */
export function pieceElement(places, cells, fill, name, locked = false, paint = []) {
  const group = svg("g", { class: locked ? "piece locked" : "piece" });
  const title = svg("title");
  title.textContent = locked ? `${name}, locked` : name;
  const patches = (/** @type {(level: number) => boolean} */ of) => paint.filter(({ level }) => of(level))
    .sort((one, two) => one.level - two.level)
    .map((patch) => svg("path", { class: "coat", d: patchPath(patch), fill: patch.fill, "stroke-width": patch.border }));
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
