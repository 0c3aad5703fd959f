// Drawing a piece in a small grid, in space layer by layer: its cells, the colours of cells, and the marks of sides.
import { useState } from "preact/hooks";
import { Choice } from "./choice.js";
import { counted } from "./doing.js";
import { freshName, withMoreTiles, withTile } from "./document.js";
import { Places, cellsPath, fromOne, keyOf } from "./lattice.js";
import { change, current, doc, lattice, problem } from "./state.js";
import { html } from "./html.js";

/** @typedef {import("./lattice.js").Cell} Cell */

const SIDES = [["front", "Front"], ["back", "Back, seen through the front"]];
const TOOLS = [["cells", "Cells"], ["colours", "Colours"], ["marks", "Marks of sides"]];

/** @typedef {{colours: Map<string, string>, marks: Map<string, string>}} Face */

/** What is painted on a side of a tile. @param {any} told @returns {Face} */
const faceOf = (told) => ({
  colours: new Map((told?.colours || []).map((/** @type {any} */ [cell, name]) => [keyOf(lifted([cell])[0]), name])),
  marks: new Map((told?.marks || []).map((/** @type {any} */ [cell, beyond, name]) => [lifted([cell, beyond]).map(keyOf).join(">"), name])),
});

/** In space, flat pieces may have cells of the plane. @param {Cell[]} cells */
export const lifted = (cells) => (lattice.value?.dimension === 3 ? cells.map((cell) => (cell.length === 2 ? [0, ...cell] : cell)) : cells);

/** The colours and marks that have a colour to draw them in. @returns {Map<string, string>} */
export const inks = () => new Map(current.value?.opened.inks || []);

/** The name of a colour or mark, to choose or to write. @param {{label: string, value: string, set: (name: string) => void}} props */
export function InkField({ label, value, set }) {
  return html`<label class="field">${label} <input list="inks" maxlength="40" value=${value} onInput=${(/** @type {any} */ event) => set(event.target.value.trim())} /></label>
    <datalist id="inks">${[...inks().keys()].map((name) => html`<option value=${name} />`)}</datalist>
    <div class="inks" role="group" aria-label="Colours">${[...inks()].slice(0, 16).map(([name, fill]) => html`<button type="button" aria-pressed=${name === value} aria-label=${name} title=${name} onClick=${() => set(name)}>
      <svg viewBox="0 0 10 10" width="18" height="18" aria-hidden="true"><rect width="10" height="10" rx="2" fill=${fill} /></svg></button>`)}</div>`;
}

