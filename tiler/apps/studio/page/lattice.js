// Where cells lie, from the data of a lattice: cells are kinds moved by whole multiples of periods. Nothing here knows any
// lattice; the engine sends the data (see `Lattice` in messages.d.ts), and this module adds and looks up.

/** @typedef {number[]} Cell */
/** @typedef {[number, number]} Spot */
/** @typedef {{cell: Cell, at: Spot}} Period */
/** @typedef {{cell: Cell, centre: Spot, outline: Spot[], sides?: {beyond: Cell, ends: Spot[]}[], beyond?: (Cell | null)[]}} Kind */
/** @typedef {{name: string, dimension: number, has_edges?: boolean, periods: Period[], kinds: Kind[], layer?: {cell: Cell,
 * at?: Spot} | null}} LatticeData */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** @param {Cell} cell */
export const keyOf = (cell) => cell.join(",");

/** The cells, each once. @param {Cell[]} cells */
export const distinct = (cells) => [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];

/** A cell in words, counted from 1. @param {Cell} cell */
export const fromOne = (cell) => cell.map((a) => a + 1).join(", ");

/** @param {Cell} cell @param {Cell} by @returns {Cell} */
export const plus = (cell, by) => cell.map((a, k) => a + by[k]);

/** @param {Cell} cell @param {Cell} by @returns {Cell} */
export const minus = (cell, by) => cell.map((a, k) => a - by[k]);

/** Ways on the page, by the keys that lead there. @type {Record<string, Spot>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Spot} one @param {Spot} two */
export const distance = (one, two) => Math.hypot(one[0] - two[0], one[1] - two[1]);

/** The first of the entries with the least number; undefined if there is none. @template T @param {T[]} entries
 * @param {(entry: T) => number} number */
export function leastBy(entries, number) {
  const numbers = entries.map(number);
  return entries[numbers.indexOf(Math.min(...numbers))];
}

/** A box that reaches further to all sides. @param {Box} box @param {number} by @returns {Box} */
export const widened = ({ left, top, right, bottom }, by) => ({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });

/** A box as an SVG shows it: left, top, width, height. @param {Box} box */
export const viewOf = ({ left, top, right, bottom }) => [left, top, right - left, bottom - top];

/** Solves columns * x = right by Cramer's rule, in two or three dimensions. @param {number[][]} columns @param {number[]} right */
function solve(columns, right) {
  /** @param {number[][]} m @returns {number} */
  const det = (m) => m.length === 1 ? m[0][0] : m[0].reduce((sum, a, k) =>
    sum + (k % 2 ? -1 : 1) * a * det(m.slice(1).map((row) => row.filter((_, j) => j !== k))), 0);
  const whole = det(columns);
  return columns.map((_, k) => det(columns.map((column, j) => (j === k ? right : column))) / whole);
}

const SLACK = 1e-6;

/** How layers lie on the page, in rows: the distances `across` and `down`, the number of `columns`, and the `first` layer.
 * @typedef {{across: number, down: number, columns: number, first: number}} Rows */

/** Layers on top of each other. @type {Rows} */
export const STACKED = { across: 0, down: 0, columns: 1, first: 0 };

/** The places of the cells of one lattice, on the page. */
export class Places {
  /** @param {LatticeData} data @param {Rows} [rows] @param {Cell[]} [among] the only cells there are to point at, where the
   * drawing is a view of a body without layers */
  constructor(data, rows = STACKED, among = []) {
    this.data = data;
    this.among = data.dimension === 3 && !data.layer ? among : null;
    this.rows = rows;
    this.vectors = data.layer ? [...data.periods, { cell: data.layer.cell, at: data.layer.at || [0, 0] }] : data.periods;
    this.columns = this.vectors.map((vector) => vector.cell);
    /** @type {Map<string, {kind: number, at: Spot} | null>} */
    this.known = new Map();
    const [one, two] = data.periods.map((period) => period.at);
    this.planes = [one, two];
  }

  /** Where a layer is drawn. @param {number} layer @returns {Spot} */
  offset(layer) {
    if (!this.data.layer) return [0, 0];
    const { across, down, columns, first } = this.rows;
    const row = Math.floor((layer - first) / columns);
    return [across * (layer - first - row * columns), down * row];
  }

  /** The kind of a cell and where its kind was moved to; null if it is no cell of the lattice. @param {Cell} cell */
  find(cell) {
    const key = keyOf(cell);
    const before = this.known.get(key);
    if (before !== undefined) return before;
    let answer = null;
    for (const [kind, { cell: start }] of this.data.kinds.entries()) {
      const steps = solve(this.columns, minus(cell, start));
      if (!steps.every((step) => Math.abs(step - Math.round(step)) < SLACK)) continue;
      /** @type {Spot} */
      const at = [0, 0];
      steps.forEach((step, k) => {
        at[0] += Math.round(step) * this.vectors[k].at[0];
        at[1] += Math.round(step) * this.vectors[k].at[1];
      });
      const [across, down] = this.offset(cell[0]);
      at[0] += across;
      at[1] += down;
      answer = { kind, at };
      break;
    }
    if (this.known.size > 300_000) this.known.clear();
    this.known.set(key, answer);
    return answer;
  }

