// The room where solvers race: who takes part, their boards side by side, the pace, and what came of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { Choice, entering, sending } from "./fields.js";
import { RaceBoard, OrderPicture } from "./race_board.js";
import { openOrder, OrderDialog } from "./race_order.js";
import {
  about, addEntrant, again, begin, called, cameFrom, changeEntrant, changeProblem, choose, DRAWN, end, entrants, FEWEST, finishSoon,
  followFrames, frame, goal, isRunning, isShown, letRun, MOST, named, orderOf, pace, paused, PACES, pauseOrGoOn, raced, racing, refusal,
  refuseProblem, removeEntrant, setPace, solverOf, step, takesCells, trouble,
} from "./race_state.js";
import { catalogue, doc, link } from "./state.js";
import { html } from "./html.js";
import { useRested } from "./while_typing.js";

const GOALS = [["decide", "one tiling"], ["count", "all tilings"]];
const ORDINALS = ["", "1st", "2nd", "3rd", "4th"];

export function RaceRoom() {
  useRested(() => link.engine.race.about(raced.value), [raced.value], changeProblem, refuseProblem, about.value ? 150 : 0);
  useEffect(followFrames, []);
  useEffect(followKeys, []);
  const told = about.value;
  return html`<main class="room race">
    <section class="race-head">
      <h2>${goal.value === "decide" ? "Who fills the board first?" : "Who counts all tilings first?"}</h2>
      <p>Each solver fills the same board with the same pieces. A step lays one piece. When no piece fits any more, the solver
        takes the last one back and tries another.</p>
      ${cameFrom.value && html`<p><a href=${cameFrom.value}>Back to the comparison</a></p>`}
    </section>
    ${trouble.value && !isShown.value && html`<p class="told" role="alert">${trouble.value}</p>`}
    ${isShown.value ? html`<${Course} />` : told && html`<${Start} told=${told} />`}
    ${!told && !trouble.value && !isShown.value && html`<p class="hint">One moment …</p>`}
    <${OrderDialog} />
  </main>`;
}

function followKeys() {
  const keyed = (/** @type {KeyboardEvent} */ event) => {
    const on = event.target instanceof HTMLElement ? event.target.tagName : "";
    if (["INPUT", "TEXTAREA", "SELECT", "BUTTON", "A", "SUMMARY"].includes(on) && event.key === " ") return;
    if (["INPUT", "TEXTAREA", "SELECT"].includes(on) || event.ctrlKey
      || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === " ") pauseOrGoOn();
    else if (event.key === "s" || event.key === "S") step();
    else return;
    event.preventDefault();
  };
  window.addEventListener("keydown", keyed);
  return () => window.removeEventListener("keydown", keyed);
}

/** Who takes part, on which board. @param {{told: import("./messages.js").RaceAbout}} props */
function Start({ told }) {
  const count = entrants.value.length;
  const wrong = entrants.value.map((one) => refusal(one.solver)).find(Boolean);
  return html`<${Problem} />
    <${Choice} label="What they look for" options=${GOALS.map(([name, words]) => [name, `Find ${words}`])} value=${goal.value}
      set=${(/** @type {any} */ name) => (goal.value = name)} />
    <div class="row"><button class="main start-race" disabled=${count < FEWEST || !!wrong} onClick=${begin}>Start the race</button>
      <${Speed} />${count < FEWEST && html`<span class="hint">A race needs two solvers.</span>`}</div>
    <div class="course choosing">${entrants.value.map((one, k) => html`<${Entrant} key=${k} told=${told} one=${one} index=${k} />`)}
      ${count < MOST && html`<button class="add" onClick=${addEntrant}>Add a solver</button>`}</div>`;
}

function Problem() {
  const [name, set] = useState("");
  const title = named.value?.title || doc.value.title || "the board of the room Puzzle";
  const use = async (/** @type {string} */ chosen) => {
    if (await choose(chosen)) set("");
  };
  return html`<div class="row race-problem"><p><b>${title}</b>, ${about.value?.cells.length} cells</p>
    <details><summary>Another board</summary>
      <form class="row" onSubmit=${sending(() => use(name.trim()))}>
        <label>A problem of the list <input list="race-problems" value=${name}
          onInput=${entering(set)} /></label>
        <datalist id="race-problems">${(catalogue.value?.problems || [])
          .map((one) => html`<option value=${one.name}>${one.title || ""}</option>`)}</datalist>
        <button disabled=${!name.trim()}>Use it</button>
        ${named.value && html`<button type="button" onClick=${() => use("")}>The board of the room Puzzle</button>`}
      </form><p class="hint">Or draw your own board in the room Puzzle.</p></details></div>`;
}

