// A campaign as it is being chosen, and filters in words that commands take.
import assert from "node:assert/strict";
import test from "node:test";
import { campaignOf, commandOf, draftIn, duration, filtersOf, FIRST, freeName, runsOf, specOf, toggled, withProblems } from "../../../../tiler/apps/studio/page/compare_draft.js";
import { example } from "./fake_engine.mjs";

test("the campaign is the one that the engine reads", () => {
  const draft = { ...withProblems(FIRST, ["4L/02x06_u", "classic/soma_s"], true), solvers: [{ name: "dlx", options: {} }, { name: "matching", options: {} }] };
  assert.deepEqual({ ...campaignOf(draft, "first", null), title: "The first" }, example("first.campaign"));
  assert.equal(runsOf({ ...draft, drawn: true, repeat: 2, seeds: 3 }), 36);
});

test("solvers are taken and left out, each variant once", () => {
  const sat = { name: "sat", options: { engine: "glucose4", encoding: "*" } };
  assert.equal(specOf(sat), "sat:engine=glucose4,encoding=*");
  const draft = toggled(toggled(FIRST, { name: "sat", options: {} }), sat);
  assert.deepEqual(draft.solvers.map(specOf), ["sat", specOf(sat)]);
  assert.deepEqual(toggled(draft, { ...sat }).solvers.map(specOf), ["sat"]);
});

test("problems are taken once, in their order", () => {
  const draft = withProblems(withProblems(FIRST, ["a", "b"], true), ["b", "c"], true);
  assert.deepEqual(draft.problems, ["a", "b", "c"]);
  assert.deepEqual(withProblems(draft, ["a", "c"], false).problems, ["b"]);
});

test("what is kept is read, and other texts are the first draft", () => {
  assert.deepEqual(draftIn(JSON.stringify({ ...FIRST, seconds: 3 })), { ...FIRST, seconds: 3 });
  for (const text of [null, "", "[]", "{", "null", '{"problems": 3}']) assert.equal(draftIn(text), FIRST);
});

test("names that are free", () => {
  assert.equal(freeName("2026-11-26", []), "compare-2026-11-26");
  assert.equal(freeName("2026-11-26", ["compare-2026-11-26", "compare-2026-11-26-2"]), "compare-2026-11-26-3");
});

test("durations in words", () => {
  assert.deepEqual([0.2, 5, 150, 9000, 300000].map(duration), ["less than a second", "5 s", "3 min", "2.5 h", "3 days"]);
});

test("a filter of text and family is one of the command", () => {
  assert.deepEqual(filtersOf({ text: "", family: "" }), []);
  assert.deepEqual(filtersOf({ text: "4L/*_u", family: "" }), ["4L/*_u"]);
  const fits = (filter, name) => new RegExp(filtersOf(filter)[0].slice(1, -1)).test(name);
  for (const text of ["", "x1", "/x1\\d/", "a.b/*1?"]) {
    assert.ok(fits({ text, family: "a.b" }, "a.b/x10"), text);
    assert.ok(!fits({ text, family: "a.b" }, "a.b/c/x10"), text);
    assert.ok(!fits({ text, family: "a.b" }, "aXb/x10"), text);
  }
  assert.ok(!fits({ text: "x1", family: "a.b" }, "a.b/y2"));
  assert.ok(!fits({ text: "a.b/*2", family: "a.b" }, "a.b/x10"));
});

test("the command has the problems and solvers that were chosen, and no others", () => {
  const draft = { ...FIRST, problems: ["4L/2", "misc/1"], solvers: [{ name: "dlx", options: { order: "*" } }], goal: /** @type {const} */ ("count"), seconds: 2 };
  assert.equal(commandOf(draft, ["4L/2", "4L/20", "misc/1"]), "tiler bench --filter '/^4L\\/2$/' --filter misc/1 --solver 'dlx:order=*' --goal count --time-limit 2s --repeat 3");
});
