// Laying pieces: which way a piece lies is looked up in what the engine sent, and where it lies is added.
import { distance, keyOf, leastBy, minus, Places, plus } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {{name: string, fill: string, area: number, at_least: number, at_most: number | null, orientations: Cell[][],
 * turned: number[], flipped: number[], mirrored?: number[], coats?: Patch[][]}} PlayTile */
/** @typedef {{cell: Cell, loop: [number, number][], fill: string, border: number, level: number, name: string}} Patch */
/** `orientation` is known of pieces whose paint is seen.
 * @typedef {{tile: string, cells: Cell[], locked?: boolean, orientation?: number | null}} Piece */
/** @typedef {{tile: string, orientation: number, grab: number}} Hand */

/** What the engine said of a problem, made ready to look up. */
export class Rules {
  /** @param {import("./messages.js").Opened} opened @param {any} problem */
  constructor(opened, problem) {
    this.opened = opened;
    this.places = opened.lattice ? new Places(opened.lattice) : null;
    /** @type {Cell[]} */
    this.cells = opened.cells;
    /** @type {PlayTile[]} */
    this.tiles = opened.tiles;
    this.number = new Map(this.cells.map((cell, k) => [keyOf(cell), k]));
    this.tile = new Map(this.tiles.map((tile, k) => [tile.name, k]));
    this.wraps = shifts(problem.wrap || []);
    /** @type {Map<string, number> | null} */
    this.index = null;
    if (opened.placements) {
      this.index = new Map();
      opened.placements.forEach(([tile, orientation, ...cells], k) =>
        this.index?.set(this.key(tile, cells, orientation), k));
    }
  }

  /** The tile of that name, undefined if there is none. @param {string} name */
  tileOf(name) {
    return this.tiles[this.tile.get(name) ?? -1];
  }

  /** Cells brought back to the board, where it wraps; null if one is not on it. @param {Cell[]} cells @returns {Cell[] | null} */
  folded(cells) {
    const home = cells.map((cell) => this.wraps.map((way) => plus(cell, way)).find((moved) => this.number.has(keyOf(moved))));
    const keys = new Set(home.map((cell) => cell && keyOf(cell)));
    return home.every(Boolean) && keys.size === cells.length ? /** @type {Cell[]} */ (home) : null;
  }

  /** What tells a placement from others: the orientation too, if the tile is painted. @param {number} tile @param {number[]} cells
   * @param {number | null} [orientation] */
  key(tile, cells, orientation) {
    const way = this.tiles[tile]?.coats?.length ? `@${orientation ?? 0}` : "";
    return `${tile}${way}:${[...cells].sort((a, b) => a - b).join(",")}`;
  }

  /** The colours of pieces that lie; with `byCopy` another one for each copy of a tile. @param {Piece[]} pieces
   * @param {boolean} [byCopy] */
  fills(pieces, byCopy = false) {
    const palette = [...new Set(this.opened.palette || [])];
    /** @type {Map<string, number>} */
    const copies = new Map();
    return pieces.map((piece) => {
      const own = this.tileOf(piece.tile)?.fill || "#cccccc";
      const copy = copies.get(piece.tile) ?? 0;
      copies.set(piece.tile, copy + 1);
      const at = palette.indexOf(own);
      return byCopy && copy && palette.length ? String(palette[(Math.max(0, at) + 5 * copy) % palette.length]) : own;
    });
  }

  /** The number of a piece's placement, -1 if there is none, null where the engine sent no list. @param {string} name
   * @param {Cell[]} cells @param {number | null} [orientation] */
  placement(name, cells, orientation) {
    if (!this.index) return null;
    const key = this.key(this.tile.get(name) ?? -1, cells.map((cell) => this.number.get(keyOf(cell)) ?? -1), orientation);
    return this.index.get(key) ?? -1;
  }

  /** A placement as the engine sent it: tile, orientation, cells. @param {number} index @returns {number[]} */
  sent(index) {
    return this.opened.placements?.[index] || [];
  }

  /** A placement as a piece. @param {number} index @returns {Piece} */
  piece(index) {
    const [tile, orientation, ...cells] = this.sent(index);
    const piece = { tile: this.tiles[tile].name, cells: cells.map((cell) => this.cells[cell]) };
    return this.tiles[tile].coats?.length ? { ...piece, orientation } : piece;
  }

  /** The cells of a piece in the order of those of its orientation; null if it does not lie so. @param {Piece} piece
   * @param {number} orientation */
  lying(piece, orientation) {
    const shape = this.tileOf(piece.tile)?.orientations[orientation];
    if (!shape) return null;
    const there = new Set(piece.cells.map(keyOf));
    for (const cell of piece.cells) {
      const by = minus(cell, shape[0]);
      const home = this.folded(shape.map((one) => plus(one, by)));
      if (home?.every((one) => there.has(keyOf(one)))) return home;
    }
    return null;
  }