/** @param {{told: import("./messages.js").RaceAbout, one: import("./race_state.js").Entrant, index: number}} props */
function Entrant({ told, one, index }) {
  const why = refusal(one.solver);
  const orders = takesCells(one.solver);
  return html`<article class="racer" aria-label=${called(one)}>
    <div class="row"><label class="field">Solver ${index + 1} <select value=${one.solver}
      onChange=${entering((name) => changeEntrant(index, { solver: name }))}>
      ${told.solvers.map((other) => html`<option value=${other.name} disabled=${!!refusal(other.name)}>
        ${other.name}${refusal(other.name) ? " (cannot)" : ""}</option>`)}</select></label>
      ${entrants.value.length > FEWEST && html`<button class="drop" aria-label=${`Leave ${called(one)} out`}
        onClick=${() => removeEntrant(index)}>✕</button>`}</div>
    <p class=${why ? "error" : "hint"}>${why || solverOf(one.solver)?.sentence}</p>
    ${orders && !why && html`<label class="field">Order of cells <select value=${one.order}
      onChange=${entering((order) => (order === DRAWN ? openOrder(index) : changeEntrant(index, { order, cells: [] })))}>
        ${told.orders.map(({ name }) => html`<option value=${name}>${name}</option>`)}${one.order === DRAWN
          && html`<option value=${DRAWN}>drawn by you</option>`}</select></label>
      ${told.drawable && html`<button onClick=${() => openOrder(index)}>Draw an order …</button>`}`}
    ${orders ? html`<${OrderPicture} about=${told} order=${orderOf(one)} />`
      : html`<${RaceBoard} about=${told} pieces=${[]} label="An empty board" still=${true} />`}
  </article>`;
}

function Speed() {
  const now = PACES.find(([, perSecond]) => perSecond === pace.value)?.[0] || "";
  const set = (/** @type {string} */ name) => setPace(/** @type {any} */ (PACES.find(([other]) => other === name))[1]);
  return html`<div class="row speed"><${Choice} label="Speed" options=${PACES.map(([name]) => [name, name])} value=${now} set=${set} />
    <span class="hint">${pace.value === null ? "as fast as they can" : `${pace.value.toLocaleString("en")} steps a second`}</span></div>`;
}

/** The race itself. */
function Course() {
  const first = useRef(null);
  const running = isRunning.value;
  useEffect(() => /** @type {any} */ (first.current)?.focus(), [running]);
  const shown = racing.value;
  const now = frame.value;
  const racers = now?.racers || [];
  const someAway = running && racers.some((one) => one.place > 0);
  if (!shown) return null;
  return html`<div class="row acts">
      ${running ? html`<button key="go" ref=${first} class="main" onClick=${pauseOrGoOn} title="Space">
        ${paused.value ? "Go on" : "Pause"}</button>
        <button onClick=${step} title="S">One step</button><${Speed} /><button onClick=${end}>End the race</button>`
    : html`<button key="again" ref=${first} class="main" onClick=${begin}>Once more</button>
      <button onClick=${again}>Choose solvers</button>`}</div>
    <div class="course">${shown.entrants.map((one, k) =>
      html`<${Racer} key=${k} told=${shown.about} one=${one} state=${racers[k]} index=${k} counts=${shown.goal === "count"} />`)}</div>
    ${now?.sentences.length ? html`<section class="verdict" aria-label="What came of it">
      ${now.sentences.map((sentence, k) => html`<p class=${k ? "" : "first"}>${sentence}</p>`)}
      ${someAway && html`<button onClick=${finishSoon}>Let the others finish quickly</button>`}</section>` : null}
    <p class="hint keys-of-race">Space pauses and goes on, S makes one step of each.</p>`;
}

/** @param {{told: import("./messages.js").RaceAbout, one: import("./race_state.js").Entrant,
 * state: import("./messages.js").RacerState | undefined, index: number, counts: boolean}} props */
function Racer({ told, one, state, index, counts }) {
  const over = !state || ["done", "failed", "ended"].includes(state.state);
  const pieces = state?.pieces || [];
  const full = state?.pace === null;
  const paused_ = state?.state === "paused"; // A racer that is told to pause may make some steps more.
  const steps = (state?.nodes || 0).toLocaleString("en");
  const found = Number(state?.found || 0).toLocaleString("en");
  return html`<article class=${`racer ${state?.place ? "there" : ""} ${state?.place === 1 ? "first" : ""}`} aria-label=${called(one)}>
    <header class="row"><h3>${called(one)}</h3>${state?.place ? html`<b class="place">${ORDINALS[state.place]}</b>` : null}</header>
    <p class="hint way">${told.solvers.find((other) => other.name === one.solver)?.sentence}</p>
    <${RaceBoard} about=${told} pieces=${pieces} still=${over} label=${`${pieces.length} pieces lie`} />
    <p class="steps"><b>${steps}</b> steps${counts ? html`, <b>${found}</b> tilings` : ""}</p>
    <p class="hint rate">${saying(state, paused_, counts)}</p>
    ${!over && !state?.place && state?.state !== "preparing" && pace.value !== null
      && html`<button aria-pressed=${full} onClick=${() => letRun(index, !full)}>Full speed</button>`}
  </article>`;
}

/** What a racer does, in words. @param {import("./messages.js").RacerState | undefined} state @param {boolean} paused_
 * @param {boolean} counts */
function saying(state, paused_, counts) {
  if (!state || state.state === "preparing") return "getting ready …";
  if (state.state === "failed") return state.sentence;
  if (state.state === "ended") return state.sentence || "not there when the race ended";
  if (state.place) return state.status === "unsat" ? "There is no tiling!" : counts ? "All tilings are counted!" : "The board is full!";
  if (paused_) return "pause";
  return state.per_second ? `${state.per_second.toLocaleString("en")} steps a second` : "searching …";
}
