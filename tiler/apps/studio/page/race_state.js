// The room where solvers race: what it shows, as signals, and what a person does there. Pictures come as frames from the engine.
import { computed, signal } from "@preact/signals";
import { completed } from "./cell_order.js";
import { keyOf } from "./lattice.js";
import { place } from "./place.js";
import { link, problem, say, sentenceOf, trying } from "./state.js";

/** @typedef {import("./messages.js").RaceAbout} About */
/** @typedef {import("./messages.js").RaceFrame} Frame */
/** @typedef {{solver: string, order: string, cells: number[]}} Entrant a solver, and for one that takes an order of cells its name: one
 * of those that the engine knows, or DRAWN */

export const DRAWN = "drawn";
export const FEWEST = 2;
export const MOST = 4;
/** Steps a second, null for full speed, by their names. @type {[string, number | null][]} */
export const PACES = [["Slow", 4], ["Medium", 60], ["Fast", 1000], ["Full speed", null]];

/** What the engine says of the problem of the race; null while it is not known. @type {import("@preact/signals").Signal<About | null>} */
export const about = signal(null);
export const trouble = signal("");
/** The problem of the race, if it is not the one of the room Puzzle.
 * @type {import("@preact/signals").Signal<{problem: any, title: string} | null>} */
export const named = signal(null);
export const raced = computed(() => named.value?.problem ?? problem.value);
/** @type {import("@preact/signals").Signal<"decide" | "count">} */
export const goal = signal("decide");
/** @type {import("@preact/signals").Signal<Entrant[]>} */
export const entrants = signal([]);
/** Steps a second of all; null is full speed. @type {import("@preact/signals").Signal<number | null>} */
export const pace = signal(60);
export const paused = signal(false);
/** The newest frame of the race that is shown; null before the first race. @type {import("@preact/signals").Signal<Frame | null>} */
export const frame = signal(null);
/** The race that is shown: its problem stays, whatever is done in the room Puzzle.
 * @type {import("@preact/signals").Signal<{about: About, entrants: Entrant[], goal: string} | null>} */
export const racing = signal(null);
/** The number of the entrant whose order is drawn; -1 if none is. */
export const drawing = signal(-1);
/** Whether a race is asked for, and has not begun. */
export const beginning = signal(false);

export const isRunning = computed(() => beginning.value || (!!frame.value && !frame.value.over));
/** Whether a race is shown, under way or over. */
export const isShown = computed(() => !!racing.value && (isRunning.value || !!frame.value));

/** What the engine says of a solver. @param {string} name */
export const solverOf = (name) => about.value?.solvers.find((one) => one.name === name);

/** Why a solver cannot take part; empty if it can. @param {string} name */
export const refusal = (name) => solverOf(name)?.refusals.find(([of]) => of === goal.value)?.[1] || "";

/** @param {string} name */
export const takesCells = (name) => !!solverOf(name)?.takes_cells;

/** What an entrant is called. @param {Entrant} entrant */
export function called({ solver, order }) {
  if (!takesCells(solver)) return solver;
  return `${solver} (${order === DRAWN ? "your order" : order})`;
}

/** The cells of an entrant in their order, as numbers. @param {Entrant} entrant */
export function orderOf(entrant) {
  const told = about.value;
  if (!told) return [];
  if (entrant.order !== DRAWN) return told.orders.find((one) => one.name === entrant.order)?.cells || [];
  return completed(entrant.cells, told.cells.length);
}

/** Takes another problem for the race. @param {About} told what the engine says about it */
export function changeProblem(told) {
  const isSame = about.value && String(about.value.cells.map(keyOf)) === String(told.cells.map(keyOf));
  about.value = told;
  trouble.value = "";
  entrants.value = entrants.value.length ? entrants.value.map((one) =>
    (isSame || one.order !== DRAWN ? one : { ...one, order: "rows", cells: [] })) : first(told);
}

/** Nobody can race on the problem. @param {Error} error */
export function refuseProblem(error) {
  about.value = null;
  trouble.value = sentenceOf(error);
}

/** Who takes part if nobody chooses. @param {About} told @returns {Entrant[]} */
function first(told) {
  const usual = ["dlx", "fila", "backtracking"].filter((name) => told.solvers.some((one) => one.name === name && !one.refusals[0][1]));
  return usual.map((solver) => ({ solver, order: "rows", cells: [] }));
}

/** @param {number} index @param {Partial<Entrant>} change */
export function changeEntrant(index, change) {
  entrants.value = entrants.value.map((one, k) => (k === index ? { ...one, ...change } : one));
}

/** Another solver: one that does not take part yet, or backtracking in another order. */
export function addEntrant() {
  const names = (about.value?.solvers || []).map((one) => one.name).filter((name) => !refusal(name));
  const fresh = names.find((name) => name !== "auto" && !entrants.value.some((one) => one.solver === name));
  const solver = fresh || names.find(takesCells) || names[0];
  if (!solver) return;
  const used = entrants.value.filter((one) => one.solver === solver).map((one) => one.order);
  const order = about.value?.orders.map((one) => one.name).find((name) => !used.includes(name)) || "rows";
  entrants.value = [...entrants.value, { solver, order, cells: [] }];
}

/** @param {number} index */
export function removeEntrant(index) {
  entrants.value = entrants.value.filter((_, k) => k !== index);
}