  /** Whether a piece may lie there: on the board, and on no other piece. @param {string} name @param {Cell[]} cells
   * @param {Piece[]} laid @param {number} [orientation] */
  allows(name, cells, laid, orientation) {
    const home = this.folded(cells);
    if (!home) return false;
    const taken = new Set(laid.flatMap((piece) => piece.cells.map(keyOf)));
    if (home.some((cell) => taken.has(keyOf(cell)))) return false;
    return this.placement(name, home, orientation) !== -1;
  }
}

/** All ways that lead back, twice round at most; no way first. @param {Cell[]} wrap @returns {Cell[]} */
function shifts(wrap) {
  /** @type {Cell[]} */
  let ways = [];
  for (const vector of wrap) {
    const known = ways.length ? ways : [vector.map(() => 0)];
    ways = known.flatMap((way) => [0, 1, -1, 2, -2].map((times) => plus(way, vector.map((a) => a * times))));
  }
  return ways.length ? ways : [[0, 0, 0]];
}

/** @param {number[] | undefined} others the orientations after a move, -1 where it is not allowed @param {number} orientation */
function moved(others, orientation) {
  const other = others?.[orientation] ?? -1;
  return other < 0 ? orientation : other;
}

/** The same piece turned to the right; itself where that is not allowed. @param {PlayTile} tile @param {number} orientation */
export const turned = (tile, orientation) => moved(tile.turned, orientation);

/** The same piece turned over; itself where that is not allowed. @param {PlayTile} tile @param {number} orientation */
export const flipped = (tile, orientation) => moved(tile.flipped, orientation);

/** In space, the mirror image; itself where that is not allowed. @param {PlayTile} tile @param {number} orientation */
export const mirrored = (tile, orientation) => moved(tile.mirrored, orientation);

/** The cell of a piece by which it is held: the one nearest to its middle. @param {Places} places @param {Cell[]} cells */
export function middleOf(places, cells) {
  const spots = cells.map((cell) => places.centre(cell));
  const [x, y] = [0, 1].map((k) => spots.reduce((sum, spot) => sum + spot[k], 0) / spots.length);
  return spots.indexOf(leastBy(spots, (spot) => distance(spot, [x, y])));
}

/** A piece of an orientation, moved so that the cell it is held by lies on a cell, or as near to it as the lattice lets it.
 * @param {Places} places @param {Cell[]} cells @param {number} grab @param {Cell} target */
export function movedTo(places, cells, grab, target) {
  const kind = places.find(target)?.kind;
  const same = (/** @type {Cell} */ cell) => places.find(cell)?.kind === kind;
  const held = places.among && !same(cells[grab]) ? cells.find(same) || cells[grab] : cells[grab];
  if (same(held)) return shifted(cells, minus(target, held));
  let start = cells;
  let [x, y] = places.centre(held);
  const { layer } = places.data;
  if (layer) {
    const times = Math.round((target[0] - held[0]) / layer.cell[0]);
    const up = layer.cell.map((a) => a * times);
    start = shifted(cells, up);
    [x, y] = places.centre(plus(held, up));
  }
  const [toX, toY] = places.centre(target);
  return shifted(start, places.translation([toX - x, toY - y]));
}

/** @param {Cell[]} cells @param {Cell} by */
const shifted = (cells, by) => cells.map((cell) => plus(cell, by));

/** The orientation that a piece on the board has: the one of which it is a translation, -1 if none.
 * @param {Places} places @param {PlayTile} tile @param {Cell[]} cells */
export function orientationOf(places, tile, cells) {
  const ours = [...cells].sort(order);
  return tile.orientations.findIndex((shape) => {
    const other = [...shape].sort(order);
    if (other.length !== ours.length) return false;
    const by = minus(ours[0], other[0]);
    return other.every((cell, k) => keyOf(plus(cell, by)) === keyOf(ours[k]));
  });
}

/** @param {Cell} one @param {Cell} two */
function order(one, two) {
  const k = one.findIndex((a, at) => a !== two[at]);
  return k < 0 ? 0 : one[k] - two[k];
}

/** How many copies of each tile are left: null where there is no bound. @param {PlayTile[]} tiles @param {Piece[]} laid */
export function left(tiles, laid) {
  return tiles.map((tile) => {
    const used = laid.filter((piece) => piece.tile === tile.name).length;
    return tile.at_most === null || tile.at_most === undefined ? null : tile.at_most - used;
  });
}
