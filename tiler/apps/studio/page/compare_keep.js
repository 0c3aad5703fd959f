// What can be kept of results: figures and tables for a paper, each with the command that writes the same; and what changed from one
// campaign to another.
import { useEffect, useState } from "preact/hooks";
import { Copied } from "./answers.js";
import { bytesOf, download } from "./bytes.js";
import { filtersOf } from "./compare_draft.js";
import { beside, campaigns, opened, results } from "./compare_state.js";
import { putInLink } from "./place.js";
import { Select } from "./fields.js";
import { link, say, trying } from "./state.js";
import { html } from "./html.js";
import { useRested } from "./while_typing.js";

const KINDS = [
  ["survival", "solved within a time"], ["scatter", "one solver against another"], ["heatmap", "problems by solvers"],
  ["instances", "each problem"], ["scaling", "growing boards"], ["profile", "performance profile"], ["boxes", "spread of seconds"],
  ["effort", "nodes"], ["encodings", "sizes of encodings"],
];
const FORMATS = [["pdf", "PDF"], ["svg", "SVG"], ["png", "PNG"]];
const WIDTHS = [["3.4", "a column (3.4 in)"], ["7", "a page (7 in)"]];

/** @typedef {import("./messages.js").SaveResults} SaveResults */

/** @param {{filter: () => any, data: any}} props */
export function KeepResults({ filter, data }) {
  const [kind, setKind] = useState("survival");
  const [format, setFormat] = useState(/** @type {SaveResults["format"]} */ ("pdf"));
  const [width, setWidth] = useState("3.4");
  const [saved, setSaved] = useState(/** @type {import("./messages.js").SavedResults | null} */ (null));
  const [left, setLeft] = useState("");
  /** @param {SaveResults["form"]} form @param {SaveResults["format"]} format */
  const save = (form, format) => trying(async () => {
    const told = filter();
    const solvers = solversOf(told, data, form === "figure" && kind === "scatter");
    const group = Math.max(0, data.groups.findIndex((/** @type {{words: string}} */ one) => one.words === told.group));
    const clock = data.clocks[told.clock].split(" ")[0];
    const chosen = { problems: filtersOf(told), solvers, group, clock, width: Number(width) };
    const reply = await link.engine.campaigns.save({ name: opened.value, form, format, kind, ...chosen });
    setSaved(reply);
    setLeft(form === "campaign" || form === "records" ? "" : leftOut(told, form === "figure" && kind === "scatter" ? solvers : [], data));
    download(reply.name, new Blob([bytesOf(reply.base64)], { type: reply.type }));
    say(`Saved as ${reply.name}.`);
  });
  return html`<details class="keep-results"><summary>Save as …</summary>
    <p class="hint">A file has the solvers, the problems and the family that you choose below. It has all their runs:${" "}
      how a run ended and its category are filters of the screen alone.${" "}
      Table as LaTeX needs the packages booktabs and siunitx, a figure graphicx.</p>
    <div class="row">
      <${Select} label="Figure" value=${kind} options=${KINDS} set=${setKind} />
      <${Select} label="Form" value=${format} options=${FORMATS} set=${setFormat} />
      <${Select} label="Width" value=${width} options=${WIDTHS} set=${setWidth} />
      <button class="main" onClick=${() => save("figure", format)}>Save the figure</button></div>
    <div class="row">
      <button onClick=${() => save("table", "tex")}>Table as LaTeX</button>
      <button onClick=${() => save("table", "csv")}>Table as CSV</button>
      <button onClick=${() => save("runs", "csv")}>All runs as CSV</button>
      <button onClick=${() => save("records", "jsonl")}>All records</button>
      <button disabled=${results.value?.state.total === null} onClick=${() => save("campaign", "toml")}>Campaign as TOML</button></div>
    ${saved && html`<div class="saved">
      ${left && html`<p>${saved.name} leaves out ${left}.</p>`}
      ${saved.caption && html`<${Copied} name="A caption" text=${saved.caption} />`}
      <${Copied} name=${`The command that ${/toml$/.test(saved.name) ? "makes the same runs" : "writes the same"}`} text=${saved.command} />
    </div>`}
  </details>`;
}

/** @typedef {{label: string, spec: string}} LabelledSolver */

/** The solvers of a file; none where it has all. @param {any} told the filter @param {{solvers: LabelledSolver[]}} data
 * @param {boolean} isPair whether a figure compares two */
function solversOf(told, { solvers }, isPair) {
  const wanted = isPair && told.x && told.y ? [told.x, told.y] : null;
  if (wanted) return wanted.flatMap((label) => solvers.find((one) => one.label === label)?.spec ?? []);
  return told.off.length ? solvers.filter(({ label }) => !told.off.includes(label)).map(({ spec }) => spec) : [];
}

/** What a file leaves out, in words; empty if it has everything. @param {any} told the filter
 * @param {string[]} some the only solvers of a figure; empty if those of the filter @param {{solvers: LabelledSolver[]}} data */
function leftOut(told, some, data) {
  const isOff = (/** @type {LabelledSolver} */ one) => (some.length ? !some.includes(one.spec) : told.off.includes(one.label));
  const off = data.solvers.filter(isOff).map(({ label }) => label);
  const said = off.length ? [off.join(", ")] : [];
  if (told.text) said.push(`problems whose name does not fit ${told.text}`);
  if (told.family) said.push(`all families but ${told.family}`);
  return said.join("; ");
}

/** The choice of a second campaign, and what changed. */
export function Compared() {
  const [told, set] = useState(/** @type {import("./messages.js").Document | null} */ (null));
  const [error, setError] = useState("");
  const other = beside.value;
  useEffect(() => {
    set(null);
    setError("");
  }, [other]);
  useRested(async () => (other ? link.engine.campaigns.compare(other, opened.value) : null), [other], set,
    (failed) => setError(failed.message), 0);
  const others = (campaigns.value?.campaigns || []).filter((one) => one.name !== opened.value && one.runs);
  return html`<details class="compared" open=${!!other}><summary>Compare with …</summary>
    <${Select} label="What changed since" options=${[["", "nothing"], ...others.map(({ name }) => [name, name.replace("@", "")])]}
      value=${other} set=${(/** @type {string} */ name) => putInLink({ with: name })} />
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${other && !told && !error && html`<p class="hint">Comparing …</p>`}
    ${told && html`${told.blocks.map(block)}
      <${Copied} name="The same in a terminal" text=${`tiler report ${[other, opened.value].map(pathOf).join(" ")}`} />`}
  </details>`;
}

/** @param {string} name */
const pathOf = (name) => (name.startsWith("@") ? `results/reference/${name.slice(1)}` : `${campaigns.value?.folder || "results"}/${name}`);

/** @param {import("./messages.js").DocumentBlock} one */
function block(one) {
  if (one.kind === "heading") return one.level < 3 ? html`<h3>${one.text}</h3>` : html`<h4>${one.text}</h4>`;
  if (one.kind === "paragraph") return html`<p class=${one.loud ? "error" : ""}>${one.text}</p>`;
  if (one.kind === "list") {
    return html`<ul class="told-list">${one.items.map((item) => html`<li class=${one.loud ? "error" : ""}>${item}</li>`)}</ul>`;
  }
  return html`<div class="table" tabindex="0"><table><thead><tr>${one.heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${one.rows.map((row) => html`<tr>${row.map((cell, place) => {
      const loud = place > 0 && cell.startsWith("!");
      return html`<td class=${loud ? "error" : ""}>${loud ? cell.slice(1) : cell}</td>`;
    })}</tr>`)}</tbody></table></div>
    <p class="hint">${one.text}</p>`;
}
