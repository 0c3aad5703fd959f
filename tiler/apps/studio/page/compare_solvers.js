// Choosing solvers with their options. All forms come from the engine: a new solver or option appears by itself.
import { useState } from "preact/hooks";
import { specOf, toggled } from "./compare_draft.js";
import { chosen, draft, solvers } from "./compare_state.js";
import { entering } from "./fields.js";
import { link } from "./state.js";
import { html } from "./html.js";
import { useRested } from "./while_typing.js";

/** @typedef {import("./messages.js").SolverForm} SolverForm */

export function SolverPicker() {
  const { refusals, lookedAt } = useRefusals();
  const all = draft.value.problems.length + (draft.value.drawn ? 1 : 0);
  return html`${lookedAt > 0 && lookedAt < all && html`<p class="hint">
      ${lookedAt} of your ${all} problems, taken evenly, were looked at for refusals.${" "}
      A solver may refuse others: it then has no run there.</p>`}
    <ul class="solver-list" aria-label="Solvers" tabindex="0">
      ${solvers.value.map((form) => html`<${Solver} key=${form.name} form=${form} refusals=${refusals} />`)}</ul>
    ${!solvers.value.length && html`<p class="hint">…</p>`}`;
}

/** Why solvers refuse what is chosen, by spec: those that are chosen, and all as they usually are; and the number of problems that
 * were looked at. */
function useRefusals() {
  const nothing = { refusals: /** @type {Map<string, import("./messages.js").Refusal>} */ (new Map()), lookedAt: 0 };
  const [told, set] = useState(nothing);
  const { problems, drawn, goal } = draft.value;
  const present = solvers.value.filter((form) => !form.missing).map(({ name }) => name);
  const specs = [...new Set([...present, ...draft.value.solvers.map(specOf)])];
  const isNone = !specs.length || (!problems.length && !drawn);
  const ask = async () => {
    if (isNone) return nothing;
    const { refusals, looked_at: lookedAt } = await link.engine.campaigns.refusals({ ...chosen(), solvers: specs });
    return { refusals: new Map(refusals.map((one) => [one.solver, one])), lookedAt };
  };
  useRested(ask, [JSON.stringify([problems, drawn, goal, specs])], set, () => set(nothing), isNone ? 0 : 400);
  return told;
}

/** @param {{form: SolverForm, refusals: Map<string, import("./messages.js").Refusal>}} props */
function Solver({ form, refusals }) {
  const plain = { name: form.name, options: {} };
  const variants = draft.value.solvers.filter((one) => one.name === form.name && Object.keys(one.options).length);
  const refusal = refusals.get(form.name);
  const is = draft.value.solvers.some((one) => specOf(one) === form.name);
  const why = form.missing || refusal?.sentence || "";
  const greyed = !!form.missing || !!refusal?.is_all;
  return html`<li class=${greyed ? "greyed" : ""}>
    <label class="check"><input type="checkbox" checked=${is} disabled=${greyed && !is}
      onChange=${() => (draft.value = toggled(draft.value, plain))} />
      <span><b>${form.name}</b> <small>${form.help}</small>${why && html`<em>${why}</em>`}</span></label>
    ${variants.map((one) => {
      const spec = specOf(one);
      const leaveOut = () => (draft.value = toggled(draft.value, one));
      return html`<p class="variant"><button aria-label=${`Leave out ${spec}`} onClick=${leaveOut}>✕</button> <code>${spec}</code>
        ${refusals.has(spec) && html` <em>${refusals.get(spec)?.sentence}</em>`}</p>`;
    })}
    ${!form.missing && form.options.length > 0 && html`<${Options} form=${form} />`}
  </li>`;
}

/** @param {{form: SolverForm}} props */
function Options({ form }) {
  const [values, set] = useState(/** @type {Record<string, string>} */ ({}));
  const [is, open] = useState(false);
  const usual = new Map(form.options.map((one) => [one.name, one.default]));
  const told = Object.fromEntries(Object.entries(values).filter(([name, value]) => value && value !== usual.get(name)));
  const add = () => {
    const variant = { name: form.name, options: told };
    if (!draft.value.solvers.some((one) => specOf(one) === specOf(variant))) draft.value = toggled(draft.value, variant);
    set({});
  };
  const isSome = Object.keys(told).length > 0;
  const enter = (/** @type {string} */ name) => entering((text) => set({ ...values, [name]: text.trim() }));
  const toggle = (/** @type {Event} */ event) => open(/** @type {HTMLDetailsElement} */ (event.target).open);
  return html`<details onToggle=${toggle}><summary>Options<span class="unseen"> of ${form.name}</span></summary>
    ${is && html`<div class="options">${form.options.map((one) => html`<label class="field">${one.name} <small>${one.help}</small>
      ${one.choices.length ? html`<select value=${values[one.name] || one.default} onChange=${enter(one.name)}>
        ${one.choices.map((choice) => html`<option value=${choice}>${choice}${choice === one.default ? " (usual)" : ""}</option>`)}
        <option value="*">each of them, in turn</option></select>`
      : html`<input value=${values[one.name] || ""} placeholder=${one.default} onChange=${enter(one.name)} />`}</label>`)}
      <button disabled=${!isSome} onClick=${add}>Add ${isSome ? specOf({ name: form.name, options: told }) : "with these options"}</button>
      </div>`}
  </details>`;
}
