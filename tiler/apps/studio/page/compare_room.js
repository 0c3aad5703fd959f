// The room where solvers are compared: campaigns that run, and results of others.
import { useEffect, useRef } from "preact/hooks";
import { CampaignForm } from "./compare_form.js";
import { Results } from "./compare_results.js";
import { campaigns, lookAtList, lookAtSolvers, open, opened } from "./compare_state.js";
import { entering } from "./fields.js";
import { link, trying } from "./state.js";
import { html } from "./html.js";

export function CompareRoom() {
  useEffect(() => {
    lookAtList();
    lookAtSolvers();
  }, []);
  return html`<main class="room compare">
    <${Choice} />
    ${opened.value ? html`<${Results} key=${opened.value} />` : html`<${CampaignForm} />`}
  </main>`;
}

/** Records in files of the person. */
function OpenRecords() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const chosen = (/** @type {Event} */ event) => trying(async () => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const files = [...(field.files || [])];
    field.value = "";
    const names = await link.engine.campaigns.open?.(files);
    await lookAtList();
    if (names) open(names[0]);
  });
  return html`<button onClick=${() => input.current?.click()}>Open records …</button>
    <input ref=${input} type="file" accept=".jsonl,.json" multiple hidden aria-label="Files of records" onChange=${chosen} />`;
}

/** Which results are shown. */
function Choice() {
  const all = campaigns.value?.campaigns || [];
  const own = all.filter((one) => !one.is_reference);
  const theirs = all.filter((one) => one.is_reference);
  /** @param {typeof all[number]} one */
  const option = ({ name, title, runs }) => html`<option value=${name}>
    ${name.replace("@", "")}${title && title !== name ? `: ${title}` : ""} (${runs.toLocaleString("en")} runs)</option>`;
  return html`<div class="row campaigns">
    <label class="field">Results <select value=${opened.value} onFocus=${lookAtList} onChange=${entering(open)}>
      <option value="">${opened.value ? "a new campaign …" : "open …"}</option>
      ${opened.value && !all.some((one) => one.name === opened.value) && html`<option value=${opened.value}>${opened.value}</option>`}
      ${own.length > 0 && html`<optgroup label=${`in ${campaigns.value?.folder}`}>${own.map(option)}</optgroup>`}
      ${theirs.length > 0 && html`<optgroup label="that come with Tiler">${theirs.map(option)}</optgroup>`}
    </select></label>
    ${opened.value && html`<button onClick=${() => open("")}>New campaign</button>`}
    ${link.engine.campaigns.open && html`<${OpenRecords} />`}
  </div>`;
}
