import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { usualBoard } from "../../../../tiler/apps/studio/page/usual_board.js";
import { example } from "./fake_engine.mjs";

// tests/apps/studio/test_engine.py looks whether these words are boards.
const words = JSON.parse(readFileSync(new URL("usual_boards.json", import.meta.url), "utf8"));

test("every lattice has a board to begin with", () => {
  const { lattices, boards } = example("catalogue");
  const formsOn = (name) => boards.filter((one) => one.lattice === name);
  const usual = lattices.map(({ name, dimension }) => [name, usualBoard(formsOn(name), dimension === 3)]);
  assert.deepEqual(Object.fromEntries(usual), words);
});
