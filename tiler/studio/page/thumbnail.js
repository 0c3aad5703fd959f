// Small drawings of pieces and tilings, for the tray and for lists.
import { useMemo } from "preact/hooks";
import { borderPath, cellsPath, Places } from "./lattice.js";
import { html } from "./html.js";

/** @typedef {import("./lattice.js").Cell} Cell */

/** A piece, drawn to a scale: `unit` pixels are the side of a square. @param {{data: any, cells: Cell[], fill: string, unit?: number}} props */
export function PieceDrawing({ data, cells, fill, unit = 16 }) {
  const drawn = useMemo(() => {
    const places = layered(data, cells);
    const { left, top, right, bottom } = places.box(cells);
    return { box: [left - 0.06, top - 0.06, right - left + 0.12, bottom - top + 0.12], body: cellsPath(places, cells), border: borderPath(places, cells) };
  }, [data, cells]);
  return html`<svg class="piece small" viewBox=${drawn.box.join(" ")} width=${drawn.box[2] * unit} height=${drawn.box[3] * unit} aria-hidden="true">
    <path class="body" d=${drawn.body} fill=${fill} /><path class="border" d=${drawn.border} />
  </svg>`;
}

/** @param {{data: any, tiling: {tile: string, cells: Cell[]}[], fills: Map<string, string>, cells: Cell[]}} props */
export function TilingDrawing({ data, tiling, fills, cells }) {
  const drawn = useMemo(() => {
    const places = layered(data, cells);
    const { left, top, right, bottom } = places.box(cells);
    return {
      box: [left - 0.1, top - 0.1, right - left + 0.2, bottom - top + 0.2].join(" "),
      ground: cellsPath(places, cells),
      pieces: tiling.map((piece) => ({ fill: fills.get(piece.tile) || "#ccc", body: cellsPath(places, piece.cells), border: borderPath(places, piece.cells) })),
    };
  }, [data, tiling, cells]);
  return html`<svg class="piece small" viewBox=${drawn.box} aria-hidden="true">
    <path class="ground" d=${drawn.ground} />
    ${drawn.pieces.map((piece) => html`<path class="plain" d=${piece.body} fill=${piece.fill} stroke=${piece.fill} /><path class="border" d=${piece.border} />`)}
  </svg>`;
}

/** Places whose layers do not overlap when these cells are drawn. @param {any} data @param {Cell[]} cells */
function layered(data, cells) {
  if (!data.layer) return new Places(data, 0);
  const flat = new Places(data, 0).box(cells);
  return new Places(data, flat.right - flat.left + 0.6);
}
