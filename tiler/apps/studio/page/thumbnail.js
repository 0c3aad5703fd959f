// Small drawings of pieces, tilings and problems, for the tray and for lists.
import { useMemo, useState } from "preact/hooks";
import { borderPath, cellsPath, loopPath, Places, viewOf, widened } from "./lattice.js";
import { columnsFor } from "./stage.js";
import { moved, paintOf } from "./piece_drawing.js";
import { link, rules } from "./state.js";
import { html } from "./html.js";

/** @typedef {import("./lattice.js").Cell} Cell */

/** Patches of paint, below the border and above it. @param {import("./placing.js").Patch[]} paint @param {boolean} above */
const coats = (paint, above) => paint.filter(({ level }) => level > 0 === above)
  .map((patch) => html`<path class="coat" d=${loopPath(patch.loop)} fill=${patch.fill} stroke-width=${patch.border} />`);

/** A piece, drawn to a scale: `unit` pixels are the side of a square; `coat` is its paint in the same place, `of` a piece that lies, `at`
 * a cell of it with a dot.
 * @param {{data: any, cells: Cell[], fill: string, unit?: number, coat?: import("./placing.js").Patch[],
 * of?: import("./placing.js").Piece, at?: Cell | null}} props */
export function PieceDrawing({ data, cells, fill, unit = 16, coat, of, at }) {
  const drawn = useMemo(() => {
    const places = layered(data, cells);
    return { box: viewOf(widened(places.box(cells), 0.06)), body: cellsPath(places, cells), border: borderPath(places, cells),
      dot: at && places.centre(at), paint: of ? paintOf(places, rules.value, of) : coat ? moved(places, coat, cells, cells) : [] };
  }, [data, cells, coat, of, at]);
  return html`<svg class="piece small" viewBox=${drawn.box.join(" ")} width=${drawn.box[2] * unit} height=${drawn.box[3] * unit}
    aria-hidden="true">
    <path class="body" d=${drawn.body} fill=${fill} />${coats(drawn.paint, false)}<path class="border" d=${drawn.border} />
      ${coats(drawn.paint, true)}
    ${drawn.dot && html`<circle class="dot" cx=${drawn.dot[0]} cy=${drawn.dot[1]} r="0.2" />`}
  </svg>`;
}

/** @param {{data: any, tiling: {tile: string, cells: Cell[]}[], fills: string[], cells: Cell[]}} props */
export function TilingDrawing({ data, tiling, fills, cells }) {
  const drawn = useMemo(() => {
    const places = layered(data, cells);
    return {
      box: viewOf(widened(places.box(cells), 0.1)).join(" "),
      ground: cellsPath(places, cells),
      pieces: tiling.map((piece, k) => ({ fill: fills[k] || "#ccc", body: cellsPath(places, piece.cells),
        border: borderPath(places, piece.cells), paint: paintOf(places, rules.value, piece) })),
    };
  }, [data, tiling, cells, fills.join()]);
  return html`<svg class="piece small" viewBox=${drawn.box} aria-hidden="true">
    <path class="ground" d=${drawn.ground} />
    ${drawn.pieces.map((piece) => html`<path class="plain" d=${piece.body} fill=${piece.fill} stroke=${piece.fill} />
      ${coats(piece.paint, false)}<path class="border" d=${piece.border} />${coats(piece.paint, true)}`)}
  </svg>`;
}

/** Places whose layers do not overlap when these cells are drawn. @param {any} data @param {Cell[]} cells */
export function layered(data, cells) {
  if (!data.layer) return new Places(data);
  const flat = new Places(data).box(cells);
  const heights = cells.map((cell) => cell[0]);
  const [first, last] = [Math.min(...heights), Math.max(...heights)];
  const [across, down] = [flat.right - flat.left + 0.6, flat.bottom - flat.top + 0.6];
  return new Places(data, { across, down, first, columns: columnsFor(last - first + 1, across, down, { width: 4, height: 3 }) });
}

/** The small picture of a problem in a list. The server draws it when it is first asked for, which may take a second: until then its
 * place is grey; where there is none, as offline, the place stays empty. @param {{name: string, width: number, height: number}} props */
export function ProblemPicture({ name, width, height }) {
  const [state, set] = useState("waiting");
  return html`<img class="problem-picture ${state}" src=${link.engine.thumbnail(name)} alt="" loading="lazy" width=${width} height=${height}
    onLoad=${() => set("here")} onError=${() => set("none")} />`;
}
