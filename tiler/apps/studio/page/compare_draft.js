// A campaign as it is being chosen, as a value: pure functions, without a page.

/** @typedef {{name: string, options: Record<string, string>}} Chosen a solver with the options that differ from their defaults */
/**
 * @typedef {object} Draft
 * @property {string} name
 * @property {string[]} problems
 * @property {boolean} drawn whether the board of the first room takes part
 * @property {Chosen[]} solvers
 * @property {"decide" | "count"} goal
 * @property {number} seconds
 * @property {number} megabytes
 * @property {number} threads
 * @property {number} repeat
 * @property {number} seeds
 */

/** @type {Draft} */
export const FIRST = {
  name: "", problems: [], drawn: false, solvers: [], goal: "decide", seconds: 10, megabytes: 2048, threads: 1, repeat: 1, seeds: 1,
};

/** The draft in a kept text; the first one if there is none. @param {string | null} text @returns {Draft} */
export function draftIn(text) {
  try {
    const read = JSON.parse(text || "");
    const fits = Array.isArray(read.problems) && Array.isArray(read.solvers);
    return fits ? { ...FIRST, ...read } : FIRST;
  } catch {
    return FIRST;
  }
}

/** A solver with its options in one word, as commands take it. @param {Chosen} chosen */
export const specOf = ({ name, options }) => {
  const told = Object.entries(options).map(([key, value]) => `${key}=${value}`).join(",");
  return told ? `${name}:${told}` : name;
};

/** With another solver, or without it if it is there. @param {Draft} draft @param {Chosen} chosen @returns {Draft} */
export function toggled(draft, chosen) {
  const spec = specOf(chosen);
  const others = draft.solvers.filter((one) => specOf(one) !== spec);
  return { ...draft, solvers: others.length < draft.solvers.length ? others : [...others, chosen] };
}

/** With or without some problems. @param {Draft} draft @param {string[]} names @param {boolean} taken @returns {Draft} */
export function withProblems(draft, names, taken) {
  const some = new Set(names);
  const others = draft.problems.filter((name) => !some.has(name));
  return { ...draft, problems: taken ? [...draft.problems, ...names.filter((name) => !draft.problems.includes(name))] : others };
}

/** The name that a campaign has if none is written: the day, with a number if there is one of that day.
 * @param {string} day such as 2026-11-26 @param {string[]} taken */
export function freeName(day, taken) {
  const first = `compare-${day}`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? first : `${first}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** The campaign that the engine is asked for.
 * @param {Draft} draft @param {string} name @param {any} problem what was drawn @returns {import("./messages.js").Campaign} */
export function campaignOf(draft, name, problem) {
  const { problems, goal, seconds, megabytes, threads, repeat, seeds } = draft;
  const [solvers, drawn] = [draft.solvers.map(specOf), draft.drawn ? problem : null];
  return { name, problems, solvers, drawn, title: "", goal, seconds, megabytes, threads, repeat, seeds };
}

/** The command that makes these runs, and more of what a page cannot do. @param {Draft} draft @param {string[]} names of all problems */
export function commandOf({ problems, solvers, goal, seconds }, names) {
  const quoted = (/** @type {string} */ text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`);
  const isPart = (/** @type {string} */ name) => names.some((other) => other !== name && other.includes(name));
  const only = (/** @type {string} */ name) => (isPart(name) ? `/^${escaped(name)}$/` : name);
  const some = [...problems.map((name) => ` --filter ${quoted(only(name))}`), ...solvers.map((one) => ` --solver ${quoted(specOf(one))}`)];
  return `tiler bench${some.join("")} --goal ${goal} --time-limit ${seconds}s --repeat 3`;
}

/** How many runs these are, if each solver takes a seed. @param {Draft} draft */
export const runsOf = (draft) => (draft.problems.length + (draft.drawn ? 1 : 0)) * draft.solvers.length * draft.repeat * draft.seeds;

/** Seconds in words. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} days`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** @param {string} glob */
const ofGlob = (glob) => escaped(glob)
  .replace(/\\\*/g, ".*")
  .replace(/\\\?/g, ".")
  .replace(/\\\[!?([^\]]*?)\\\]/g, (_, inner) => `[${inner}]`);

/** The filter of the page of runs, as one of `tiler bench --filter`. @param {{text: string, family: string}} filter @returns {string[]} */
export function filtersOf({ text, family }) {
  const within = `${escaped(family)}\\/[^\\/]*$`;
  if (!family) return text ? [text] : [];
  if (!text) return [`/^${within}/`];
  const written = text.match(/^\/(.+)\/$/);
  const looked = written ? `.*(?:${written[1]})` : /[*?[]/.test(text) ? `${ofGlob(text)}$` : `.*${escaped(text)}`;
  return [`/^(?=${looked})${within}/`];
}