  /** The cell beyond a face of a cell in space, null if there is none. @param {Cell} cell @param {number} face @returns {Cell | null} */
  beyond(cell, face) {
    const place = this.find(cell);
    const kind = place && this.data.kinds[place.kind];
    const other = kind?.beyond?.[face];
    return kind && other ? plus(cell, minus(other, kind.cell)) : null;
  }

  /** The sides of a cell: the cell beyond each, and the ends in the drawing. @param {Cell} cell */
  sides(cell) {
    const place = this.find(cell);
    if (!place) return [];
    const kind = this.data.kinds[place.kind];
    const by = minus(cell, kind.cell);
    return (kind.sides || []).map(({ beyond, ends }) =>
      ({ beyond: plus(beyond, by), ends: ends.map(([x, y]) => /** @type {Spot} */ ([x + place.at[0], y + place.at[1]])) }));
  }

  /** Some cells and all beside them. @param {Cell[]} cells @returns {Cell[]} */
  grown(cells) {
    return distinct([...cells, ...cells.flatMap((cell) => this.sides(cell).map(({ beyond }) => beyond))]);
  }

  /** The least translation across the page (or down it) that takes cells off each other: where their one end meets the other.
   * @param {Cell[]} cells @param {0 | 1} axis 0 across, 1 down @returns {Cell | null} */
  join(cells, axis) {
    const there = new Set(cells.map(keyOf));
    const [one, two] = this.data.periods;
    const reach = 2 + Math.ceil(Math.sqrt(cells.length)
      + Math.max(0, ...[0, 1].map((k) => Math.max(...cells.map((c) => c[c.length - 1 - k])) - Math.min(...cells.map((c) =>
      c[c.length - 1 - k])))));
    let best = null;
    let least = Infinity;
    for (let a = -reach; a <= reach; a++) {
      for (let b = -reach; b <= reach; b++) {
        const way = [0, 1].map((k) => a * one.at[k] + b * two.at[k]);
        if (Math.abs(way[1 - axis]) > 0.01 || way[axis] < 0.01 || way[axis] >= least) continue;
        const by = one.cell.map((v, k) => a * v + b * two.cell[k]);
        if (cells.some((cell) => there.has(keyOf(plus(cell, by))))) continue;
        [best, least] = [by, way[axis]];
      }
    }
    return best;
  }

  /** @param {Cell} cell @returns {Spot} */
  centre(cell) {
    const place = this.find(cell);
    if (!place) return [0, 0];
    const { centre } = this.data.kinds[place.kind];
    return [place.at[0] + centre[0], place.at[1] + centre[1]];
  }

  /** @param {Cell} cell @returns {Spot[]} */
  outline(cell) {
    const place = this.find(cell);
    if (!place) return [];
    return this.data.kinds[place.kind].outline.map(([x, y]) => [x + place.at[0], y + place.at[1]]);
  }

