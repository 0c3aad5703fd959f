import assert from "node:assert/strict";
import test from "node:test";
import { completed, stroked, taken } from "../../../../tiler/apps/studio/page/cell_order.js";

test("a cell is taken last; one that has a number takes back all after it", () => {
  assert.deepEqual(taken([], 5), [5]);
  assert.deepEqual(taken([5, 2], 0), [5, 2, 0]);
  assert.deepEqual(taken([5, 2, 0, 1], 2), [5, 2]);
  assert.deepEqual(taken([5], 5), [5]);
});

test("a stroke adds the cells that are new, each once", () => {
  assert.deepEqual(stroked([3, 1], [1, 2, 2, 3, 4]), [3, 1, 2, 4]);
});

test("cells that are left come last", () => {
  assert.deepEqual(completed([3, 1], 5), [3, 1, 0, 2, 4]);
  assert.deepEqual(completed([], 3), [0, 1, 2]);
});
