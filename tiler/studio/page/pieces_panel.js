// Making the pieces: sets by name, pieces drawn by hand, numbers, names, colours, turning and turning over.
import { useState } from "preact/hooks";
import { counted } from "./doing.js";
import { freshName, withMoreTiles, withProblem, withTile } from "./document.js";
import { Places, cellsPath, keyOf } from "./lattice.js";
import { PieceDrawing } from "./thumbnail.js";
import { catalogue, change, current, doc, lattice, link, places, problem, trying } from "./state.js";
import { html } from "./html.js";

/** @typedef {import("./lattice.js").Cell} Cell */

export function PiecesPanel() {
  const told = problem.value;
  const [drawing, setDrawing] = useState(/** @type {number | null} */ (null));
  return html`<div class="panel">
    <${Sets} />
    <h2>Turning</h2>
    <label class="check"><input type="checkbox" checked=${told.turning !== false} onChange=${(/** @type {any} */ event) => change(withProblem(doc.value, { turning: event.target.checked ? undefined : false }))} /> Pieces may be turned</label>
    <label class="check"><input type="checkbox" checked=${!!told.reflections} onChange=${(/** @type {any} */ event) => change(withProblem(doc.value, { reflections: event.target.checked }))} /> Pieces may be turned over</label>
    <div class="row"><h2>Pieces</h2><button onClick=${() => setDrawing(-1)}>Draw a piece</button>
    ${told.tiles.length > 1 && html`<button onClick=${() => change(withProblem(doc.value, { tiles: [] }))}>Remove all</button>`}</div>
    ${drawing !== null && html`<${Drawing} key=${drawing} index=${drawing} done=${() => setDrawing(null)} />`}
    <p class="area">${current.value?.opened.area.sentence}</p>
    <ul class="made">${told.tiles.map((/** @type {any} */ tile, /** @type {number} */ k) => html`<${Made} key=${k} tile=${tile} index=${k} draw=${() => setDrawing(k)} />`)}</ul>
  </div>`;
}

function Sets() {
  const [words, set] = useState("");
  const told = problem.value;
  const name = told.lattice || "square";
  const sets = (catalogue.value?.sets || []).filter((/** @type {any} */ one) => !one.lattice || one.lattice === name);
  const use = (/** @type {boolean} */ instead) => trying(async () => {
    const read = await link.engine.tiles(words, name, !!told.reflections);
    const base = instead ? withProblem({ ...doc.value, laid: [] }, { tiles: [], constraints: [] }) : doc.value;
    change(withMoreTiles(base, read.tiles));
  });
  return html`<form class="field" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); use(false); }}>
    <label>Pieces by name <input list="sets" placeholder="1:pentominoes, or 1:5P 2:4T" value=${words} onInput=${(/** @type {any} */ event) => set(event.target.value)} /></label>
    <datalist id="sets">${sets.map((/** @type {any} */ one) => html`<option value=${one.name}>${one.help}</option>`)}</datalist>
    <div class="row"><button disabled=${!words.trim()}>Add</button><button type="button" disabled=${!words.trim()} onClick=${() => use(true)}>Use instead</button></div></form>`;
}

