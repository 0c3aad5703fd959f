// The runs of a campaign as values: what fits, in which order, and the filter in a link.
import assert from "node:assert/strict";
import test from "node:test";
import "../../../../tiler/report/page/runs_model.js";

const { tilerRuns } = globalThis;
const SOLVERS = [{ label: "dlx", spec: "dlx:filter=off" }, { label: "fila order=s", spec: "fila:order=s" }];
const DATA = {
  problems: ["4L/10x10_u", "4L/06x06_u", "heart"], solvers: SOLVERS, ends: ["solved", "timeout", "wrong"], categories: ["correct", "unknown"],
  groups: [{ words: "decide, 5 s", seconds: 5 }, { words: "count, 5 s", seconds: 5 }], clocks: ["solve seconds", "cpu seconds"], clock: 0,
  rows: [
    [0, 0, 0, 0, 0, [0.5, 0.6], 12, 0, 0, 0], [0, 1, 0, 1, 1, [null, null], null, 0, 0, 1], [1, 0, 0, 0, 0, [0.25, 0.3], 3, 0, 0, 2],
    [2, 1, 0, 2, 0, [2, 2], 9, 0, 0, 3], [2, 1, 1, 0, 0, [3, 3], 9, 0, 0, 4],
  ],
};
const runs = tilerRuns.runsOf(DATA);
const FIRST = { ...tilerRuns.EVERYTHING, group: "decide, 5 s" };
const numbers = (values) => tilerRuns.fitting(runs, { ...FIRST, ...values }).map((run) => run.number);

test("names fit as in tiler bench --filter", () => {
  assert.deepEqual(numbers({}), [0, 1, 2, 3]);
  assert.deepEqual(numbers({ text: "10x" }), [0, 1]);
  assert.deepEqual(numbers({ text: "4L/*_s" }), []);
  assert.deepEqual(numbers({ text: "4L/0?x*_u" }), [2]);
  assert.deepEqual(numbers({ text: "/^4L.*_u$/" }), [0, 1, 2]);
  assert.deepEqual(numbers({ text: "/(/" }), [0, 1, 2, 3]);
  assert.deepEqual(numbers({ text: "x+" }), []);
});

test("runs solved within a time have the axes of tiler plot", () => { // tests/report/test_plots.py has the figure of these runs.
  const chosen = tilerRuns.fitting(runs, FIRST);
  const { domain, most, counted, each } = tilerRuns.survivalAxes(chosen, 0, 5);
  assert.deepEqual([domain, most, counted, each], [[0.1, 5], 3, "problems", "problem"]);
  assert.deepEqual(tilerRuns.survivalAxes(chosen, 0, null).domain, [0.1, 10]);
  assert.deepEqual(tilerRuns.survivalAxes([...chosen, chosen[0]], 0, 5).counted, "runs");
});

test("seconds have three digits", () => {
  const shown = [0.000999999, 0.00123456, 0.5, 0.99999, 12.345, 1234.5, null].map(tilerRuns.inWords);
  assert.deepEqual(shown, ["1.00 ms", "1.23 ms", "500 ms", "1.00 s", "12.3 s", "1235 s", ""]);
});

test("the other filters", () => {
  assert.deepEqual(numbers({ family: "4L" }), [0, 1, 2]);
  assert.deepEqual(numbers({ end: "wrong" }), [3]);
  assert.deepEqual(numbers({ off: ["dlx"] }), [1, 3]);
  assert.deepEqual(numbers({ group: "count, 5 s" }), [4]);
});

test("runs without a value come last in both directions", () => {
  const seconds = tilerRuns.columns(0).find(([head]) => head === "seconds")[1];
  assert.deepEqual(tilerRuns.sorted(runs.slice(0, 4), seconds, false).map((run) => run.number), [2, 0, 3, 1]);
  assert.deepEqual(tilerRuns.sorted(runs.slice(0, 4), seconds, true).map((run) => run.number), [3, 0, 2, 1]);
});

test("what each solver solved", () => {
  const told = tilerRuns.solvedBySolver(DATA, tilerRuns.fitting(runs, FIRST)).map(({ made, solved, wrong }) => [made, solved, wrong]);
  assert.deepEqual(told, [[2, 2, 0], [2, 0, 1]]);
});

test("runs in which no solver searched count for no solver", () => {
  const some = runs.slice(0, 3).map((run) => ({ ...run, end: run.number ? run.end : tilerRuns.BEFOREHAND }));
  assert.deepEqual(tilerRuns.solvedBySolver(DATA, some).map(({ made, solved }) => [made, solved]), [[1, 1], [1, 0]]);
});

test("a filter goes through a link", () => {
  const usual = { group: "decide, 5 s", clock: "solve seconds" };
  const filter = { ...FIRST, clock: "cpu seconds", text: "a&b=/x/", off: ["dlx", "fila order=s"], sort: "nodes", down: true };
  const entries = new URLSearchParams(Object.entries(tilerRuns.toLink(filter, usual)).filter(([, value]) => value));
  assert.deepEqual({ ...tilerRuns.fromLink(new URLSearchParams(entries.toString())), group: "decide, 5 s" }, filter);
  assert.equal(new URLSearchParams(Object.entries(tilerRuns.toLink(FIRST, usual)).filter(([, value]) => value)).toString(), "");
});

test("the engine's results are read", async () => {
  const { example } = await import("./fake_engine.mjs");
  const { data } = example("first.results");
  const read = tilerRuns.runsOf(data);
  assert.equal(read.length, data.rows.length);
  assert.ok(read.every((run) => run.solver.label && run.end && run.group && Number.isInteger(run.number)));
  assert.equal(tilerRuns.solvedBySolver(data, read).reduce((sum, { made }) => sum + made, 0), read.length);
});
