// Making the board: tools, names and sizes, wraps, labels, groups.
import { useState } from "preact/hooks";
import { colourName, giveLabel, groupName, labelled, paint, tool } from "./board_tools.js";
import { labelOf } from "./doing.js";
import { statesOf, withProblem } from "./document.js";
import { Choice, entering, sending } from "./fields.js";
import { keyOf, Places } from "./lattice.js";
import { InkField } from "./piece_editor.js";
import { catalogue, change, current, doc, lattice, link, problem, trying } from "./state.js";
import { html } from "./html.js";

const TOOLS = [["pen", "Pen"], ["line", "Line"], ["rectangle", "Rectangle"], ["label", "Label"], ["group", "Group"], ["colour", "Colour"]];
const PAINTS = [["swap", "On or off"], ["on", "On"], ["off", "Off"], ["open", "May stay open"]];

const MOST_JOINED = 4000; // cells of a board of which ends are looked for

/** @param {any} data @param {any[]} cells @param {0 | 1} axis */
const joined = (data, cells, axis) => (data && (data.dimension === 2 || data.layer) ? new Places(data).join(cells, axis) : null);

export function BoardPanel() {
  const told = problem.value;
  const mayStayOpen = told.optional?.length ? `, ${told.optional.length} of them may stay open` : "";
  const strokes = ["pen", "line", "rectangle"].includes(tool.value);
  return html`<div class="panel">
    <h2>Draw</h2>
    <${Choice} label="Tool" options=${TOOLS} value=${tool.value} set=${(/** @type {string} */ name) => (tool.value = name)} />
    ${strokes && html`<${Choice} label="A stroke makes cells" options=${PAINTS} value=${paint.value}
      set=${(/** @type {string} */ name) => (paint.value = name)} />`}
    ${tool.value === "label" && html`<${Label} />`}
    ${tool.value === "group" && html`<label class="field">Name of the group <input value=${groupName.value}
      onInput=${entering((text) => (groupName.value = text || "A"))} /></label>
      <p class="hint">Click the cells of the group. One cell of each group stays open: so a calendar shows its date.</p>`}
    ${tool.value === "colour" && html`<${InkField} label="Colour that the cells demand" value=${colourName.value}
      set=${(/** @type {string} */ name) => (colourName.value = name)} />
      <p class="hint">Drag over cells. A coloured cell of a piece may lie there only if it has the same colour.
        Over cells that have it, the colour goes.</p>`}
    <p class="hint">Drag over the board, or use arrow keys and the space bar. ${told.board.length} cells${mayStayOpen}.</p>
    ${lattice.value?.dimension === 3 && html`<p class="hint">In the body: with the pen and “On” a click on a face adds the cell
      beyond it, with “Off” it takes the cell away.</p>`}
    ${told.optional?.length ? html`<${Open} />` : null}
    <${NamedBoard} />
    <${Wraps} />
    ${told.tiles.some((tile) => tile.marks) && html`<${Border} />`}
    <p class="area">${current.value?.opened.area.sentence}</p>
  </div>`;
}

function Label() {
  const at = labelled.value;
  if (!at || !statesOf(problem.value).has(keyOf(at))) return html`<p class="hint">Click a cell to give it a label.</p>`;
  const give = (/** @type {any} */ event) => {
    event.preventDefault();
    giveLabel(event.target.elements[0].value);
  };
  return html`<form class="field" key=${String(at)} onSubmit=${give}>
    <label>Label of this cell <input value=${labelOf(at)} maxlength="12" autofocus ref=${(/** @type {HTMLInputElement | null} */ input) =>
      input?.focus()} /></label><button>Set</button></form>`;
}

function Open() {
  const { open, optional = [] } = problem.value;
  const [least, most] = open || [0, optional.length];
  const set = (/** @type {number} */ a, /** @type {number} */ b) =>
    change(withProblem(doc.value, { open: [Math.max(0, a), Math.max(a, b)] }), "open cells");
  return html`<div class="row field"><label>Open at least <input type="number" min="0" value=${least}
    onChange=${entering((text) => set(Number(text), most))} /></label>
    <label>at most <input type="number" min="0" value=${most}
      onChange=${entering((text) => set(least, Number(text)))} /></label></div>`;
}

function NamedBoard() {
  const [words, set] = useState("");
  const name = problem.value.lattice || "square";
  const boards = (catalogue.value?.boards || []).filter((board) => !board.lattice || board.lattice === name);
  const use = () => trying(async () => {
    const read = await link.engine.board(words, name);
    change(withProblem({ ...doc.value, laid: [] },
      { board: read.board, optional: read.optional, lattice: read.lattice || name, open: undefined, labels: [], groups: [], wrap: [] }));
  });
  if (!boards.length) return null;
  return html`<form class="field" onSubmit=${sending(use)}>
    <label>A board by its size or name <input list="boards" placeholder=${boards[0].name} value=${words}
      onInput=${entering(set)} /></label>
    <datalist id="boards">${boards.map((board) => html`<option value=${board.name}>${board.help}</option>`)}</datalist>
    <button disabled=${!words.trim()}>Use it</button></form>`;
}

function Wraps() {
  const told = problem.value;
  const wrap = told.wrap || [];
  const text = wrap.map((/** @type {number[]} */ way) => way.join(",")).join(" ");
  const set = (/** @type {string} */ words) => {
    const ways = words.trim() ? words.trim().split(/\s+/).map((word) => word.split(",").map(Number)) : [];
    if (ways.every((way) => way.every(Number.isInteger))) change(withProblem({ ...doc.value, laid: [] }, { wrap: ways }));
  };
  const cells = told.board;
  const data = lattice.value;
  const flat = data && data.dimension === 2 ? new Places(data) : null;
  const heights = cells.map((cell) => cell[0]);
  const up = data?.layer?.cell;
  const stack = up ? up.map((a) => (a / up[0]) * (Math.max(...heights) - Math.min(...heights) + 1)) : null;
  const ways = cells.length && cells.length <= MOST_JOINED
    ? [["Join left and right", joined(data, cells, 0)], [flat ? "Join top and bottom" : "Join front and back", joined(data, cells, 1)],
    ["Join lowest and highest layer", stack]].filter(([, way]) => way) : [];
  const swap = (/** @type {number[]} */ way) => {
    const others = wrap.filter((one) => String(one) !== String(way));
    change(withProblem({ ...doc.value, laid: [] }, { wrap: others.length < wrap.length ? others : [...wrap, way] }));
  };
  return html`<h2>A board that wraps</h2>
    <div class="choice" role="group" aria-label="Wraps">
      ${ways.map(([name, way]) => html`<button aria-pressed=${wrap.some((one) => String(one) === String(way))}
      onClick=${() => swap(/** @type {any} */ (way))}>${name}</button>`)}</div>
    <label class="field">Ways that lead back, as rows,columns <input placeholder="none; 0,10 joins left and right of 10 columns"
      value=${text} onChange=${entering(set)} /></label>`;
}

/** The marks that pieces must show at the border of the board. */
function Border() {
  const told = problem.value;
  const border = told.border || [];
  const marks = border.find((one) => !one.sides)?.marks || [...new Set(border.flatMap((one) => one.marks))];
  const set = (/** @type {string} */ words) => {
    const names = words.split(/[\s,]+/).filter(Boolean);
    change(withProblem({ ...doc.value, laid: [] }, { border: names.length ? [{ marks: names }] : undefined }));
  };
  return html`<label class="field">Marks that pieces must have at the border <input placeholder="any" value=${marks.join(" ")}
    onChange=${entering(set)} /></label>`;
}