/** @param {{tile: any, index: number, draw: () => void}} props */
function Made({ tile, index, draw }) {
  const shape = current.value?.opened.tiles.find((/** @type {any} */ one) => one.name === tile.name || one.names?.includes(tile.name));
  const fill = tile.fill || shape?.fill || "#cccccc";
  const set = (/** @type {any} */ change_, label = "") => change(withTile(doc.value, index, change_), label && `${label} ${index}`);
  const number = (/** @type {any} */ event) => (event.target.value === "" ? null : Math.max(0, Math.round(Number(event.target.value))));
  const same = shape?.names?.length > 1 ? `congruent: ${shape.names.join(", ")}` : "";
  return html`<li><span class="picture">${places.value && Array.isArray(tile.cells) && html`<${PieceDrawing} data=${places.value.data} cells=${lifted(tile.cells)} fill=${fill} unit=${10} />`}</span>
    <div class="row"><input class="name" aria-label="Name" value=${tile.name} maxlength="20" onChange=${(/** @type {any} */ event) => event.target.value.trim() && set({ name: freshName({ ...problem.value, tiles: problem.value.tiles.filter((/** @type {any} */ _, /** @type {number} */ k) => k !== index) }, event.target.value.trim()) })} />
    <label>from <input type="number" min="0" value=${tile.at_least ?? 0} aria-label=${`${tile.name}, at least`} onChange=${(/** @type {any} */ event) => { const least = number(event) ?? 0; set({ at_least: least, at_most: tile.at_most === null || tile.at_most === undefined ? tile.at_most : Math.max(least, tile.at_most) }); }} /></label>
    <label>to <input type="number" min="0" placeholder="∞" value=${tile.at_most ?? ""} aria-label=${`${tile.name}, at most`} onChange=${(/** @type {any} */ event) => { const most = number(event); set({ at_most: most, at_least: most === null ? tile.at_least : Math.min(tile.at_least ?? 0, most) }); }} /></label>
    <input type="color" aria-label=${`Colour of ${tile.name}`} value=${fill} onInput=${(/** @type {any} */ event) => set({ fill: event.target.value }, "colour")} />
    <button onClick=${draw} aria-label=${`Draw ${tile.name} again`} title="Draw it again">✎</button>
    <button onClick=${() => change(withProblem(doc.value, { tiles: problem.value.tiles.filter((/** @type {any} */ _, /** @type {number} */ k) => k !== index) }))} aria-label=${`Remove ${tile.name}`} title="Remove">✕</button></div>
    ${same && html`<p class="hint">${same}</p>`}</li>`;
}

/** In space, flat pieces may have cells of the plane. @param {Cell[]} cells */
const lifted = (cells) => (lattice.value?.dimension === 3 ? cells.map((cell) => (cell.length === 2 ? [0, ...cell] : cell)) : cells);

/** Draws a piece in a small grid; in space layer by layer. @param {{index: number, done: () => void}} props */
function Drawing({ index, done }) {
  const old = problem.value.tiles[index];
  const [cells, set] = useState(/** @type {Cell[]} */ (Array.isArray(old?.cells) ? lifted(old.cells) : []));
  const [layer, setLayer] = useState(0);
  const data = lattice.value;
  if (!data) return null;
  const start = cells.length ? cells : [data.kinds[0].cell];
  const places = new Places(data, undefined, new Places(data).grown(start));
  const middle = places.box(cells.length ? cells : data.kinds.map((/** @type {any} */ kind) => kind.cell));
  const [x, y] = [(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2];
  const half = Math.max(3.2, (middle.right - middle.left) / 2 + 1.5, (middle.bottom - middle.top) / 2 + 1.5);
  const box = { left: x - half, right: x + half, top: y - half, bottom: y + half };
  const chosen = new Set(cells.map(keyOf));
  const swap = (/** @type {Cell} */ cell) => set(chosen.has(keyOf(cell)) ? cells.filter((one) => keyOf(one) !== keyOf(cell)) : [...cells, cell]);
  const keep = () => {
    if (old) change(withTile(doc.value, index, { cells }));
    else change(withMoreTiles(doc.value, [{ name: freshName(problem.value, "A"), cells, at_least: 0, at_most: 1 }]));
    done();
  };
  return html`<section class="drawing" aria-label="Draw a piece">
    <p class="hint">Click the cells of the piece. ${counted(cells.length, "cell")}.</p>
    ${data.layer && html`<div class="row"><button onClick=${() => setLayer(layer - 1)}>Layer below</button><span>layer ${layer}</span><button onClick=${() => setLayer(layer + 1)}>Layer above</button></div>`}
    <svg viewBox="${box.left} ${box.top} ${2 * half} ${2 * half}" role="group" aria-label="Cells of the piece">
      ${places.within(box, layer).map((cell) => html`<path key=${keyOf(cell)} role="checkbox" tabindex="0" aria-checked=${chosen.has(keyOf(cell))} aria-label=${`cell ${keyOf(cell)}`}
        d=${cellsPath(places, [cell])} onClick=${() => swap(cell)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); swap(cell); } }} />`)}
    </svg>
    <div class="row"><button class="main" disabled=${!cells.length} onClick=${keep}>${old ? "Keep it" : "Add the piece"}</button><button onClick=${done}>Cancel</button></div>
  </section>`;
}
