// Drawing a piece in a small grid, in space layer by layer: its cells, the colours of cells, and the marks of sides.
import { useRef, useState } from "preact/hooks";
import { spotIn } from "./board_place.js";
import { counted } from "./doing.js";
import { freshName, withMoreTiles, withTile } from "./document.js";
import { Check, Choice, entering } from "./fields.js";
import { cellsPath, fromOne, keyOf, Places, viewOf } from "./lattice.js";
import { shownIn, windowOf } from "./piece_window.js";
import { line } from "./selection.js";
import { change, current, doc, lattice, problem } from "./state.js";
import { html } from "./html.js";

/** @typedef {import("./lattice.js").Cell} Cell */

const SIDES = [["front", "Front"], ["back", "Back, seen through the front"]];
const TOOLS = [["cells", "Cells"], ["colours", "Colours"], ["marks", "Marks of sides"]];
const HINTS = /** @type {Record<string, string>} */ ({
  cells: "Click the cells of the piece, or drag over them.",
  colours: "Click cells of the piece to colour them. Coloured cells must lie on cells of the board that have the same colour, or none.",
  marks: "Click sides of the piece to mark them. Where two pieces touch, their marks must be equal.",
});

/** @typedef {{colours: Map<string, string>, marks: Map<string, string>}} Face */

/** What is painted on a side of a tile. @param {any} told @returns {Face} */
const faceOf = (told) => ({
  colours: new Map((told?.colours || []).map((/** @type {any} */ [cell, name]) => [keyOf(lifted([cell])[0]), name])),
  marks: new Map((told?.marks || []).map((/** @type {any} */ [cell, beyond, name]) => [lifted([cell, beyond]).map(keyOf).join(">"), name])),
});

/** In space, flat pieces may have cells of the plane. @param {Cell[]} cells */
export const lifted = (cells) => (lattice.value?.dimension === 3 ? cells.map((cell) => (cell.length === 2 ? [0, ...cell] : cell)) : cells);

/** The colours and marks that have a colour to draw them in. @returns {Map<string, string>} */
const inks = () => new Map(current.value?.opened.inks || []);

/** The name of a colour or mark, to choose or to write. @param {{label: string, value: string, set: (name: string) => void}} props */
export function InkField({ label, value, set }) {
  return html`<label class="field">${label} <input list="inks" maxlength="40" value=${value}
    onInput=${entering((text) => set(text.trim()))} /></label>
    <datalist id="inks">${[...inks().keys()].map((name) => html`<option value=${name} />`)}</datalist>
    <div class="inks" role="group" aria-label="Colours">
      ${[...inks()].slice(0, 16).map(([name, fill]) =>
      html`<button type="button" aria-pressed=${name === value} aria-label=${name} title=${name} onClick=${() => set(name)}>
      <svg viewBox="0 0 10 10" width="18" height="18" aria-hidden="true">
        <rect width="10" height="10" rx="2" fill=${fill} /></svg></button>`)}</div>`;
}

/** What a stroke does to the cells that it meets. @typedef {{last: Cell, act: (cell: Cell) => void}} Stroke */

