// The results of a campaign, as they come: how far it is, the page of runs, and what can be kept of it.
import { useEffect, useRef } from "preact/hooks";
import { duration } from "./compare_draft.js";
import { Compared, KeepResults } from "./compare_keep.js";
import { beside, goOn, opened, results, stop, stopping, trouble, watch } from "./compare_state.js";
import { place, putInLink } from "./place.js";
import { mountRuns } from "./classic_scripts.js";
import { catalogue, link, say } from "./state.js";
import { html } from "./html.js";
import { inPage } from "./in_page.js";

/** @type {{current: any}} The page of runs that is shown. */
const runs = { current: null };

export function Results() {
  useEffect(watch, []);
  const found = results.value;
  if (!found && trouble.value) return html`<p class="error" role="alert">${trouble.value}</p>`;
  if (!found) return html`<p class="hint">Reading the records …</p>`;
  return html`<section class="results" aria-labelledby="results-title">
    <h2 id="results-title">${found.title || found.name.replace("@", "")}</h2>
    ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
    <${State} state=${found.state} />
    ${found.data?.rows.length ? html`<${KeepResults} filter=${() => runs.current.filter()} data=${found.data} /><${Compared} />
      ${!beside.value && html`<${Runs} data=${found.data} />`}` : html`<p class="hint">There are no records yet.</p>`}
  </section>`;
}

/** @param {{state: import("./messages.js").CampaignState}} props */
function State({ state }) {
  const running = !!state.runner;
  const here = state.runner === "this studio";
  const isStopping = stopping.value === opened.value;
  const left = state.seconds_left === null ? "" : `, about ${duration(state.seconds_left)} left`;
  const done = state.done.toLocaleString("en");
  const how = running ? left : state.done < (state.total || 0) ? ", stopped" : ", done";
  const words = state.total === null ? `${done} runs` : `${done} of ${state.total.toLocaleString("en")} runs${how}`;
  return html`<div class="state">
    ${state.total !== null && html`<progress max=${state.total} value=${state.done} aria-label="Runs that are recorded"></progress>`}
    <p role="status">${words}${running && !here ? `; ${state.runner} makes them` : ""}</p>
    ${here && html`<button disabled=${isStopping} onClick=${stop}>${isStopping ? "Stopping …" : "Stop"}</button>`}
    ${!running && state.can_go_on && html`<button class="main" onClick=${goOn}>Go on</button>`}
    ${state.skipped > 0 && html`<p class="hint">
      ${state.skipped === 1 ? "1 record cannot be read, and is" : `${state.skipped} records cannot be read, and are`} left out.</p>`}
    ${state.sentence && html`<p class="hint">${state.sentence}</p>`}
  </div>`;
}

/** A button for a race, below what is told of a run. @param {HTMLElement} element @param {string} problem @param {string[]} labels */
function offerRace(element, problem, labels) {
  if (!catalogue.value?.problems.some((one) => one.name === problem)) return;
  const button = document.createElement("button");
  button.textContent = "Race these solvers on this problem";
  button.onclick = async () => (await import("./race_state.js")).raceOn(problem, labels);
  element.firstElementChild?.after(button);
}

/** @param {{data: any}} props */
function Runs({ data }) {
  const holder = useRef(/** @type {any} */ (null));
  const shown = useRef(data);
  useEffect(() => {
    let gone = false;
    const name = opened.value;
    const look = () => runs.current?.look();
    mountRuns(holder.current, data, {
      link: { get: () => place.value, put: putInLink },
      record: (/** @type {number} */ number) => link.engine.campaigns.record(name, number),
      also: inPage ? undefined : offerRace, // Such a page has no races.
    }).then((mounted) => {
      if (gone) return;
      runs.current = mounted;
      addEventListener("hashchange", look);
    }, (error) => say(error.message));
    return () => {
      gone = true;
      runs.current = null;
      removeEventListener("hashchange", look);
    };
  }, []);
  useEffect(() => {
    if (shown.current !== data) runs.current?.show(data);
    shown.current = data;
  }, [data]);
  return html`<div ref=${holder}></div>`;
}
