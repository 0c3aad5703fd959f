import assert from "node:assert/strict";
import test from "node:test";
import { Places } from "../../../../tiler/apps/studio/page/lattice.js";
import { flipped, left, middleOf, movedTo, orientationOf, Rules, turned } from "../../../../tiler/apps/studio/page/placing.js";
import { example } from "./fake_engine.mjs";

/** @param {number[][]} one @param {number[][]} two */
const sameCells = (one, two) => JSON.stringify(one.map(String).sort()) === JSON.stringify(two.map(String).sort());

const NAMES = ["pentominoes", "calendar", "cube", "hexagonal", "spheres"];

for (const name of NAMES) {
  const opened = example(`${name}.opened`);
  const rules = new Rules(opened, opened.problem);
  const places = new Places(opened.lattice, { across: 12, down: 9, columns: 2, first: 0 }, opened.cells);

  test(`${name}: every placement is an orientation moved, and is found again`, () => {
    for (const [index, [tile, orientation, ...cells]] of opened.placements.entries()) {
      const shape = opened.tiles[tile].orientations[orientation];
      const lies = cells.map((cell) => opened.cells[cell]);
      assert.equal(rules.placement(opened.tiles[tile].name, lies), index);
      if (!opened.problem.wrap.length) {
        assert.equal(orientationOf(places, opened.tiles[tile], lies), orientation);
        const grab = middleOf(places, shape);
        const target = lies.find((cell) => sameCells(movedTo(places, shape, grab, cell), lies));
        assert.ok(target, `placement ${index} can be dragged to where it lies`);
      }
    }
  });

  test(`${name}: turning comes back, and turning over twice`, () => {
    for (const tile of opened.tiles) {
      tile.orientations.forEach((_, start) => {
        let at = start;
        let steps = 0;
        do at = turned(tile, at);
        while (at !== start && ++steps < 12);
        assert.equal(at, start);
        if (opened.lattice.dimension === 2) assert.equal(flipped(tile, flipped(tile, start)), start);
      });
    }
  });
}

test("a piece may not lie on another one, nor off the board", () => {
  const opened = example("pentominoes.opened");
  const rules = new Rules(opened, opened.problem);
  const piece = rules.piece(0);
  const other = rules.piece(opened.placements.findIndex(([tile, , ...cells]) => tile !== opened.placements[0][0] && cells.includes(opened.placements[0][2])));
  assert.ok(rules.allows(piece.tile, piece.cells, []));
  assert.ok(!rules.allows(other.tile, other.cells, [piece]));
  assert.ok(!rules.allows(piece.tile, piece.cells.map(([a, b]) => [a - 50, b]), []));
});

test("cells that leave a board that wraps come back on the other side", () => {
  const opened = { cells: [[0, 0], [0, 1], [0, 2]], tiles: [{ name: "2", at_most: null }], placements: [[0, 0, 0, 2]] };
  const rules = new Rules(opened, { wrap: [[0, 3]] });
  assert.deepEqual(rules.folded([[0, 2], [0, 3]]), [[0, 2], [0, 0]]);
  assert.ok(rules.allows("2", [[0, 2], [0, 3]], []));
  assert.equal(rules.folded([[0, 2], [1, 2]]), null);
});

test("copies that are left", () => {
  const tiles = [{ name: "A", at_most: 2 }, { name: "B", at_most: null }];
  assert.deepEqual(left(tiles, [{ tile: "A", cells: [] }]), [1, null]);
});
