// The runs of a campaign as values: what they are, which ones fit a filter, in which order, and the filter as the part of a link.
// A classic script, so that a page that is opened as a file can have it in it; it needs no browser.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});

  /** The runs in the data that tiler/report/runs.py writes. */
  tilerRuns.runsOf = (data) => data.rows.map(([problem, solver, group, end, category, seconds, nodes, seed, repeat, number, form]) => {
    const name = data.problems[problem];
    return {
      problem: name, family: name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "", solver: data.solvers[solver], group: data.groups[group].words,
      end: data.ends[end], category: data.categories[category], seconds, nodes, seed, repeat, form, number,
    };
  });

  /** Seconds in words, with three digits. */
  tilerRuns.inWords = (s) => {
    if (s == null) return "";
    const [value, unit] = s >= 0.9995 ? [s, "s"] : s >= 0.9995e-3 ? [s * 1e3, "ms"] : [s * 1e6, "µs"];
    return `${value >= 99.95 ? Math.round(value) : value.toPrecision(3)} ${unit}`;
  };

  /** Whether a name fits a pattern, as in tiler bench --filter: a part, a glob for all of it, or a regular expression between slashes. */
  const matching = (pattern) => {
    const written = pattern.match(/^\/(.+)\/$/);
    if (!written && !/[*?[]/.test(pattern)) return (name) => name.includes(pattern);
    const glob = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".").replace(/\[!/g, "[^");
    try {
      const regex = new RegExp(written ? written[1] : `^${glob}$`, written ? "" : "s");
      return (name) => regex.test(name);
    } catch {
      return () => true; // It is not written to its end yet.
    }
  };

  /** What is looked for at first. */
  tilerRuns.EVERYTHING = Object.freeze({ text: "", family: "", end: "", category: "", group: "", clock: "", off: Object.freeze([]), x: "", y: "", sort: "", down: false });

  /** The runs that fit. */
  tilerRuns.fitting = (runs, filter) => {
    const fits = filter.text ? matching(filter.text) : () => true;
    const off = new Set(filter.off);
    return runs.filter((run) => run.group === filter.group && !off.has(run.solver.label) && (!filter.family || run.family === filter.family)
      && (!filter.end || run.end === filter.end) && (!filter.category || run.category === filter.category) && fits(run.problem));
  };

  /** The columns of the table: a head, and the value of a run; `clock` is the number of a clock. */
  tilerRuns.columns = (clock) => [["problem", (run) => run.problem], ["solver", (run) => run.solver.label], ["end", (run) => run.end],
    ["category", (run) => run.category], ["seconds", (run) => run.seconds[clock]], ["nodes", (run) => run.nodes], ["seed", (run) => run.seed],
    ["repeat", (run) => run.repeat]];

  /** Runs by a column; those without a value come last. */
  tilerRuns.sorted = (runs, value, down) => {
    const sign = down ? -1 : 1;
    const keyed = runs.map((run) => ({ run, key: value(run) }));
    keyed.sort((a, b) => a.key == null || b.key == null ? (a.key == null) - (b.key == null) : a.key < b.key ? -sign : a.key > b.key ? sign : 0);
    return keyed.map(({ run }) => run);
  };

  tilerRuns.LEAST = 1e-7; // seconds; a logarithmic axis has no zero
  tilerRuns.BEFOREHAND = "decided beforehand"; // There is no tiling at sight, so no solver searched.

  /** Whether a solver searched for the answer. */
  tilerRuns.isAttempted = (run) => run.end !== "refused" && run.end !== tilerRuns.BEFOREHAND;

  /** The axes of the runs solved within a time, as tiler plot has them (survival.py): the range of seconds, what is counted, and all there is to solve. */
  tilerRuns.survivalAxes = (chosen, clock, limit) => {
    const attempted = chosen.filter(tilerRuns.isAttempted);
    const powers = attempted.filter((run) => run.end === "solved" && run.seconds[clock] != null).map((run) => Math.log10(Math.max(tilerRuns.LEAST, run.seconds[clock])));
    const low = Math.floor(powers.reduce((one, other) => Math.min(one, other)) + 1e-9);
    const high = Math.max(Math.ceil(powers.reduce((one, other) => Math.max(one, other)) - 1e-9), low + 2);
    const made = new Map();
    for (const { solver } of attempted) made.set(solver, (made.get(solver) || 0) + 1);
    const isOnce = new Set(attempted.map((run) => `${run.solver.label}\n${run.problem}`)).size === attempted.length;
    const most = isOnce ? new Set(attempted.map((run) => run.problem)).size : Math.max(...made.values());
    return { domain: [10 ** low, limit || 10 ** high], most, counted: isOnce ? "problems" : "runs", each: isOnce ? "problem" : "run" };
  };

  /** Each solver with the number of its runs, of those solved, and of wrong ones. */
  tilerRuns.solvedBySolver = (data, runs) => {
    const counts = new Map(data.solvers.map((solver) => [solver, { solver, made: 0, solved: 0, wrong: 0 }]));
    for (const run of runs) {
      const count = counts.get(run.solver);
      count.made += tilerRuns.isAttempted(run);
      count.solved += run.end === "solved";
      count.wrong += run.end === "wrong";
    }
    return [...counts.values()];
  };

  const LISTS = ["off"], WORDS = ["text", "family", "end", "category", "group", "clock", "x", "y", "sort"];

  /** A filter as entries of a link; what is as at first is empty. `usual` are the group and the clock at first. */
  tilerRuns.toLink = (filter, usual) => ({
    ...Object.fromEntries(WORDS.map((key) => [key, filter[key] === (usual[key] || "") ? "" : filter[key]])),
    ...Object.fromEntries(LISTS.map((key) => [key, filter[key].join("|")])), down: filter.down ? "1" : "",
  });

  /** The filter in a link. */
  tilerRuns.fromLink = (entries) => ({
    ...tilerRuns.EVERYTHING,
    ...Object.fromEntries(WORDS.filter((key) => entries.get(key)).map((key) => [key, entries.get(key)])),
    ...Object.fromEntries(LISTS.map((key) => [key, (entries.get(key) || "").split("|").filter(Boolean)])), down: entries.get("down") === "1",
  });
})();
