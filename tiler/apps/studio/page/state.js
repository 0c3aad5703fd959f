// All that the page shows, as signals, and what a person does to it. Views read; only the functions of this file and of doing.js write.
import { batch, computed, effect, signal } from "@preact/signals";
import { boardCells, changed, documentOf, historyOf, redone, undone } from "./document.js";
import { Places, STACKED } from "./lattice.js";
import { left, Rules } from "./placing.js";
import { columnsFor, NAME } from "./stage.js";

/** @typedef {import("./document.js").Document} Document */
/** @typedef {import("./engine.js").Engine} Engine */

const EMPTY = documentOf({ lattice: "square", board: [], tiles: [], reflections: true });

/** @type {import("@preact/signals").Signal<import("./document.js").History>} */
export const history = signal(historyOf(EMPTY));
export const doc = computed(() => history.value.present);
export const problem = computed(() => doc.value.problem);
export const laid = computed(() => doc.value.laid);

/** "play", "board", "pieces", "ask" or "keep" */
export const mode = signal("play");
/** @type {import("@preact/signals").Signal<import("./messages.js").Catalogue | null>} */
export const catalogue = signal(null);
/** How the lattice of the document is drawn. @type {import("@preact/signals").Signal<import("./messages.js").Lattice | null>} */
export const lattice = signal(null);
/** What the engine said when the problem was opened, and of which problem.
 * @type {import("@preact/signals").Signal<{opened: import("./messages.js").Opened, problem: any, rules: Rules} | null>} */
export const current = signal(null);
/** Why the problem could not be opened. */
export const trouble = signal("");
/** The answer about the pieces that lay then.
 * @type {import("@preact/signals").Signal<(import("./messages.js").Laid & {pieces: any[]}) | null>} */
export const live = signal(null);
/** Pieces to which there is no answer, and why. @type {import("@preact/signals").Signal<{pieces: any[], sentence: string} | null>} */
export const refused = signal(null);
/** Whether an answer about the pieces as they lie is under way. */
export const waiting = signal(false);
/** The piece in hand. @type {import("@preact/signals").Signal<import("./placing.js").Hand | null>} */
export const hand = signal(null);
/** The cell of the pointer or of the keys. @type {import("@preact/signals").Signal<import("./lattice.js").Cell | null>} */
export const cursor = signal(null);
/** The cell of which what fits is shown while the pointer is elsewhere.
 * @type {import("@preact/signals").Signal<import("./lattice.js").Cell | null>} */
export const pinned = signal(null);
/** A piece that is shown where it would lie. @type {import("@preact/signals").Signal<import("./placing.js").Piece | null>} */
export const offered = signal(null);
/** Said to screen readers, and shown for a while. */
export const news = signal("");
/** Numbers over cells that an answer brought. @type {import("@preact/signals").Signal<{values: any[], caption: string} | null>} */
export const overlay = signal(null);
export const otherTab = signal("");
/** Why there is no engine now; empty where there is one. */
export const outage = signal("");
/** What an engine that starts does now, and the share of its parts that is there.
 * @type {import("@preact/signals").Signal<{sentence: string, share: number} | null>} */
export const starting = signal(null);
/** How many times an engine was there again. */
const returns = signal(0);
/** The questions asked, newest first. @type {import("@preact/signals").Signal<any[]>} */
export const asked = signal([]);
/** What was entered into the forms of questions, by question.
 * @type {import("@preact/signals").Signal<Record<string, Record<string, any>>>} */
export const entered = signal({});
/** Whether a board in space is shown as a body too. */
export const bodyShown = signal(true);
/** Whether copies of a tile have colours of their own. */
export const byCopy = signal(false);
/** Which dialog is open. */
export const dialog = signal("");

export const dimension = computed(() => lattice.value?.dimension ?? 2);
export const rules = computed(() => (current.value && current.value.problem === problem.value ? current.value.rules : null));
export const tilesLeft = computed(() => (rules.value ? left(rules.value.tiles, laid.value) : []));
/** The size of the window of the board, in pixels. */
export const page = signal({ width: 900, height: 600 });
/** Whether a stroke is under way, while which layers stay where they are. */
export const frozen = signal(false);

let lastRows = STACKED;
/** How the layers lie: beside each other, with a gap, in as many rows as make them largest. */
const rows = computed(() => {
  const cells = boardCells(problem.value);
  if (frozen.value) return lastRows;
  lastRows = STACKED;
  if (lattice.value?.layer && cells.length) {
    const box = new Places(lattice.value).box(cells);
    const margin = mode.value === "board" ? 5.4 : 1.6;
    const [across, down] = [Math.ceil(box.right - box.left) + margin, Math.ceil(box.bottom - box.top) + margin + NAME];
    const heights = cells.map((cell) => cell[0]);
    const more = mode.value === "board" ? 1 : 0;
    const [first, last] = [Math.min(...heights) - more, Math.max(...heights) + more];
    lastRows = { across, down, first, columns: columnsFor(last - first + 1, across, down, page.value) };
  }
  return lastRows;
});
/** @type {import("@preact/signals").ReadonlySignal<Places | null>} */
export const places = computed(() => {
  if (!lattice.value || lattice.value.name !== (problem.value.lattice || "square")) return null;
  const cells = boardCells(problem.value);
  const near = mode.value === "board" && dimension.value === 3 && !lattice.value.layer ? new Places(lattice.value).grown(cells) : cells;
  return new Places(lattice.value, rows.value, near);
});