  /** The box around the outlines of some cells. @param {Iterable<Cell>} cells @returns {Box} */
  box(cells) {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const cell of cells) {
      for (const [x, y] of this.outline(cell)) {
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y);
      }
    }
    return box.left > box.right ? { left: 0, top: 0, right: 1, bottom: 1 } : box;
  }

  /** The cells of a layer whose centres lie in a box (a box of that layer alone). @param {Box} box @param {number} [layer]
   * @returns {Cell[]} */
  within(box, layer = 0) {
    const { data } = this;
    if (this.among) {
      return this.among.filter((cell) => {
        const [x, y] = this.centre(cell);
        return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      });
    }
    /** @type {Cell[]} */
    const cells = [];
    for (const { cell, centre } of data.kinds) {
      let start = cell;
      let moved = [0, 0];
      if (data.layer) {
        const height = data.layer.cell[0];
        if ((layer - cell[0]) % height) continue;
        const times = (layer - cell[0]) / height;
        const shift = data.layer.at || [0, 0];
        start = plus(cell, data.layer.cell.map((a) => a * times));
        const [across, down] = this.offset(layer);
        moved = [shift[0] * times + across, shift[1] * times + down];
      }
      const corners = [[box.left, box.top], [box.right, box.top], [box.left, box.bottom], [box.right, box.bottom]].map(
        ([x, y]) => solve(this.planes, [x - moved[0] - centre[0], y - moved[1] - centre[1]]));
      const range = [0, 1].map((k) => [Math.floor(Math.min(...corners.map((c) => c[k]))),
        Math.ceil(Math.max(...corners.map((c) => c[k])))]);
      for (let a = range[0][0]; a <= range[0][1]; a++) {
        for (let b = range[1][0]; b <= range[1][1]; b++) {
          const x = centre[0] + moved[0] + a * this.planes[0][0] + b * this.planes[1][0];
          const y = centre[1] + moved[1] + a * this.planes[0][1] + b * this.planes[1][1];
          if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
          cells.push(start.map((v, k) => v + a * data.periods[0].cell[k] + b * data.periods[1].cell[k]));
        }
      }
    }
    return cells;
  }

  /** The cell at a spot: the one whose outline holds it, else the one with the nearest centre. @param {Spot} spot
   * @param {number} [layer] */
  at([x, y], layer = 0) {
    const near = this.within(widened({ left: x, right: x, top: y, bottom: y }, 1.3), layer);
    const holding = this.among ? undefined : near.find((cell) => holds(this.outline(cell), x, y));
    return holding || leastBy(near, (cell) => distance(this.centre(cell), [x, y])) || null;
  }

  /** The next cell in a direction on the page: the one that lies best that way. @param {Cell} cell @param {Spot} way */
  next(cell, [dx, dy]) {
    const [x, y] = this.centre(cell);
    const layer = this.data.layer ? cell[0] : 0;
    let best = cell;
    let least = Infinity;
    for (const other of this.within(widened({ left: x, right: x, top: y, bottom: y }, 2.1), layer)) {
      const [ox, oy] = this.centre(other);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = (oy - y) * dx - (ox - x) * dy;
      if (along < 0.2 || Math.abs(aside) > 2 * along) continue;
      // Near cells before those that lie exactly that way but further off; of two alike, the one on the right hand.
      const cost = (along ** 2 + aside ** 2) ** 1.1 / along - 0.001 * aside;
      if (cost < least - SLACK) [best, least] = [other, cost];
    }
    return best;
  }

  /** The translation of the lattice, as a cell, that is nearest to a way on the page (within a layer). @param {Spot} way @returns {Cell} */
  translation(way) {
    const steps = solve(this.planes, way).map(Math.round);
    let best = [0, 0];
    let least = Infinity;
    for (const a of [-1, 0, 1]) {
      for (const b of [-1, 0, 1]) {
        const [p, q] = [steps[0] + a, steps[1] + b];
        const far = [0, 1].reduce((sum, k) => sum + (p * this.planes[0][k] + q * this.planes[1][k] - way[k]) ** 2, 0);
        if (far < least - SLACK) [best, least] = [[p, q], far];
      }
    }
    const [one, two] = this.data.periods;
    return one.cell.map((v, k) => best[0] * v + best[1] * two.cell[k]);
  }
}

/** @param {Spot[]} loop @param {number} x @param {number} y */
function holds(loop, x, y) {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [ax, ay] = loop[i];
    const [bx, by] = loop[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** @param {number} a */
const short = (a) => String(Math.round(a * 1000) / 1000);

/** The path data of a loop; empty where it has no corners. @param {Spot[]} loop */
export const loopPath = (loop) => (loop.length ? `M${loop.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z` : "");

/** The path data of the outlines of cells, each by itself. @param {Places} places @param {Cell[]} cells */
export const cellsPath = (places, cells) => cells.map((cell) => loopPath(places.outline(cell))).join("");

const NEAR = 0.02; // Two sides are the same, rounded differently, if their middles are nearer than this.

/** The path data of the border around a group of cells: the sides that only one of them has. @param {Places} places
 * @param {Iterable<Cell>} cells */
export function borderPath(places, cells) {
  /** @typedef {{x: number, y: number, ends: number[], twice: boolean}} Side */
  /** @type {Map<number, Side[]>} the sides by the box of a quarter by a quarter that their middle is in */
  const boxes = new Map();
  /** @type {Side[]} */
  const sides = [];
  /** @param {number} x @param {number} y */
  const boxOf = (x, y) => Math.round(x * 4) * (1 << 24) + Math.round(y * 4);
  /** @param {number} x @param {number} y */
  const sideAt = (x, y) => {
    let before = NaN;
    for (const [a, b] of [[-NEAR, -NEAR], [NEAR, NEAR], [-NEAR, NEAR], [NEAR, -NEAR]]) {
      const box = boxOf(x + a, y + b);
      if (box === before) continue; // So it is for nearly all: their middle is well inside of one box.
      before = box;
      const same = boxes.get(box)?.find((side) => Math.abs(side.x - x) < NEAR && Math.abs(side.y - y) < NEAR);
      if (same) return same;
    }
    return null;
  };
  for (const cell of cells) {
    const loop = places.outline(cell);
    loop.forEach(([ax, ay], k) => {
      const [bx, by] = loop[(k + 1) % loop.length];
      const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
      const same = sideAt(x, y);
      if (same) {
        same.twice = true;
        return;
      }
      const side = { x, y, ends: [ax, ay, bx, by], twice: false };
      const box = boxes.get(boxOf(x, y));
      if (box) box.push(side);
      else boxes.set(boxOf(x, y), [side]);
      sides.push(side);
    });
  }
  return sides.filter((side) => !side.twice).map(({ ends: [ax, ay, bx, by] }) => `M${short(ax)} ${short(ay)}L${short(bx)} ${short(by)}`)
    .join("");
}