/** @param {{index: number, done: () => void}} props */
export function Drawing({ index, done }) {
  const old = problem.value.tiles[index];
  const [cells, set] = useState(/** @type {Cell[]} */ (Array.isArray(old?.cells) ? lifted(old.cells) : []));
  // What is painted on the front, and on the back if it looks different: as one would see it through the front.
  const [front, setFront] = useState(faceOf(old));
  const [back, setBack] = useState(/** @type {Face | null} */ (old?.back ? faceOf(old.back) : null));
  const [side, setSide] = useState("front");
  const behind = side === "back" && back;
  const { colours, marks } = behind || front;
  const paint = (/** @type {Partial<Face>} */ change_) => (behind ? setBack({ ...behind, ...change_ }) : setFront({ ...front, ...change_ }));
  const [tool, setTool] = useState("cells");
  const [ink, setInk] = useState("red");
  const [layer, setLayer] = useState(0);
  const data = lattice.value;
  if (!data) return null;
  const chosen = new Set(cells.map(keyOf));
  const all = new Places(data);
  const places = new Places(data, undefined, all.grown(cells.length ? cells : [data.kinds[0].cell]));
  const { box, half } = boxOf(places, cells);
  const swap = (/** @type {Cell} */ cell) => {
    set(chosen.has(keyOf(cell)) ? cells.filter((one) => keyOf(one) !== keyOf(cell)) : [...cells, cell]);
  };
  const press = (/** @type {Cell} */ cell) => {
    if (tool === "cells") swap(cell);
    else if (tool === "colours" && chosen.has(keyOf(cell))) paint({ colours: swapped(colours, keyOf(cell), ink) });
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
  return html`<section class="drawing" aria-label="Draw a piece">
    <${Choice} label="Draw" options=${data.has_edges ? TOOLS.slice(0, 2) : TOOLS} value=${tool} set=${setTool} />
    ${tool !== "cells" && data.dimension === 2 && html`<label class="check"><input type="checkbox" checked=${!!back} onChange=${(/** @type {any} */ event) => {
      setBack(event.target.checked ? front : null);
      setSide(event.target.checked ? "back" : "front");
    }} /> The back looks different ${back && !problem.value.reflections && html`<small>It is seen where pieces may be turned over.</small>`}</label>`}
    ${tool !== "cells" && back && html`<${Choice} label="Side of the piece" options=${SIDES} value=${side} set=${setSide} />`}
    ${tool !== "cells" && html`<${InkField} label=${tool === "colours" ? "Colour" : "Mark"} value=${ink} set=${setInk} />`}
    <p class="hint">${tool === "cells" ? "Click the cells of the piece." : tool === "colours" ? "Click cells of the piece to colour them. Coloured cells must lie on cells of the board that have the same colour, or none." : "Click sides of the piece to mark them. Where two pieces touch, their marks must be equal."} ${counted(cells.length, "cell")}.</p>
    ${data.layer && html`<div class="row"><button onClick=${() => setLayer(layer - 1)}>Layer below</button><span>layer ${layer + 1}</span><button onClick=${() => setLayer(layer + 1)}>Layer above</button></div>`}
    <svg viewBox="${box.left} ${box.top} ${2 * half} ${2 * half}" role="group" aria-label="Cells of the piece">
      ${places.within(box, layer).map((cell) => html`<path key=${keyOf(cell)} role="checkbox" tabindex=${tool === "marks" ? -1 : 0} aria-checked=${chosen.has(keyOf(cell))} aria-label=${`cell ${fromOne(cell)}${colours.get(keyOf(cell)) && chosen.has(keyOf(cell)) ? `, ${colours.get(keyOf(cell))}` : ""}`}
        d=${cellsPath(places, [cell])} fill=${chosen.has(keyOf(cell)) && colours.has(keyOf(cell)) ? inks().get(colours.get(keyOf(cell)) || "") || "#bbbbbb" : undefined} onClick=${() => press(cell)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyed(event, () => press(cell))} />`)}
      ${sides.map(({ cell, beyond, ends }) => {
        const key = sideKey(cell, beyond);
        const name = marks.get(key);
        const act = () => paint({ marks: swapped(marks, key, ink) });
        return html`<line key=${key} class="side" role="checkbox" tabindex="0" aria-checked=${!!name} aria-label=${`side ${fromOne(cell)} to ${fromOne(beyond)}${name ? `, ${name}` : ""}`}
          x1=${ends[0][0]} y1=${ends[0][1]} x2=${ends[1][0]} y2=${ends[1][1]} stroke=${name ? inks().get(name) || "#bbbbbb" : undefined}
          onClick=${act} onKeyDown=${(/** @type {KeyboardEvent} */ event) => keyed(event, act)}><title>${name || "no mark"}</title></line>`;
      })}
    </svg>
    ${tool === "marks" && data.layer && html`<p class="hint">Sides to other layers are marked in files.</p>`}
    <div class="row"><button class="main" disabled=${!cells.length} onClick=${keep}>${old ? "Keep it" : "Add the piece"}</button><button onClick=${done}>Cancel</button></div>
  </section>`;
}

/** @param {Cell} cell @param {Cell} [beyond] */
const sideKey = (cell, beyond = []) => `${keyOf(cell)}>${keyOf(beyond)}`;

/** The names with one more; without it, if it has that name already. @param {Map<string, string>} names @param {string} key @param {string} name */
function swapped(names, key, name) {
  const next = new Map(names);
  if (names.get(key) === name || !name) next.delete(key);
  else next.set(key, name);
  return next;
}

/** The sides of a piece that are drawn in a layer. @param {Places} places @param {Cell[]} cells */
function outer(places, cells) {
  const own = new Set(cells.map(keyOf));
  return cells.flatMap((cell) => places.sides(cell).filter(({ beyond, ends }) => ends.length === 2 && !own.has(keyOf(beyond))).map((side) => ({ cell, ...side })));
}

/** The colours and marks that still have their cell or side, as the problem has them. @param {Cell[]} cells @param {Face} face @param {Places} places */
function paintOf(cells, { colours, marks }, places) {
  const own = new Set(cells.map(keyOf));
  const coloured = cells.filter((cell) => colours.has(keyOf(cell))).map((cell) => [cell, colours.get(keyOf(cell))]);
  const sides = cells.flatMap((cell) => places.sides(cell).filter(({ beyond }) => !own.has(keyOf(beyond)) && marks.has(sideKey(cell, beyond))).map(({ beyond }) => [cell, beyond, marks.get(sideKey(cell, beyond))]));
  return { colours: coloured.length ? coloured : undefined, marks: sides.length ? sides : undefined };
}

/** A square around the cells with room to draw. @param {Places} places @param {Cell[]} cells */
function boxOf(places, cells) {
  const middle = places.box(cells.length ? cells : places.data.kinds.map((/** @type {any} */ kind) => kind.cell));
  const [x, y] = [(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2];
  const [least, room] = places.among ? [0.8, 1] : [3.2, 1.5];
  const half = Math.max(least, (middle.right - middle.left) / 2 + room, (middle.bottom - middle.top) / 2 + room);
  return { half, box: { left: x - half, right: x + half, top: y - half, bottom: y + half } };
}
