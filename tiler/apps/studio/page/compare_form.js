// Choosing a campaign: problems, solvers, limits, a name.
import { useMemo, useState } from "preact/hooks";
import { commandOf, duration, runsOf, withProblems } from "./compare_draft.js";
import { ProblemPicture } from "./thumbnail.js";
import { fitting } from "./searching.js";
import { Check, checking, Choice, entering, Select } from "./fields.js";
import { SolverPicker } from "./compare_solvers.js";
import { campaigns, changeDraft, draft, nameOf, start, trouble } from "./compare_state.js";
import { catalogue, doc, link, problem, trying } from "./state.js";
import { html } from "./html.js";
import { inPage } from "./in_page.js";
import { useRested } from "./while_typing.js";

const SHOWN = 40;

export function CampaignForm() {
  const [busy, set] = useState(false);
  const runs = runsOf(draft.value);
  const entries = catalogue.value?.problems || [];
  const { problems, drawn, solvers, name, seconds } = draft.value;
  const begin = async () => {
    set(true);
    await start();
    set(false);
  };
  return html`${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}<div class="choosing">
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">1. Problems <small>${counted(problems.length + (drawn ? 1 : 0))}</small></h2>
      <${ProblemPicker} />
    </section>
    <section aria-labelledby="solvers-title">
      <h2 id="solvers-title">2. Solvers <small>${counted(solvers.length)}</small></h2>
      <${SolverPicker} />
    </section>
    <section aria-labelledby="limits-title"><h2 id="limits-title">3. Question and limits</h2><${Limits} />
      <label class="field">Name <small>${inPage ? "The records have it in this page." : folderWords()}</small>
        <input value=${name} placeholder=${nameOf()} maxlength="60"
          onChange=${entering((text) => changeDraft({ name: text.trim() }))} /></label>
      <button class="main" disabled=${!runs || busy} onClick=${begin}>
        ${runs ? `Start ${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"}` : "Start"}</button>
      <p class="hint">${runs ? `At most ${duration(runs * seconds)}. ${WHILE}` : "Choose at least one problem and one solver."}</p>
      ${inPage && html`<p class="hint">
        Repeats in processes of their own, threads, programs of others: not in this page; in a terminal:${" "}
        <code>${commandOf(draft.value, entries.map(({ name }) => name))}</code></p>`}
    </section>
  </div>`;
}

const folderWords = () => `The records go into this folder in ${campaigns.value?.folder || "results"}.`;

/** For how long the runs go on. */
const WHILE = inPage
  ? "The runs are made one after the other, as long as this page is open. Save the records (All records) before you close it."
  : "The campaign goes on while the page is closed, as long as tiler studio runs. What is recorded stays, and you can go on another day.";

/** @param {number} number */
const counted = (number) => (number ? `${number} chosen` : "none chosen yet");

function ProblemPicker() {
  const [filter, setFilter] = useState("");
  const [tag, setTag] = useState("");
  const [names, setNames] = useState(/** @type {string[]} */ ([]));
  const [error, setError] = useState("");
  const [most, setMost] = useState(SHOWN);
  const entries = catalogue.value?.problems || [];
  const byName = useMemo(() => new Map(entries.map((one) => [one.name, one])), [entries]);
  const tags = useMemo(() => [...new Set(entries.flatMap((one) => one.tags))].sort(), [entries]);
  useRested(() => link.engine.campaigns.problems(filter), [filter], ({ names }) => {
    setNames(names);
    setError("");
  }, (failed) => setError(failed.message), names.length ? 200 : 0);
  const some = fitting(names, entries, filter).filter((name) => !tag || byName.get(name)?.tags.includes(tag));
  const taken = new Set(draft.value.problems);
  const take = (/** @type {string[]} */ some, /** @type {boolean} */ taken) => (draft.value = withProblems(draft.value, some, taken));
  const all = some.length > 0 && some.every((name) => taken.has(name));
  return html`
    <label class="check drawn"><input type="checkbox" checked=${draft.value.drawn} disabled=${!problem.value.board.length}
      onChange=${checking((drawn) => changeDraft({ drawn }))} /> The board that is drawn now${" "}
      <small>${doc.value.title || "Untitled"}, ${problem.value.board.length} cells</small></label>
    <div class="row find">
      <label class="field">Filter <input type="search" value=${filter} placeholder="a name, a title, 4L/*_u, /regex/"
        onInput=${entering(setFilter)} /></label>
      <${Select} label="Tag" options=${[["", "all"], ...tags.map((one) => [one, one])]} value=${tag} set=${setTag} /></div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${!some.length && (filter || tag) && !error && html`<p class="hint" role="status">No problem has ${noneWords(filter, tag)}.</p>`}
    <div class="row">
      ${some.length > 0 && html`<button onClick=${() => take(some, !all)}>${all ? "Leave out" : "Take"} all ${some.length}</button>`}
      ${draft.value.problems.length > 0 && html`<button onClick=${() => take(draft.value.problems, false)}>Clear</button>`}</div>
    <ul class="problem-list" aria-label="Problems" tabindex="0">
      ${some.slice(0, most).map((name) => html`<li key=${name}>
        <${Check} is=${taken.has(name)} set=${(/** @type {boolean} */ is) => take([name], is)}>
        <span><${ProblemPicture} name=${name} width=${40} height=${30} />
          <span><b>${byName.get(name)?.title || name}</b><small>${name}${told(byName.get(name))}</small></span></span><//></li>`)}
      ${some.length > most && html`<li><button onClick=${() => setMost(most + 200)}>Show more of ${some.length}</button></li>`}</ul>
    ${draft.value.problems.length > 0 && html`<details class="chosen">
      <summary>The ${draft.value.problems.length} chosen</summary>
      <ul>${draft.value.problems.map((name) => html`<li>
        <button onClick=${() => take([name], false)} aria-label=${`Leave out ${name}`}>✕</button> ${name}</li>`)}</ul></details>`}`;
}

/** What no problem has. @param {string} filter @param {string} tag */
const noneWords = (filter, tag) => [
  filter && `${filter} in its name, its title or its tags`, tag && `the tag ${tag}`,
].filter(Boolean).join(", and ");

/** @param {import("./messages.js").ProblemEntry | undefined} entry */
const told = (entry) => (!entry ? "" : `, ${entry.cells} cells${entry.verdict === "unsat" ? ", no tiling" : ""}`);

const GOALS = [["decide", "Is there a tiling?"], ["count", "How many?"]];

/** @type {[keyof import("./compare_draft.js").Draft, string, number, number][]} */
const NUMBERS = [
  ["seconds", "Seconds for a run", 0.1, 604800], ["megabytes", "Megabytes for a run", 16, 1048576],
  ["repeat", "Times each run is made", 1, 10000], ["seeds", "Seeds of solvers that take one", 1, 10000],
  ["threads", "Threads of a run", 1, 1024],
];
const SHOWN_NUMBERS = inPage ? NUMBERS.filter(([key]) => key !== "repeat" && key !== "threads") : NUMBERS;

function Limits() {
  /** @param {typeof NUMBERS[number]} number @param {HTMLInputElement} field */
  const read = ([key, words, least, most], field) => trying(async () => {
    const value = Number(field.value);
    const fits = value >= least && value <= most && (key === "seconds" || Number.isInteger(value));
    if (!fits) throw new Error(`${words}: a number from ${least} to ${most.toLocaleString("en")}.`);
    changeDraft({ [key]: value });
  }).finally(() => (field.value = String(draft.value[key])));
  return html`<${Choice} label="Question" options=${GOALS} value=${draft.value.goal}
      set=${(/** @type {"decide" | "count"} */ goal) => changeDraft({ goal })} />
    <div class="numbers">${SHOWN_NUMBERS.map((number) => {
      const [key, words, least, most] = number;
      return html`<label class="field">${words} <input type="number" min=${least} max=${most} step=${key === "seconds" ? "any" : 1}
        value=${draft.value[key]}
        onChange=${(/** @type {Event} */ event) => read(number, /** @type {HTMLInputElement} */ (event.target))} /></label>`;
    })}</div>`;
}
