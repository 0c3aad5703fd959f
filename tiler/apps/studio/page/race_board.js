// The board of a racer: the pieces that lie, drawn again as frames come, one element for each piece that stays or goes.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { borderPath, cellsPath, viewOf, widened } from "./lattice.js";
import { pieceElement } from "./piece_drawing.js";
import { layered } from "./thumbnail.js";
import { html } from "./html.js";

/** @typedef {import("./messages.js").RaceAbout} About */

const CALM_MILLISECONDS = 700; // between two pictures for people who want little motion

/** How the board of a race is drawn. @param {About} about */
export function drawingOf(about) {
  const places = layered(about.lattice, about.cells);
  return {
    places, cells: cellsPath(places, about.cells), edge: borderPath(places, about.cells),
    box: viewOf(widened(places.box(about.cells), 0.1)),
  };
}

/** Whether the person wants little motion. */
const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {{about: About, pieces: number[][], label: string, still: boolean}} props `still`: the picture stays as it is */
export function RaceBoard({ about, pieces, label, still }) {
  const holder = useRef(/** @type {SVGElement | null} */ (null));
  const shown = useRef(/** @type {Map<string, SVGElement>} */ (new Map()));
  const drawn = useRef(0);
  const drawing = useMemo(() => drawingOf(about), [about]);
  useEffect(() => {
    holder.current?.replaceChildren();
    shown.current = new Map();
    drawn.current = 0;
  }, [about]);
  useEffect(() => {
    const group = holder.current;
    if (!group) return undefined;
    const draw = () => {
      drawn.current = performance.now();
      const next = new Map();
      pieces.forEach((piece, k) => {
        const key = piece.join();
        const element = shown.current.get(key) || elementOf(about, drawing.places, piece);
        element.classList.toggle("newest", !still && k === pieces.length - 1);
        next.set(key, element);
      });
      for (const [key, element] of shown.current) if (!next.has(key)) element.remove();
      for (const [key, element] of next) if (!shown.current.has(key)) group.append(element);
      shown.current = next;
    };
    const wait = isCalm() && !still ? Math.max(0, drawn.current + CALM_MILLISECONDS - performance.now()) : 0;
    if (!wait) {
      draw();
      return undefined;
    }
    const timer = setTimeout(draw, wait);
    return () => clearTimeout(timer);
  }, [about, pieces, still]);
  return html`<svg class="race-board" viewBox=${drawing.box.join(" ")} role="img" aria-label=${label}>
    <path class="on" d=${drawing.cells} /><g ref=${holder}></g><path class="edge" d=${drawing.edge} /></svg>`;
}

/** @param {About} about @param {import("./lattice.js").Places} places @param {number[]} piece */
function elementOf(about, places, [tile, ...cells]) {
  const { name, fill } = about.tiles[tile];
  return pieceElement(places, cells.map((cell) => about.cells[cell]), fill, name);
}

/** A small picture of an order of cells: a line from cell to cell. @param {{about: About, order: number[]}} props */
export function OrderPicture({ about, order }) {
  const drawing = useMemo(() => drawingOf(about), [about]);
  const spots = order.map((cell) => drawing.places.centre(about.cells[cell]));
  return html`<svg class="order-picture" viewBox=${drawing.box.join(" ")} aria-hidden="true">
    <path class="on" d=${drawing.cells} /><polyline points=${spots.map((spot) => spot.join()).join(" ")} />
    ${spots.length && html`<circle cx=${spots[0][0]} cy=${spots[0][1]} r="0.24" />`}</svg>`;
}

