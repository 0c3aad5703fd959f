import assert from "node:assert/strict";
import test from "node:test";
import { Places } from "../../../../tiler/apps/studio/page/lattice.js";
import { shownIn, windowOf } from "../../../../tiler/apps/studio/page/piece_window.js";
import { example } from "./fake_engine.mjs";

for (const lattice of example("lattices")) {
  const places = new Places(lattice, undefined, new Places(lattice).grown([lattice.kinds[0].cell]));
  const start = lattice.kinds[0].cell;

  test(`${lattice.name}: a window keeps still while a piece is drawn inside`, () => {
    const first = windowOf(places, []);
    assert.equal(windowOf(places, [start], first), first);
    assert.equal(windowOf(places, [], first), first);
  });

  test(`${lattice.name}: it grows where the piece comes near its border, and shows all cells whole`, () => {
    const first = windowOf(places, [start]);
    const { at: [x, y], cell } = lattice.periods.find(({ at }) => Math.abs(at[0]) > 0.1);
    const far = start.map((a, k) => a + 4 * cell[k]);
    const next = windowOf(places, [start, far], first);
    assert.ok(x > 0 ? next.right > first.right && next.left === first.left : next.left < first.left && next.right === first.right, `${x} ${y}`);
    const { cells, box } = shownIn(places, next, start[0]);
    for (const [a, b] of cells.flatMap((one) => places.outline(one))) {
      assert.ok(a >= box.left && a <= box.right && b >= box.top && b <= box.bottom);
    }
    if (!places.among) assert.ok(cells.some((one) => String(one) === String(start)));
  });
}