/** @type {{engine: Engine}} */
export const link = { engine: /** @type {any} */ (null) };

/** @param {string} sentence */
export function say(sentence) {
  news.value = "";
  news.value = sentence;
}

/** Does something with the engine, and says what went wrong if it did. @template T @param {() => Promise<T>} act
 * @returns {Promise<T | undefined>} */
export async function trying(act) {
  try {
    return await act();
  } catch (error) {
    if (sentenceOf(error) !== outage.value) say(sentenceOf(error)); // That there is no engine stands on the page anyway.
    return undefined;
  }
}

/** What went wrong. @param {unknown} error */
export const sentenceOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {Document} document @param {string} [label] steps with the same label are one step of Undo */
export function change(document, label = "") {
  history.value = changed(history.value, document, label);
}

/** Ends a run of steps that are one step of Undo. */
export function endStep() {
  if (history.value.label) history.value = { ...history.value, label: "" };
}

export function undo() {
  batch(() => {
    hand.value = null;
    history.value = undone(history.value);
  });
}

export function redo() {
  batch(() => {
    hand.value = null;
    history.value = redone(history.value);
  });
}

/** Another document, as a step that can be undone. @param {any} read a problem with the pieces that lie
 * @param {boolean} [keep] whether the answers stay */
export function load(read, keep = false) {
  batch(() => {
    hand.value = null;
    overlay.value = null;
    cursor.value = null;
    pinned.value = null;
    offered.value = null;
    if (!keep) {
      asked.value = [];
      entered.value = {};
    }
    change(documentOf(read.problem, read.laid || [], read.title));
  });
}

/** What `look` finds in the signals, once it is not undefined any more. @template T @param {() => T | undefined} look
 * @returns {Promise<T>} */
function known(look) {
  return new Promise((done) => {
    const end = effect(() => {
      const found = look();
      if (found === undefined) return;
      queueMicrotask(() => end());
      done(found);
    });
  });
}

/** Waits until the problem is open with the engine; an Error says why it cannot be. */
export async function ready() {
  const why = await known(() => (rules.value ? "" : trouble.value || outage.value || undefined));
  if (why) throw new Error(why);
}

/** The live answer about the pieces as they lie, once it is there; null if there is none. @returns {Promise<any>} */
export async function answered() {
  await ready();
  return known(() => (live.value?.pieces === laid.value ? live.value : waiting.value ? undefined : null));
}

/** The engine is there again: what could not be asked meanwhile is asked now. */
export function engineIsBack() {
  outage.value = "";
  returns.value += 1;
}

let revision = 0;
let opening = 0;
/** The pieces of the last revision. @type {any[] | null} */
let asking = null;

/** Empties the hand that has a piece of which none is left. */
effect(() => {
  const number = hand.value && rules.value?.tile.get(hand.value.tile);
  if (typeof number === "number" && (tilesLeft.value[number] ?? 1) <= 0) hand.value = null;
});

/** Opens the problem with the engine whenever it is another one, and asks for the live answer whenever other pieces lie. */
export function follow() {
  let timer = 0;
  effect(() => {
    const told = problem.value;
    returns.value; // Again when the engine is back.
    if (current.peek()?.problem === told) return;
    trouble.value = "";
    clearTimeout(timer);
    timer = window.setTimeout(() => open(told), current.peek() ? 120 : 0);
  });
  effect(() => {
    const name = problem.value.lattice || "square";
    returns.value;
    if (lattice.value?.name === name) return;
    trying(async () => {
      const data = await link.engine.lattice(name);
      if (name === (problem.value.lattice || "square")) lattice.value = data;
    });
  });
  effect(() => {
    const pieces = laid.value;
    returns.value;
    if (!rules.value) return;
    if (rules.value.opened.live) lay(pieces);
    else live.value = null;
  });
}

/** A better answer to the last move. @param {any} answer */
export function better(answer) {
  if (answer.revision === revision && asking && asking === laid.value && rules.value) live.value = { ...answer, pieces: asking };
}

/** @param {any} told */
async function open(told) {
  const number = ++opening;
  if (!boardCells(told).length) {
    trouble.value = "The board has no cells yet.";
    return;
  }
  try {
    const opened = await link.engine.open(told);
    if (number !== opening || told !== problem.value) return;
    batch(() => {
      trouble.value = "";
      live.value = null;
      if (opened.lattice) lattice.value = opened.lattice;
      current.value = { opened, problem: told, rules: new Rules(opened, told) };
    });
  } catch (error) {
    if (number !== opening) return;
    batch(() => {
      trouble.value = outage.value ? "" : sentenceOf(error);
      live.value = null;
    });
  }
}

/** @param {any[]} pieces */
async function lay(pieces) {
  const number = ++revision;
  const of = current.value;
  asking = pieces;
  waiting.value = true;
  try {
    const answer = await link.engine.lay(number, pieces);
    if (number !== revision || of !== current.value) return;
    refused.value = null;
    live.value = { ...answer, pieces };
  } catch (error) {
    if (number !== revision || of !== current.value) return;
    const sentence = sentenceOf(error);
    if (sentence === outage.value) return; // It stands on the page anyway.
    refused.value = { pieces, sentence };
    say(sentence);
  } finally {
    if (number === revision) waiting.value = false;
  }
}
