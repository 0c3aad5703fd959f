// Drawing an order of cells: drag over the board, or go by keys. A cell that has a number already takes back all after it.
import { signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { spotIn } from "./board_place.js";
import { download } from "./bytes.js";
import { completed, stroked, taken } from "./cell_order.js";
import { Choice } from "./fields.js";
import { Dialog } from "./dialog.js";
import { ARROWS, cellsPath, distance, keyOf, leastBy } from "./lattice.js";
import { drawingOf } from "./race_board.js";
import { about, changeEntrant, DRAWN, drawing, entrants, raced } from "./race_state.js";
import { line } from "./selection.js";
import { link, say, trying } from "./state.js";
import { html } from "./html.js";

/** The cells that have a number, in their order. @type {import("@preact/signals").Signal<number[]>} */
const order = signal([]);
/** How many had one before each stroke. @type {import("@preact/signals").Signal<number[]>} */
const strokes = signal([]);
/** The cell of the keys. */
const cursor = signal(0);

/** Opens the drawing for an entrant. @param {number} index */
export function openOrder(index) {
  const one = entrants.value[index];
  order.value = one.order === DRAWN ? one.cells : [];
  strokes.value = [];
  cursor.value = 0;
  drawing.value = index;
}

export function OrderDialog() {
  const told = about.value;
  const isOpen = drawing.value >= 0;
  const set = (/** @type {string} */ name) => {
    strokes.value = [...strokes.value, order.value.length];
    order.value = [...(told?.orders.find((one) => one.name === name)?.cells || [])];
  };
  const use = () => {
    changeEntrant(drawing.value, { order: DRAWN, cells: order.value });
    drawing.value = -1;
  };
  return html`<${Dialog} name="order" title="Draw an order of cells" isOpen=${isOpen} close=${() => (drawing.value = -1)}>
    ${isOpen && told
      && html`<p>Drag over the cells in the order in which the solver shall fill them. Cells without a number come last.</p>
      <${Choice} label="Begin with" options=${told.orders.map(({ name }) => [name, name])} value="" set=${set} />
      <${OrderBoard} told=${told} />
      <p class="hint" role="status">${order.value.length} of ${told.cells.length} cells have a number.</p>
      <div class="row"><button class="main" disabled=${!order.value.length} onClick=${use}>Use this order</button>
        <button disabled=${!order.value.length} onClick=${takeBack}>Take back</button>
        <button disabled=${!order.value.length} onClick=${() => { order.value = []; strokes.value = []; }}>Clear</button>
        <button onClick=${() => trying(() => save(told))}>Save as a file</button></div>
      <p class="hint">The file is for the command: <code>tiler solve … --solver backtracking:cells=order.txt</code></p>`}
  <//>`;
}

/** @param {import("./messages.js").RaceAbout} told */
async function save(told) {
  const cells = completed(order.value, told.cells.length).map((cell) => told.cells[cell]);
  const { text } = await link.engine.race.order(raced.value, cells);
  download("order.txt", new Blob([text], { type: "text/plain" }));
}

function takeBack() {
  const before = strokes.value.at(-1) ?? order.value.length - 1;
  strokes.value = strokes.value.slice(0, -1);
  order.value = order.value.slice(0, Math.min(before, order.value.length - 1));
}

/** @param {{told: import("./messages.js").RaceAbout}} props */
function OrderBoard({ told }) {
  const root = useRef(/** @type {SVGSVGElement | null} */ (null));
  const last = useRef(-1);
  const { places, cells, edge, box } = useMemo(() => drawingOf(told), [told]);
  const numbers = useMemo(() => new Map(told.cells.map((cell, k) => [keyOf(cell), k])), [told]);
  const below = (/** @type {PointerEvent} */ event) => {
    const at = spotIn(root.current, event.clientX, event.clientY);
    const cell = at && leastBy(told.cells, (one) => distance(places.centre(one), at.spot));
    return cell && distance(places.centre(cell), at.spot) < 1 ? numbers.get(keyOf(cell)) ?? -1 : -1;
  };
  const pressed = (/** @type {PointerEvent} */ event) => {
    const cell = below(event);
    if (cell < 0 || event.button > 0) return;
    root.current?.setPointerCapture(event.pointerId);
    strokes.value = [...strokes.value, order.value.length];
    order.value = taken(order.value, cell);
    last.current = cursor.value = cell;
  };
  const moved = (/** @type {PointerEvent} */ event) => {
    const cell = last.current < 0 ? -1 : below(event);
    if (cell < 0 || cell === last.current) return;
    // A quick finger leaves cells out: those on the way belong to the stroke.
    const way = line(places, told.cells[last.current], told.cells[cell]).map((one) => numbers.get(keyOf(one)) ?? -1);
    order.value = stroked(order.value, way.filter((number) => number >= 0));
    last.current = cursor.value = cell;
  };
  const keyed = (/** @type {KeyboardEvent} */ event) => {
    const way = ARROWS[event.key];
    if (way) {
      const next = numbers.get(keyOf(places.next(told.cells[cursor.value], way)));
      if (next !== undefined) cursor.value = next;
      const at = order.value.indexOf(cursor.value);
      say(`${told.cells[cursor.value].join(", ")}: ${at < 0 ? "no number" : `number ${at + 1}`}`);
    } else if (event.key === "Enter" || event.key === " ") {
      strokes.value = [...strokes.value, order.value.length];
      order.value = taken(order.value, cursor.value);
      say(`number ${order.value.length}`);
    } else if (event.key === "Backspace" && order.value.length) {
      takeBack();
    } else return;
    event.preventDefault();
  };
  const spots = order.value.map((cell) => places.centre(told.cells[cell]));
  return html`<div class="order-board" tabindex="0" autofocus role="application"
    aria-label="Order of cells. Arrow keys move, Enter gives the next number, Backspace takes back." onKeyDown=${keyed}>
    <svg ref=${root} viewBox=${box.join(" ")} aria-hidden="true" onPointerDown=${pressed} onPointerMove=${moved}
      onPointerUp=${() => (last.current = -1)} onPointerCancel=${() => (last.current = -1)}>
      <path class="on" d=${cells} /><path class="edge" d=${edge} /><polyline points=${spots.map((spot) => spot.join()).join(" ")} />
      ${spots.map(([x, y], k) => html`<text x=${x} y=${y + 0.13} font-size=${k < 99 ? 0.38 : 0.3}>${k + 1}</text>`)}
      <path class="here" d=${cellsPath(places, [told.cells[cursor.value]])} />
    </svg></div>`;
}
