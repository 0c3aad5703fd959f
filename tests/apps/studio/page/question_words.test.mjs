import assert from "node:assert/strict";
import test from "node:test";
import { called, HELP, helpOf, helpOfParameter, labelOf } from "../../../../tiler/apps/studio/page/question_words.js";
import { example } from "./fake_engine.mjs";

const { questions } = example("catalogue");

test("questions are told in words of the page, not of Python or of the terminal", () => {
  for (const form of questions) {
    const said = [called(form.name), helpOf(form), ...form.parameters.flatMap((one) => [labelOf(one.name), helpOfParameter(one)])];
    for (const words of said) {
      assert.doesNotMatch(words, /`|_|--|\btiler [a-z]|\btuple\b|\bloop\b|\bconstraints?\b|\bparameter\b/, form.name);
      assert.match(words, /^[A-Z0-9]/, form.name);
    }
  }
});

test("there are no words for a question that there is not", () => {
  const names = new Set(questions.map((form) => form.name));
  for (const name of Object.keys(HELP)) assert.ok(names.has(name), name);
});
