// Making the pieces: sets by name, pieces drawn by hand, numbers, names, colours, turning and turning over.
import { useState } from "preact/hooks";
import { cellsOf, useTold } from "./while_typing.js";
import { freshName, withMoreTiles, withProblem, withTile } from "./document.js";
import { Check, entering, sending } from "./fields.js";
import { Drawing, lifted } from "./piece_editor.js";
import { PieceDrawing } from "./thumbnail.js";
import { catalogue, change, current, doc, link, places, problem, say, trying } from "./state.js";
import { html } from "./html.js";

export function PiecesPanel() {
  const told = problem.value;
  const [drawing, setDrawing] = useState(/** @type {number | null} */ (null));
  return html`<div class="panel">
    <${Sets} />
    <h2>Turning</h2>
    <${Check} is=${told.turning !== false}
      set=${(/** @type {boolean} */ is) => change(withProblem(doc.value, { turning: is ? undefined : false }))}>Pieces may be turned<//>
    <${Check} is=${!!told.reflections}
      set=${(/** @type {boolean} */ is) => change(withProblem(doc.value, { reflections: is }))}>Pieces may be turned over<//>
    <div class="row"><h2>Pieces</h2><button onClick=${() => setDrawing(-1)}>Draw a piece</button>
    ${told.tiles.length > 1 && html`<button onClick=${() => change(withProblem(doc.value, { tiles: [] }))}>Remove all</button>`}</div>
    ${told.tiles.some((tile) => tile.marks || tile.back?.marks) && html`<${Mates} />`}
    ${drawing !== null && places.value && html`<${Drawing} key=${drawing} index=${drawing} done=${() => setDrawing(null)} />`}
    <p class="area">${current.value?.opened.area.sentence}</p>
    <ul class="made">${told.tiles.map((tile, k) => html`<${Made} key=${k} tile=${tile} index=${k} draw=${() => setDrawing(k)} />`)}</ul>
  </div>`;
}

/** Which marks fit each other; every other mark fits itself. */
function Mates() {
  const text = (problem.value.mates || []).map((/** @type {string[]} */ pair) => pair.join(" ")).join(", ");
  const set = (/** @type {string} */ words) => {
    const pairs = words.split(",").map((word) => word.trim().split(/\s+/).filter(Boolean)).filter((pair) => pair.length);
    if (pairs.some((pair) => pair.length !== 2)) say("Write pairs of marks, such as: tab blank, in out");
    else change(withProblem({ ...doc.value, laid: [] }, { mates: pairs.length ? pairs : undefined }));
  };
  return html`<label class="field">Marks that fit each other, in pairs <small>Every other mark fits itself.</small>
    <input placeholder="tab blank, in out" value=${text} onChange=${entering(set)} /></label>`;
}

function Sets() {
  const [words, set] = useState("");
  const told = problem.value;
  const name = told.lattice || "square";
  const sets = (catalogue.value?.sets || []).filter((one) => !one.lattice || one.lattice === name);
  // The first pieces say whether pieces may be turned over; later ones are taken as the others are.
  const named = (/** @type {boolean} */ first) => link.engine.tiles(words, name, first ? null : !!told.reflections);
  const area = useTold(async () => (words.trim() ? `these pieces have ${cellsOf((await named(true)).tiles)}` : ""), [words, name]);
  const use = (/** @type {boolean} */ instead) => trying(async () => {
    const first = instead || !told.tiles.length;
    const read = await named(first);
    const base = first ? withProblem({ ...doc.value, laid: [] }, { tiles: [], constraints: [], reflections: read.reflections }) : doc.value;
    change(withMoreTiles(base, read.tiles));
  });
  return html`<form class="field" onSubmit=${sending(() => use(false))}>
    <label>Pieces by name <input list="sets" placeholder="1:pentominoes, or 1:5P 2:4T" value=${words}
      onInput=${entering(set)} /></label>
    <datalist id="sets">${sets.map((one) => html`<option value=${one.name}>${one.help}</option>`)}</datalist>
    <div class="row"><button disabled=${!words.trim()}>Add</button>
      <button type="button" disabled=${!words.trim()} onClick=${() => use(true)}>Use instead</button></div>
    <p class="hint" role="status">${area}</p></form>`;
}

/** @param {{tile: any, index: number, draw: () => void}} props */
function Made({ tile, index, draw }) {
  const shape = current.value?.opened.tiles.find((one) => one.name === tile.name || one.names.includes(tile.name));
  const fill = tile.fill || shape?.fill || "#cccccc";
  const set = (/** @type {any} */ change_, label = "") => change(withTile(doc.value, index, change_), label && `${label} ${index}`);
  const number = (/** @type {string} */ text) => (text === "" ? null : Math.max(0, Math.round(Number(text))));
  const others = problem.value.tiles.filter((_, k) => k !== index);
  const same = shape && shape.names.length > 1 ? `congruent: ${shape.names.join(", ")}` : "";
  return html`<li><span class="picture">${places.value && Array.isArray(tile.cells)
    && html`<${PieceDrawing} data=${places.value.data} cells=${shape?.coats?.length ? shape.orientations[0] : lifted(tile.cells)}
    coat=${shape?.coats?.[0]} fill=${fill} unit=${10} />`}</span>
    <div class="row"><input class="name" aria-label="Name" value=${tile.name} maxlength="20"
      onChange=${entering((text) => text.trim() && set({ name: freshName({ ...problem.value, tiles: others }, text.trim()) }))} />
    <label>from <input type="number" min="0" value=${tile.at_least ?? 0} aria-label=${`${tile.name}, at least`}
      onChange=${entering((text) => {
        const least = number(text) ?? 0;
        set({ at_least: least, at_most: tile.at_most == null ? tile.at_most : Math.max(least, tile.at_most) });
      })} /></label>
    <label>to <input type="number" min="0" placeholder="∞" value=${tile.at_most ?? ""} aria-label=${`${tile.name}, at most`}
      onChange=${entering((text) => {
        const most = number(text);
        set({ at_most: most, at_least: most === null ? tile.at_least : Math.min(tile.at_least ?? 0, most) });
      })} /></label>
    <input type="color" aria-label=${`Colour of ${tile.name}`} value=${fill}
      onInput=${entering((fill) => set({ fill }, "colour"))} />
    <button onClick=${draw} aria-label=${`Draw ${tile.name} again`} title="Draw it again">✎</button>
    <button onClick=${() => change(withProblem(doc.value, { tiles: others }))}
      aria-label=${`Remove ${tile.name}`} title="Remove">✕</button></div>
    ${same && html`<p class="hint">${same}</p>`}</li>`;
}
