// Asking: a form for every question, made from its declaration, and the answers.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Answer } from "./answers.js";
import { ask } from "./doing.js";
import { Check, entering, Select, sending } from "./fields.js";
import { called, helpOf, helpOfParameter, labelOf } from "./question_words.js";
import { asked, catalogue, entered, laid, link } from "./state.js";
import { html } from "./html.js";

const FIRST = ["solve", "count", "tilings", "uses", "prove", "unique", "choose", "sample"];
const NUMBERS = new Set(["count", "natural"]);
const LISTS = new Set(["texts", "features"]);
const chosen = signal("solve");

/** @param {any[]} questions */
function sorted(questions) {
  const rank = (/** @type {any} */ one) => (FIRST.indexOf(one.name) + FIRST.length + 1) % (FIRST.length + 1);
  return [...questions].sort((one, two) => rank(one) - rank(two));
}

export function AskPanel() {
  const questions = sorted(catalogue.value?.questions || []);
  const form = questions.find((one) => one.name === chosen.value) || questions[0];
  const solvers = (catalogue.value?.solvers || []).filter((one) => one.installed);
  if (!form) return html`<div class="panel"><p class="hint">One moment …</p></div>`;
  return html`<div class="panel ask">
    <${Select} label="Question" options=${questions.map(({ name }) => [name, called(name)])} value=${form.name}
      set=${(/** @type {string} */ name) => (chosen.value = name)} />
    <p class="hint">${helpOf(form)}</p>
    <${Form} key=${form.name} form=${form} />
    <datalist id="solvers">${solvers.map((one) => html`<option value=${one.name}>${one.help}</option>`)}</datalist>
    ${laid.value.length ? html`<p class="hint">The ${laid.value.length} pieces on the board stay where they are.</p>` : null}
    <section class="answers" aria-label="Answers">${asked.value.map((one) => html`<${Asked} key=${one.id} one=${one} />`)}</section>
  </div>`;
}

/** @param {{form: any}} props */
function Form({ form }) {
  const [values, setAll] = useState(entered.value[form.name] || {});
  const set = (/** @type {any} */ parameter, /** @type {any} */ value) => {
    const next = { ...values };
    if (value === "" || value === undefined || value === false) delete next[parameter.name];
    else {
      next[parameter.name] = value;
      for (const other of parameter.excludes || []) delete next[other];
    }
    entered.value = { ...entered.value, [form.name]: next };
    setAll(next);
  };
  const field = (/** @type {any} */ parameter) =>
    html`<${Field} key=${parameter.name} parameter=${parameter} value=${values[parameter.name]}
    set=${(/** @type {any} */ value) => set(parameter, value)} />`;
  const first = form.parameters.slice(0, 3);
  const rest = form.parameters.slice(3);
  return html`<form onSubmit=${sending(() => ask(form.name, values))}>${first.map(field)}
    ${rest.length > 0 && html`<details><summary>${rest.length} more</summary>${rest.map(field)}</details>`}
    <button class="main">Ask</button></form>`;
}

/** @param {{parameter: any, value: any, set: (value: any) => void}} props */
function Field({ parameter, value, set }) {
  const { kind, metavar, choices } = parameter;
  const words = labelOf(parameter.name);
  const help = helpOfParameter(parameter);
  const listed = (/** @type {string} */ text) => (LISTS.has(kind) && text ? text.split(/[\s,]+/).filter(Boolean) : text);
  const written = Array.isArray(value) ? value.join(" ") : value ?? "";
  if (kind === "flag") {
    const usual = parameter.default === true;
    return html`<${Check} is=${value ?? usual} set=${(/** @type {boolean} */ is) => set(is === usual ? undefined : is || null)}>
      ${words} <small>${help}</small><//>`;
  }
  if (choices?.length) {
    return html`<label class="field">${words} <small>${help}</small>
      <select value=${written} onChange=${entering((text) => set(listed(text)))}>
      <option value="">${parameter.default?.length ? `usual: ${parameter.default}` : "any"}</option>
        ${choices.map((/** @type {string} */ choice) => html`<option value=${choice}>${choice}</option>`)}</select></label>`;
  }
  const number = NUMBERS.has(kind);
  const read = entering((text) => set(text && number ? Number(text) : listed(text)));
  const usual = parameter.default === null || parameter.default === undefined ? metavar || "" : String(parameter.default);
  return html`<label class="field">${words} <small>${help}</small>
    <input type=${number ? "number" : "text"} list=${parameter.name === "solver" ? "solvers" : undefined} min=${kind === "count" ? 1 : 0}
    placeholder=${usual} value=${written} onChange=${read} /></label>`;
}

/** @param {{one: any}} props */
function Asked({ one }) {
  const { progress } = one;
  const head = html`<h2>${called(one.question)}${one.running ? " …" : ""}</h2>`;
  if (one.running) {
    return html`<article class="asked">${head}<progress aria-label="under way"></progress>
      <p>${progress ? `${progress.words} ${Math.round(progress.seconds)} s` : "at work"}</p>
      <button onClick=${() => link.engine.stop(one.id)}>Stop</button>
      ${one.tilings.length > 0 && html`<${Answer} one=${one} />`}</article>`;
  }
  return html`<article class="asked">${head}${one.error ? html`<p class="error">${one.error}</p>` : html`<${Answer} one=${one} />`}
    </article>`;
}
