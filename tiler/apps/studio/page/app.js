// The whole page: head, board, the live answer, and a panel for what a person does.
import { AskPanel } from "./ask_panel.js";
import { attach } from "./board_input.js";
import { BoardPanel } from "./board_panel.js";
import { BoardView } from "./board_view.js";
import { Body } from "./body.js";
import { HelpDialog } from "./help_dialog.js";
import { KeepPanel } from "./keep_panel.js";
import { LiveStrip } from "./live_view.js";
import { PiecesPanel } from "./pieces_panel.js";
import { isPuzzle, OtherRoom, RoomSwitch } from "./rooms.js";
import { StartDialog } from "./start_dialog.js";
import { Tray } from "./tray.js";
import {
  bodyShown, current, dialog, dimension, doc, hand, history, mode, news, otherTab, outage, overlay, redo, starting, undo,
} from "./state.js";
import { html } from "./html.js";

const MODES = /** @type {[string, string, any][]} */ ([
  ["play", "Play", Tray], ["board", "Board", BoardPanel], ["pieces", "Pieces", PiecesPanel], ["ask", "Ask", AskPanel],
    ["keep", "Keep", KeepPanel],
]);

export function App() {
  return html`<div class="page ${outage.value ? "away" : ""}">
    <${Head} />
    ${isPuzzle() ? html`<${PuzzleRoom} />` : html`<${OtherRoom} />`}
    <p class="news ${news.value ? "" : "silent"}" role="log" aria-live="polite">${news.value}</p>
    <${StartDialog} /><${HelpDialog} />
  </div>`;
}

function PuzzleRoom() {
  return html`<main>
      <section class="table-top" aria-label="The board">
        <div class="both"><${BoardView} attach=${attach} />${dimension.value === 3 && bodyShown.value && html`<${Body} />`}</div>
        ${current.value?.opened.body && html`<button class="body-switch" aria-pressed=${bodyShown.value}
          onClick=${() => (bodyShown.value = !bodyShown.value)}>Body</button>`}
        ${overlay.value && html`<p class="caption">
          ${overlay.value.caption} <button onClick=${() => (overlay.value = null)}>Take it off</button></p>`}
      </section>
      <${LiveStrip} />
      <${Side} />
    </main>`;
}

function Head() {
  const name = doc.value.title || "Untitled";
  return html`<header class="head">
    <h1><span class="mark" aria-hidden="true"></span>Tiler <span class="title" title=${name}>${name}</span></h1>
    <${RoomSwitch} />
    ${isPuzzle() && html`<div class="row">
      <button onClick=${() => {
        news.value = "";
        dialog.value = "start";
      }}>New …</button>
      <button onClick=${undo} disabled=${!history.value.past.length} title="Ctrl+Z">Undo</button>
      <button onClick=${redo} disabled=${!history.value.future.length} title="Ctrl+Shift+Z">Redo</button>
      <button onClick=${() => (dialog.value = "help")} aria-label="Help: keys" title="Keys (?)">?</button>
    </div>`}
    ${outage.value && html`<p class="strip" role="alert">${outage.value}</p>`}
    ${starting.value && html`<p class="strip starting" role="status">${starting.value.sentence}
      <progress value=${starting.value.share < 1 ? starting.value.share : undefined} aria-label="Parts that are here"></progress></p>`}
    ${otherTab.value && html`<p class="strip" role="alert">${otherTab.value}</p>`}
  </header>`;
}

function Side() {
  const Panel = (MODES.find(([name]) => name === mode.value) || MODES[0])[2];
  const choose = (/** @type {string} */ name) => {
    mode.value = name;
    hand.value = null;
  };
  const arrows = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = MODES.findIndex(([name]) => name === mode.value);
    const [next] = MODES[(at + step + MODES.length) % MODES.length];
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return html`<aside class="side" aria-label="Tools">
    <div class="tabs" role="tablist" aria-label="What to do" onKeyDown=${arrows}>
      ${MODES.map(([name, words]) => html`<button role="tab" id=${`tab-${name}`} aria-selected=${mode.value === name}
      aria-controls="side-panel" tabindex=${mode.value === name ? 0 : -1} onClick=${() => choose(name)}>${words}</button>`)}</div>
    <div id="side-panel" role="tabpanel" aria-labelledby=${`tab-${mode.value}`} tabindex="0"><${Panel} /></div>
  </aside>`;
}
