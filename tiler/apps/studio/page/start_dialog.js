// Beginning something else: an empty board, a problem of the list, a pasted text, a file.
import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cellsOf, useTold } from "./while_typing.js";
import { base64Of } from "./bytes.js";
import { Dialog } from "./dialog.js";
import { counted, grouped } from "./doing.js";
import { Choice, entering, Select, sending } from "./fields.js";
import { documentIn, hashIn } from "./link.js";
import { ProblemPicture } from "./thumbnail.js";
import { found } from "./searching.js";
import { catalogue, dialog, link, load, mode, news, say, trying } from "./state.js";
import { usualBoard } from "./usual_board.js";
import { html } from "./html.js";

/** A text that is read. */
const EXAMPLE = ".xx.xx.\nxxxxxxx\n.xxxxx.\n..xxx..\n...x...\n\n1:pentominoes";
const WAYS = [["list", "From the list"], ["new", "A new board"], ["text", "Paste or open a file"]];

export function StartDialog() {
  const [way, set] = useState("list");
  const isOpen = dialog.value === "start";
  useEffect(() => {
    if (!isOpen) reading.value = 0;
  }, [isOpen]);
  return html`<${Dialog} name="start" title="Begin with …" isOpen=${isOpen} close=${() => (dialog.value = "")} isBusy=${!!reading.value}>
    <p class="told" role="alert">${isOpen ? news.value : ""}</p>
    ${reading.value > 0 && html`<p class="reading" role="status"><progress aria-label="Reading"></progress>
      Reading … Escape cancels it.</p>`}
    ${isOpen && html`<${Choice} label="Begin with" options=${WAYS} value=${way} set=${set} />
    ${way === "list" ? html`<${List} />` : way === "new" ? html`<${New} />` : html`<${Text} />`}`}
  <//>`;
}

/** The number of the reading under way; 0 where there is none. */
const reading = signal(0);
let readings = 0;

/** Reads a problem, and begins with it. A reading whose dialog is closed says nothing any more.
 * @param {() => Promise<any>} read @param {string} [next] */
function begin(read, next = "play") {
  const number = (reading.value = ++readings);
  const isOn = () => number === reading.value;
  news.value = "";
  return trying(async () => {
    try {
      const found = await read();
      if (!isOn()) return;
      load(found);
      mode.value = next;
      dialog.value = "";
    } catch (error) {
      if (isOn()) throw error;
    } finally {
      if (isOn()) reading.value = 0;
    }
  });
}

/** The problem in a pasted text: one in a form that Tiler reads, or a link to one. @param {string} text */
async function readText(text) {
  const hash = hashIn(text);
  if (hash === null) return link.engine.read("", text);
  const sent = await documentIn(hash);
  if (!sent) throw new Error("This link holds no problem: put it into the address of the page.");
  return sent;
}

function List() {
  const [words, set] = useState("");
  const [most, setMost] = useState(60);
  const problems = catalogue.value?.problems || [];
  const some = useMemo(() => found(problems, words), [problems, words]);
  return html`<label class="field">Search the ${problems.length} problems <input type="search"
    placeholder="pentominoes, cube, calendar, unsat …" value=${words}
    onInput=${entering(set)} /></label>
    <p class="hint" role="status">${some.length} found</p>
    <ul class="problems">${some.slice(0, most)
      .map((one) => html`<li key=${one.name}><button onClick=${() => begin(() => link.engine.problem(one.name))}>
      <${ProblemPicture} name=${one.name} width=${96} height=${72} />
      <b>${one.title || one.name}</b><span>${one.verdict === "unsat" ? "no tiling" : one.count
        ? `${grouped(one.count)} ${one.count === "1" ? "tiling" : "tilings"}` : one.lattice}</span></button></li>`)}</ul>
    ${some.length > most && html`<button onClick=${() => setMost(most + 120)}>Show more</button>`}`;
}

function New() {
  const [lattice, set] = useState("square");
  const [words, setWords] = useState("10x6");
  const [pieces, setPieces] = useState("1:pentominoes");
  const lattices = catalogue.value?.lattices || [];
  const isSpace = (/** @type {string} */ name) => lattices.find((one) => one.name === name)?.dimension === 3;
  const sets = (catalogue.value?.sets || []).filter((one) => !one.lattice || one.lattice === lattice);
  const formsOn = (/** @type {string} */ name) => (catalogue.value?.boards || []).filter((one) => one.lattice === name);
  const forms = formsOn(lattice);
  const make = async () => {
    const read = words.trim() ? await link.engine.board(words, lattice)
      : { lattice, board: [(await link.engine.lattice(lattice)).kinds[0].cell] };
    const reflections = !isSpace(lattice);
    const tiles = pieces.trim() ? (await link.engine.tiles(pieces, lattice, reflections)).tiles : [];
    return { problem: { lattice: read.lattice || lattice, board: read.board, optional: read.optional, tiles, reflections }, laid: [],
      title: `${words.trim() || lattice} ${pieces}`.trim() };
  };
  const area = useTold(async () => {
    const { problem } = await make();
    return problem.tiles.length ? `the pieces have ${cellsOf(problem.tiles)}, the board ${counted(problem.board.length, "cell")}` : "";
  }, [lattice, words, pieces]);
  const choose = (/** @type {string} */ name) => {
    set(name);
    setWords(usualBoard(formsOn(name), isSpace(name)));
    setPieces("");
  };
  const named = lattices.map(({ name, help }) => [name, help ? `${name}: ${help}` : name]);
  return html`<form class="new" onSubmit=${sending(() => begin(make, words.trim() && pieces.trim() ? "play" : "board"))}>
    <${Select} label="Cells" options=${named} value=${lattice} set=${choose} />
    ${forms.length ? html`<label class="field">Size or name of the board <input list="new-boards" value=${words}
      onInput=${entering(setWords)} /></label>
      <datalist id="new-boards">${forms.map((one) => html`<option value=${one.name} />`)}</datalist>`
    : html`<p class="hint">Boards of these cells have no names: yours begins with one cell, and you draw the others.</p>`}
    <label class="field">Pieces, by name <small>2 is a domino, 4L an L of four; 1: before it means one copy.
      Nothing here: you draw them.</small>
      <input list="new-sets" value=${pieces} onInput=${entering(setPieces)} /></label>
    <datalist id="new-sets">${sets.map((one) => html`<option value=${one.name}>${one.help}</option>`)}</datalist>
    <p class="area" role="status">${area}</p>
    <button class="main" disabled=${forms.length > 0 && !words.trim()}>Begin</button></form>`;
}

function Text() {
  const [text, set] = useState("");
  const open = (/** @type {File | undefined} */ file) => file && begin(async () => {
    if (file.size > 4_000_000) throw new Error("This file is larger than 4 MB; the command reads it.");
    if (!/\.xmpuzzle$/i.test(file.name)) return link.engine.read(file.name, await file.text());
    return link.engine.read(file.name, base64Of(new Uint8Array(await file.arrayBuffer())), true);
  });
  return html`<label class="field">A problem in any form that Tiler reads: a map of cells, a list of pieces,
    JSON; words such as <code>6x10 1:pentominoes</code>; or a link to one <textarea rows="9" spellcheck="false" value=${text}
    onInput=${entering(set)} placeholder=${EXAMPLE}></textarea></label>
    <div class="row"><button class="main" disabled=${!text.trim()}
      onClick=${() => (text.length > 2_000_000 ? say("This text is too long.") : begin(() => readText(text)))}>Read it</button>
    <label class="file">or open a file <input type="file"
      onChange=${(/** @type {any} */ event) => open(event.target.files[0])} /></label></div>`;
}
