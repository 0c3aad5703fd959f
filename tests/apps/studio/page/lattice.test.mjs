import assert from "node:assert/strict";
import test from "node:test";
import { borderPath, cellsPath, Places } from "../../../../tiler/apps/studio/page/lattice.js";
import { line, rectangle } from "../../../../tiler/apps/studio/page/selection.js";
import { columnsFor, layerAt, stageOf } from "../../../../tiler/apps/studio/page/stage.js";
import { example } from "./fake_engine.mjs";

const lattices = example("lattices");
/** Layers beside each other, so far apart. */
const beside = (across) => ({ across, down: 0, columns: 99, first: 0 });
const called = (name) => lattices.find((one) => one.name === name);

for (const data of lattices) {
  test(`${data.name}: a cell is found at its own centre, and moving by periods moves its drawing`, () => {
    const places = new Places(data, beside(20), data.kinds.map((kind) => kind.cell));
    for (const { cell } of data.kinds) {
      const [x, y] = places.centre(cell);
      // In a body without layers cells may lie behind each other.
      if (!places.among) assert.deepEqual(places.at([x, y], data.layer ? cell[0] : 0), cell);
      for (const period of data.periods) {
        const moved = cell.map((a, k) => a + 3 * period.cell[k]);
        const [mx, my] = places.centre(moved);
        assert.ok(Math.abs(mx - x - 3 * period.at[0]) < 1e-6 && Math.abs(my - y - 3 * period.at[1]) < 1e-6);
        assert.equal(places.find(moved).kind, places.find(cell).kind);
      }
    }
  });
}

test("what is no cell of the lattice is not found", () => {
  const spheres = new Places(called("triangular"));
  const kinds = called("triangular").kinds.map((kind) => kind.cell);
  const every = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b]));
  const found = every.filter((cell) => spheres.find(cell));
  assert.ok(found.length >= kinds.length && found.length < every.length);
});

test("arrow keys on squares go to the neighbours", () => {
  const places = new Places(called("square"));
  assert.deepEqual(places.next([2, 3], [1, 0]), [2, 4]);
  assert.deepEqual(places.next([2, 3], [-1, 0]), [2, 2]);
  assert.deepEqual(places.next([2, 3], [0, 1]), [3, 3]);
  assert.deepEqual(places.next([2, 3], [0, -1]), [1, 3]);
});

for (const data of lattices.filter((one) => one.dimension === 2 || one.layer)) {
  test(`${data.name}: arrow keys lead to every cell near by`, () => {
    const places = new Places(data, beside(30));
    const layer = data.kinds[0].cell[0];
    const [cx, cy] = places.centre(data.kinds[0].cell);
    const near = places.within({ left: cx - 1.6, right: cx + 1.6, top: cy - 1.6, bottom: cy + 1.6 }, data.layer ? layer : 0);
    const seen = new Map([[String(data.kinds[0].cell), data.kinds[0].cell]]);
    for (const cell of seen.values()) {
      const [x, y] = places.centre(cell);
      if (Math.hypot(x - cx, y - cy) > 8) continue;
      for (const way of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const next = places.next(cell, way);
        seen.set(String(next), next);
      }
    }
    assert.deepEqual(near.filter((cell) => !seen.has(String(cell))), []);
  });
}

test("a rectangle and a line of squares", () => {
  const places = new Places(called("square"));
  assert.equal(rectangle(places, [0, 0], [2, 4]).length, 15);
  assert.equal(rectangle(places, [2, 4], [0, 0]).length, 15);
  assert.deepEqual(line(places, [0, 0], [0, 3]), [[0, 0], [0, 1], [0, 2], [0, 3]]);
  assert.equal(line(places, [0, 0], [3, 3]).filter(([a, b]) => a === b).length, 4);
});

test("a rectangle in space stays in its layer", () => {
  const places = new Places(called("cubic"), beside(7));
  const cells = rectangle(places, [2, 0, 0], [2, 1, 2]);
  assert.equal(cells.length, 6);
  assert.ok(cells.every((cell) => cell[0] === 2));
});

test("the border of two squares has six sides, their cells eight", () => {
  const places = new Places(called("square"));
  const count = (path) => path.split("M").length - 1;
  assert.equal(count(borderPath(places, [[0, 0], [0, 1]])), 6);
  assert.equal(count(cellsPath(places, [[0, 0], [0, 1]])), 2);
});

test("layers lie beside each other, and a place tells its layer", () => {
  const data = called("cubic");
  const cells = [0, 1, 2].flatMap((z) => [[z, 0, 0], [z, 1, 1]]);
  const places = new Places(data, beside(6));
  const stage = stageOf(places, cells, 0.5, 1);
  assert.deepEqual(stage.layers.map((one) => one.layer), [-1, 0, 1, 2, 3]);
  for (const cell of cells) assert.equal(layerAt(stage, places.centre(cell)), cell[0]);
});

test("the border of many cells of any lattice of the plane is closed: two ends meet at each corner", () => {
  for (const data of lattices.filter((one) => one.dimension === 2 && !one.has_edges)) {
    const places = new Places(data);
    const cells = places.within({ left: 20, right: 27, top: 20, bottom: 27 });
    /** @type {number[][]} */
    const ends = borderPath(places, cells).split(/[ML]/).slice(1).map((spot) => spot.split(" ").map(Number));
    for (const [x, y] of ends) {
      const meeting = ends.filter(([a, b]) => Math.hypot(a - x, b - y) < 0.02).length;
      assert.ok(meeting % 2 === 0, `${data.name}: ${meeting} ends at ${x}, ${y}`);
    }
  }
});

test("layers lie in rows where that makes them larger", () => {
  assert.equal(columnsFor(3, 4, 4, { width: 1000, height: 400 }), 3);
  assert.equal(columnsFor(6, 4, 4, { width: 600, height: 400 }), 3);
  assert.equal(columnsFor(6, 4, 4, { width: 200, height: 900 }), 1);
  const places = new Places(called("cubic"), { across: 5, down: 6, columns: 2, first: 0 });
  const stage = stageOf(places, [[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.5);
  assert.deepEqual(places.centre([2, 1, 1]), [1, 7]);
  assert.deepEqual(places.at([6, 1]), [0, 1, 6]);
  assert.equal(layerAt(stage, [0.2, 6.3]), 2);
  assert.deepEqual(places.within({ left: -0.5, right: 0.5, top: 5.5, bottom: 6.5 }, 2), [[2, 0, 0]]);
});