/** @param {{index: number, done: () => void}} props */
export function Drawing({ index, done }) {
  const old = problem.value.tiles[index];
  const [cells, set] = useState(/** @type {Cell[]} */ (Array.isArray(old?.cells) ? lifted(old.cells) : []));
  // What is painted on the front, and on the back if it looks different: as one would see it through the front.
  const [front, setFront] = useState(faceOf(old));
  const [back, setBack] = useState(/** @type {Face | null} */ (old?.back ? faceOf(old.back) : null));
  const [side, setSide] = useState("front");
  const isBehind = side === "back" && !!back;
  const { colours, marks } = (isBehind && back) || front;
  const paint = (/** @type {(face: Face) => Face} */ change_) => (isBehind ? setBack((face) => face && change_(face)) : setFront(change_));
  const [tool, setTool] = useState("cells");
  const [ink, setInk] = useState("red");
  const [layer, setLayer] = useState(0);
  /** All cells that the piece ever had: they stay in sight. */
  const ever = useRef(new Map(cells.map((cell) => [keyOf(cell), cell])));
  const sight = useRef({ near: cells, window: /** @type {import("./lattice.js").Box | null} */ (null) });
  const drawing = useRef(/** @type {SVGSVGElement | null} */ (null));
  const stroke = useRef(/** @type {Stroke | null} */ (null));
  const data = lattice.value;
  if (!data) return null;

  const chosen = new Set(cells.map(keyOf));
  const all = new Places(data);
  if (!stroke.current) {
    const near = [...ever.current.values()];
    sight.current = { near, window: windowOf(all, near, sight.current.window) };
  }
  const { near, window } = sight.current;
  const places = new Places(data, undefined, all.grown(near.length ? near : [data.kinds[0].cell]));
  const { cells: shown, box } = shownIn(places, /** @type {import("./lattice.js").Box} */ (window), layer);
  const put = (/** @type {Cell} */ cell, /** @type {boolean} */ isOn) => {
    ever.current.set(keyOf(cell), cell);
    set((before) => [...before.filter((one) => keyOf(one) !== keyOf(cell)), ...(isOn ? [cell] : [])]);
  };
  const colour = (/** @type {Cell} */ cell, /** @type {string} */ name) => {
    if (chosen.has(keyOf(cell))) paint((face) => ({ ...face, colours: named(face.colours, keyOf(cell), name) }));
  };
  /** What a press on a cell does, and the stroke that begins there. @param {Cell} cell */
  const begin = (cell) => {
    const isOn = !chosen.has(keyOf(cell));
    const name = colours.get(keyOf(cell)) === ink ? "" : ink;
    const act = (/** @type {Cell} */ one) => (tool === "cells" ? put(one, isOn) : colour(one, name));
    act(cell);
    return { last: cell, act };
  };
  const below = (/** @type {PointerEvent} */ event) => {
    const at = spotIn(drawing.current, event.clientX, event.clientY);
    const cell = at && places.at(at.spot, layer);
    return cell && shown.some((one) => keyOf(one) === keyOf(cell)) ? cell : null;
  };
  const down = (/** @type {PointerEvent} */ event) => {
    const cell = tool === "marks" || event.button > 0 ? null : below(event);
    if (!cell) return;
    drawing.current?.setPointerCapture(event.pointerId);
    stroke.current = begin(cell);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const cell = stroke.current && below(event);
    if (!cell || !stroke.current || keyOf(cell) === keyOf(stroke.current.last)) return;
    line(places, stroke.current.last, cell).slice(1).forEach(stroke.current.act);
    stroke.current.last = cell;
  };
  const up = () => {
    stroke.current = null;
    set((before) => [...before]); // The window grows now.
  };
  const sides = tool === "marks" ? outer(all, cells).filter(({ cell }) => !data.layer || cell[0] === layer) : [];
  const keep = () => {
    const painted = { ...paintOf(cells, front, all), back: back ? paintOf(cells, back, all) : undefined };
    if (old) change(withTile(doc.value, index, { cells, ...painted }));
    else change(withMoreTiles(doc.value, [{ name: freshName(problem.value, "A"), cells, at_least: 0, at_most: 1, ...painted }]));
    done();
  };
  const keyed = (/** @type {KeyboardEvent} */ event, /** @type {() => void} */ act) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    act();
  };
  const turnOver = (/** @type {boolean} */ isOther) => {
    setBack(isOther ? front : null);
    setSide(isOther ? "back" : "front");
  };
  const cellPath = (/** @type {Cell} */ cell) => {
    const key = keyOf(cell);
    const isIn = chosen.has(key);
    const name = isIn ? colours.get(key) : undefined;
    return html`<path key=${key} role="checkbox" tabindex=${tool === "marks" ? -1 : 0} aria-checked=${isIn}
      aria-label=${`cell ${fromOne(cell)}${name ? `, ${name}` : ""}`} d=${cellsPath(places, [cell])} fill=${name && inkOf(name)}
      onClick=${(/** @type {MouseEvent} */ event) => event.detail || begin(cell)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyed(event, () => begin(cell))} />`;
  };
  const sideLine = (/** @type {ReturnType<typeof outer>[number]} */ { cell, beyond, ends: [from, to] }) => {
    const key = sideKey(cell, beyond);
    const name = marks.get(key);
    const act = () => paint((face) => ({ ...face, marks: named(face.marks, key, name === ink ? "" : ink) }));
    return html`<line key=${key} class="side" role="checkbox" tabindex="0" aria-checked=${!!name}
      aria-label=${`side ${fromOne(cell)} to ${fromOne(beyond)}${name ? `, ${name}` : ""}`}
      x1=${from[0]} y1=${from[1]} x2=${to[0]} y2=${to[1]} stroke=${name && inkOf(name)}
      onClick=${act} onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyed(event, act)}><title>${name || "no mark"}</title></line>`;
  };
  return html`<section class="drawing" aria-label="Draw a piece">
    <${Choice} label="Draw" options=${data.has_edges ? TOOLS.slice(0, 2) : TOOLS} value=${tool} set=${setTool} />
    ${tool !== "cells" && data.dimension === 2 && html`<${Check} is=${!!back} set=${turnOver}>The back looks different
      ${back && !problem.value.reflections && html`<small>It is seen where pieces may be turned over.</small>`}<//>`}
    ${tool !== "cells" && back && html`<${Choice} label="Side of the piece" options=${SIDES} value=${side} set=${setSide} />`}
    ${tool !== "cells" && html`<${InkField} label=${tool === "colours" ? "Colour" : "Mark"} value=${ink} set=${setInk} />`}
    <p class="hint">${HINTS[tool]} ${counted(cells.length, "cell")}.</p>
    ${data.layer && html`<div class="row"><button onClick=${() => setLayer(layer - 1)}>Layer below</button><span>layer ${layer + 1}</span>
      <button onClick=${() => setLayer(layer + 1)}>Layer above</button></div>`}
    <svg ref=${drawing} viewBox=${viewOf(box).join(" ")} role="group"
      aria-label="Cells of the piece" onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${up}>
      ${shown.map(cellPath)}${sides.map(sideLine)}</svg>
    ${tool === "marks" && data.layer && html`<p class="hint">Sides to other layers are marked in files.</p>`}
    <div class="row"><button class="main" disabled=${!cells.length} onClick=${keep}>${old ? "Keep it" : "Add the piece"}</button>
      <button onClick=${done}>Cancel</button></div>
  </section>`;
}

/** @param {string} name of a colour or mark */
const inkOf = (name) => inks().get(name) || "#bbbbbb";

/** @param {Cell} cell @param {Cell} [beyond] */
const sideKey = (cell, beyond = []) => `${keyOf(cell)}>${keyOf(beyond)}`;

/** The names with another one for a key; without it, if that is empty. @param {Map<string, string>} names @param {string} key
 * @param {string} name */
function named(names, key, name) {
  const next = new Map(names);
  if (name) next.set(key, name);
  else next.delete(key);
  return next;
}

/** The sides of a piece that are drawn in a layer. @param {Places} places @param {Cell[]} cells */
function outer(places, cells) {
  const own = new Set(cells.map(keyOf));
  return cells.flatMap((cell) => places.sides(cell).filter(({ beyond, ends }) => ends.length === 2 && !own.has(keyOf(beyond)))
    .map((side) => ({ cell, ...side })));
}

/** The colours and marks that still have their cell or side, as the problem has them. @param {Cell[]} cells @param {Face} face
 * @param {Places} places */
function paintOf(cells, { colours, marks }, places) {
  const own = new Set(cells.map(keyOf));
  const coloured = cells.filter((cell) => colours.has(keyOf(cell))).map((cell) => [cell, colours.get(keyOf(cell))]);
  const sides = cells.flatMap((cell) => places.sides(cell)
    .filter(({ beyond }) => !own.has(keyOf(beyond)) && marks.has(sideKey(cell, beyond)))
    .map(({ beyond }) => [cell, beyond, marks.get(sideKey(cell, beyond))]));
  return { colours: coloured.length ? coloured : undefined, marks: sides.length ? sides : undefined };
}