/** Begins the race. */
export async function begin() {
  const told = about.value;
  if (!told || beginning.value) return;
  const chosen = entrants.value;
  const racers = chosen.map((one) => {
    const drawn = one.order === DRAWN && takesCells(one.solver);
    const preset = takesCells(one.solver) && !drawn && one.order !== "rows" ? `:cells=${one.order}` : "";
    return { solver: `${one.solver}${preset}`, cells: drawn ? orderOf(one).map((cell) => told.cells[cell]) : [], name: called(one) };
  });
  const last = { racing: racing.value, frame: frame.value };
  beginning.value = true;
  paused.value = false;
  racing.value = { about: told, entrants: chosen, goal: goal.value };
  frame.value = null;
  const begun = await trying(() => link.engine.race.begin({ problem: raced.value, goal: goal.value, racers, per_second: pace.value }));
  beginning.value = false;
  if (!begun) {
    ({ racing: racing.value, frame: frame.value } = last);
    return;
  }
  expected = begun.race;
  announced = 0;
  say(`The race begins: ${chosen.map(called).join(", ")}.`);
}

let expected = 0;
let announced = 0;

/** Looks at the race as long as the room is shown and can be seen. @returns {() => void} */
export function followFrames() {
  let end = () => {};
  const hear = (/** @type {Frame} */ told) => {
    if (!told.racers.length) lost();
    if (!told.racers.length || told.race < expected) return;
    const wasOver = !frame.value || frame.value.over;
    frame.value = told;
    const there = told.racers.filter((one) => one.place > 0).sort((one, two) => one.place - two.place);
    for (const one of there.slice(announced)) say(`${one.name} is number ${one.place}, after ${one.nodes.toLocaleString("en")} steps.`);
    announced = Math.max(announced, there.length);
    if (told.over && !wasOver) say("");  // The sentences at the end say all of it.
  };
  const look = () => {
    end();
    end = document.visibilityState === "hidden" ? () => {} : link.engine.race.watch(hear);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    end();
  };
}

/** The engine knows nothing of the race that is shown: after a long sleep it has forgotten this page. */
function lost() {
  if (!frame.value || frame.value.over || beginning.value) return;
  const racers = frame.value.racers.map((one) => (one.place ? one : { ...one, state: /** @type {"ended"} */ ("ended"), per_second: 0 }));
  frame.value = { ...frame.value, racers, over: true };
  expected = 0;
  say("The race has ended, because this page was away for more than a minute.");
}

/** @param {{racer?: number | null, per_second: number | null, steps?: number}} change */
const send = (change) => trying(() => link.engine.race.pace(change));

/** @param {number | null} perSecond */
export function setPace(perSecond) {
  pace.value = perSecond;
  if (isRunning.value && !paused.value) send({ per_second: perSecond });
}

export function pauseOrGoOn() {
  if (!isRunning.value) return;
  paused.value = !paused.value;
  send({ per_second: paused.value ? 0 : pace.value });
}

/** One step of each solver. */
export function step() {
  if (!isRunning.value) return;
  paused.value = true;
  send({ per_second: 0, steps: 1 });
}

/** One of them at full speed, or again as slow as the others. @param {number} racer @param {boolean} full */
export function letRun(racer, full) {
  send({ racer, per_second: full ? null : paused.value ? 0 : pace.value });
}

/** All of them at full speed, so that the race is soon over. */
export function finishSoon() {
  paused.value = false;
  send({ per_second: null });
}

export const end = () => trying(() => link.engine.race.end());

/** Back to the choice of solvers. */
export async function again() {
  if (isRunning.value) await end();
  frame.value = null;
}

/** Another problem: one of the list by its name, or with an empty name the one of the room Puzzle. @param {string} name */
export async function choose(name) {
  if (!name) {
    named.value = null;
    return true;
  }
  const read = await trying(() => link.engine.problem(name));
  if (read) named.value = { problem: read.problem, title: read.problem.title || name };
  return !!read;
}

/** Goes to this room with some of the solvers of a comparison on a problem of the list: those that can race, with no options but an
 * order of cells that the engine knows. @param {string} name @param {string[]} labels */
export async function raceOn(name, labels) {
  const read = await trying(() => link.engine.problem(name));
  const told = read && await trying(() => link.engine.race.about(read.problem));
  if (!told) return;
  const chosen = labels.flatMap((label) => {
    const [, solver, order = "rows"] = /^([\w-]+)(?::cells=(\w+))?$/.exec(label) || [];
    const known = told.solvers.some((/** @type {any} */ one) => one.name === solver && !one.refusals[0][1]);
    return known && told.orders.some((/** @type {any} */ one) => one.name === order) ? [{ solver, order, cells: [] }] : [];
  });
  if (chosen.length < FEWEST) {
    say(`Only solvers without options that show their steps race; there ${chosen.length ? "is one" : "are none"} among these.`);
    return;
  }
  await again();
  named.value = { problem: read.problem, title: read.problem.title || name };
  goal.value = "decide";
  entrants.value = chosen.slice(0, MOST);
  location.hash = String(new URLSearchParams({ ...Object.fromEntries(place.value), room: "race" }));
}

/** The comparison from which one came here, as a link; empty if one came otherwise. */
export const cameFrom = computed(() => (place.value.get("results")
  ? `#${new URLSearchParams({ ...Object.fromEntries(place.value), room: "compare" })}` : ""));
