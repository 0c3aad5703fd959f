// Keeping: files of every form that Tiler writes, a link, and the document itself.
import { useState } from "preact/hooks";
import { Copied } from "./answers.js";
import { download } from "./bytes.js";
import { titled } from "./document.js";
import { Check, entering, Select } from "./fields.js";
import { fragmentOf } from "./link.js";
import { asked, catalogue, change, doc, laid, link, problem, say, trying } from "./state.js";
import { html } from "./html.js";

const NEEDS = /** @type {Record<string, string>} */ ({ problem: "the problem", tiling: "the pieces that lie",
  tilings: "a list of tilings" });

/** The problem with the title of the page, after which a file is named. */
const named = () => ({ ...problem.value, ...(doc.value.title === (problem.value.name || "") ? {} : { title: doc.value.title }) });

const PICTURES = new Set(["svg", "png", "pdf", "html"]);
const COLOURS = [["", "usual"], ["tile", "by tile"], ["copy", "each copy its own"], ["few", "four colours"], ["grey", "greys, to print"],
  ["orientation", "by the way each piece lies"], ["plain", "all alike"]];

/** How a picture looks. @param {{look: any, set: (look: any) => void}} props */
function Look({ look, set }) {
  return html`<${Select} label="Colours" options=${COLOURS} value=${look.colours || ""}
      set=${(/** @type {string} */ name) => set({ ...look, colours: name || undefined })} />
    <${Check} is=${!!look.names} set=${(/** @type {boolean} */ names) => set({ ...look, names })}>Names on the pieces<//>
    <label class="field">Longer side in inches <input type="number" min="1" max="60" placeholder="as on a screen" value=${look.inches || ""}
      onChange=${entering((text) => set({ ...look, inches: Number(text) || 0 }))} /></label>`;
}

export function KeepPanel() {
  const [form, set] = useState("");
  const [look, setLook] = useState(/** @type {any} */ ({}));
  const forms = catalogue.value?.forms || [];
  const told = forms.find((one) => one.form === form)
    || forms.find((one) => one.form === (laid.value.length ? "svg" : "json")) || forms[0];
  const lists = asked.value.flatMap((one) =>
    (one.tilings.length ? [one.tilings] : (one.answer?.blocks || []).filter((/** @type {any} */ block) => block.kind === "tilings")
    .map((/** @type {any} */ block) => block.tilings)));
  const save = () => trying(async () => {
    const tilings = told.needs === "tilings" ? lists[0] || [laid.value] : undefined;
    const { name, blob } = await link.engine.save({ problem: named(), laid: laid.value, form: told.form,
      parameters: PICTURES.has(told.form) ? look : {}, ...(tilings ? { tilings } : {}) });
    download(name, blob);
    say(`Saved as ${name}.`);
  });
  const last = asked.value.find((one) => one.answer?.command)?.answer;
  return html`<div class="panel">
    <p class="hint">Your work is kept in this browser by itself. Close the page and open it again: it is there.</p>
    <h2>Save as a file</h2>
    ${told && html`<label class="field">Form <select value=${told.form} onChange=${entering(set)}>
      ${Object.keys(NEEDS).map((needs) => html`<optgroup label=${`of ${NEEDS[needs]}`}>
        ${forms.filter((one) => one.needs === needs)
        .map((one) => html`<option value=${one.form}>${one.form}</option>`)}</optgroup>`)}
    </select></label><p class="hint">${told.help}</p>${PICTURES.has(told.form) && html`<${Look} look=${look} set=${setLook} />`}
      <button class="main" onClick=${save}>Save</button>`}
    <h2>A link</h2><${Link} />
    <h2>The name</h2>
    <label class="field">Title <input value=${doc.value.title} maxlength="120"
      onChange=${entering((text) => change(titled(doc.value, text)))} /></label>
    ${last && html`<h2>The last question again</h2><${Copied} name="In a terminal" text=${last.command} />
      <${Copied} name="In Python" text=${last.python} />`}
  </div>`;
}

function Link() {
  const [made, set] = useState("");
  const make = () => trying(async () => {
    const text = `${location.origin}${location.pathname}#${await fragmentOf(doc.value)}`;
    set(text);
    await navigator.clipboard.writeText(text).then(() => say("The link is copied."), () => say("Select the link and copy it."));
  });
  return html`<p class="hint">It holds the problem and the pieces that lie. Whoever opens it in their own studio sees the same.</p>
    <button onClick=${make}>Make a link</button>
    ${made && html`<input class="link" readonly aria-label="The link" value=${made}
      onFocus=${(/** @type {any} */ event) => event.target.select()} />`}`;
}
