// The tray: the pieces that are left, to drag from or to take in hand; and the buttons of playing.
import { chosenIn } from "./document.js";
import { clear, counted, flip, hint, lock, mirror, nameOf, solve, take, takeOff, turn } from "./doing.js";
import { press } from "./dragging.js";
import { Check } from "./fields.js";
import { FitsHere } from "./live_view.js";
import { PieceDrawing } from "./thumbnail.js";
import { asked, byCopy, current, dimension, doc, hand, laid, link, problem, rules, tilesLeft } from "./state.js";
import { html } from "./html.js";

/** @param {any} tile @param {number} k */
function Piece(tile, k) {
  const rest = tilesLeft.value[k];
  const gone = rest !== null && rest <= 0;
  const held = hand.value?.tile === tile.name;
  const orientation = held && hand.value ? hand.value.orientation : 0;
  const copies = rest === null ? "as many as you like" : `${rest} left`;
  const shown = rest === null ? "∞" : gone || (rest === 1 && tile.at_most === 1) ? "" : `×${rest}`;
  return html`<li key=${tile.name}><button class="tile ${gone ? "gone" : ""}" aria-pressed=${held} disabled=${gone}
    aria-label=${`${tile.name}, ${counted(tile.area, "cell")}, ${copies}`} title=${`${tile.name}: ${copies}`}
    onPointerDown=${(/** @type {PointerEvent} */ event) => {
      if (gone || event.button > 0) return;
      const grab = () => take(tile.name, orientation);
      press(event, { tap: grab, drag: grab });
    }}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (event.detail) return; // The pointer has taken it.
      take(tile.name);
      /** @type {HTMLElement | null} */ (document.querySelector(".board"))?.focus();
    }}>
    <${PieceDrawing} data=${current.value?.opened.lattice} cells=${tile.orientations[orientation]} fill=${tile.fill}
      unit=${15} coat=${tile.coats?.[orientation]} />
    ${shown && html`<span class="left" aria-hidden="true">${shown}</span>`}<span class="name" aria-hidden="true">${tile.name}</span>
  </button></li>`;
}

export function Tray() {
  const tiles = rules.value?.tiles || current.value?.opened.tiles || [];
  const busy = asked.value.find((one) => one.running && one.question === "solve");
  const space = dimension.value === 3;
  return html`<div class="tray">
    <div class="row main-acts">
      <button class="main" onClick=${() => solve()} disabled=${!!busy}>Solve</button>
      <button onClick=${() => hint()} title="One piece that is right (H)">Hint</button>
      <button onClick=${clear} disabled=${!laid.value.some((piece) => !piece.locked)}
        title="Takes all pieces off that are not locked">Clear</button>
      ${busy && html`<button onClick=${() => link.engine.stop(busy.id)}>Stop</button>`}
    </div>
    <div class="row" role="group" aria-label="The piece in hand">
      <button onClick=${turn} disabled=${!hand.value} title="Turn to the right (R)">↻ Turn</button>
      <button onClick=${flip} disabled=${!hand.value}
        title=${space ? "Tip over to the front (F)" : "Turn over (F)"}>⇄ ${space ? "Tip over" : "Turn over"}</button>
      ${space && html`<button onClick=${mirror} disabled=${!hand.value} title="The mirror image, if it is allowed (M)">Mirror</button>`}
    </div>
    <${Choices} />
    <h2>Pieces ${hand.value ? html`<span class="in-hand">${hand.value.tile} in hand</span>` : ""}</h2>
    <ul class="tiles">${tiles.map(Piece)}</ul>
    <${FitsHere} />
    <${OnBoard} />
  </div>`;
}

/** The groups of cells of which one each stays open, and which cell was chosen. */
function Choices() {
  const groups = (doc.value.choices || problem.value.groups || []).filter((group) => group.cells.length > 1);
  if (!groups.length) return null;
  const words = groups.map(({ name }) => {
    const cell = chosenIn(doc.value, name);
    return `${name} ${cell ? nameOf(cell) : "?"}`;
  });
  return html`<p class="hint">One cell of each group stays open: ${words.join(", ")}. Click a cell to choose it.</p>`;
}

function OnBoard() {
  if (!laid.value.length) return null;
  return html`<${Check} is=${byCopy.value} set=${(/** @type {boolean} */ is) => (byCopy.value = is)}>Each copy in its own colour<//>
    <details class="on-board"><summary>On the board: ${counted(laid.value.length, "piece")}</summary>
    <ul>${laid.value.map((piece, k) => html`<li key=${`${piece.tile} ${piece.cells[0]}`}><span>${piece.tile}</span>
      <button onClick=${() => lock(k)} aria-pressed=${!!piece.locked}>${piece.locked ? "Unlock" : "Lock"}
        <span class="unseen"> ${piece.tile}</span></button>
      <button onClick=${() => takeOff(k)} disabled=${!!piece.locked}>Take off<span class="unseen"> ${piece.tile}</span></button></li>`)}
        </ul></details>`;
}
