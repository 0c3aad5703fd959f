// The board: raw SVG, drawn again where something changed. Pointers and keys are in board_input.js.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { boardCells } from "./document.js";
import { ghostAtCursor } from "./doing.js";
import { borderPath, cellsPath, keyOf, loopPath, viewOf } from "./lattice.js";
import { shown } from "./board_place.js";
import { moved, paintOf, pieceElement, svg } from "./piece_drawing.js";
import { stageOf } from "./stage.js";
import {
  byCopy, cursor, current, frozen, hand, laid, live, mode, offered, overlay, page, pinned, places, problem, rules,
} from "./state.js";
import { html } from "./html.js";
import { preview, sketch } from "./board_tools.js";

/** @typedef {import("./lattice.js").Cell} Cell */

const LAYERS = ["ground", "cells", "groups", "colours", "values", "pieces", "marks", "labels", "preview", "ghost", "cursor"];
const FILLS = ["#9ecbff", "#ffc9a3", "#b7e0a5", "#e3c1f0", "#ffe28a", "#a8e3e0", "#f3b5c4", "#cfd4da"];
const CHESS = ["#f6f2e7", "#a3adb8"]; // of two numbers the larger one is dark

/** @param {{attach: (board: HTMLElement) => void}} props what listens to pointers and keys */
export function BoardView({ attach }) {
  const holder = useRef(null);
  useEffect(() => {
    const root = /** @type {SVGSVGElement} */ (/** @type {any} */ (holder.current).querySelector("svg"));
    const groups = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    root.replaceChildren(...Object.values(groups));
    shown.svg = root;
    const watch = new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect;
      if (width && height) page.value = { width, height };
    });
    watch.observe(root);
    const ends = [
      effect(() => drawGround(root, groups)),
      effect(() => drawPieces(groups.pieces)),
      effect(() => drawMarks(groups)),
      effect(() => drawGhost(groups)),
      effect(() => drawPreview(groups.preview)),
      () => watch.disconnect(),
    ];
    attach(/** @type {any} */ (holder.current));
    return () => ends.forEach((end) => end());
  }, []);
  return html`<div class="board ${mode.value === "board" ? "drawn-on" : ""}" ref=${holder} tabindex="0" role="application"
    aria-label="Board" aria-describedby="keys-of-board">
    <svg aria-hidden="true" preserveAspectRatio="xMidYMid meet"></svg>
    <p id="keys-of-board" class="unseen">${mode.value === "board"
      ? "Arrow keys move. Space switches a cell on or off, O lets it stay open. Enter begins and ends a rectangle or a line."
      : "Arrow keys move. N takes the next piece in hand, R turns it, F turns it over, Enter lays it down. "
        + "Delete takes a piece off, L locks it, H gives a hint."}</p>
  </div>`;
}

/** @param {SVGSVGElement} root @param {Record<string, SVGElement>} groups */
function drawGround(root, groups) {
  const told = problem.value;
  const where = places.value;
  const editing = mode.value === "board";
  sketch.value;
  if (!where) return;
  root.classList.toggle("edges", !!where.data.has_edges);
  const optional = told.optional || [];
  const on = told.board;
  const cells = boardCells(told);
  if (!frozen.value || !shown.stage) {
    const margin = where.data.layer ? 0.7 : 0.35;
    shown.stage = stageOf(where, cells, editing ? 2.4 : margin, editing ? 1 : 0);
  }
  const { box, layers } = shown.stage;
  const view = viewOf(box);
  const [, , width, height] = view;
  root.style.setProperty("--scale", String(Math.min(page.value.width / width, page.value.height / height)));
  root.setAttribute("viewBox", view.join(" "));
  // Layers lie as the window lets them, so they cannot say how high it is.
  root.parentElement?.style.setProperty("--ratio", String(where.data.layer ? 1.2 : width / height));
  const every = editing ? layers.flatMap((layer) => where.within(layer.box, layer.layer)) : [];
  groups.ground.replaceChildren(svg("path", { class: "off", d: cellsPath(where, every) }));
  if (where.data.layer) {
    for (const one of layers) {
      // While one draws, cells stand out of the box by half of their size.
      const y = one.box.top + (editing ? -0.75 : 0.2);
      const name = svg("text", { class: "layer-name", x: (one.box.left + one.box.right) / 2, y,
        "font-size": Math.min(0.7, Math.max(0.34, width / 50)) });
      name.textContent = `layer ${one.layer + 1}`;
      groups.ground.append(name);
    }
  }
  const openKeys = new Set(optional.map(keyOf));
  const must = on.filter((cell) => !openKeys.has(keyOf(cell)));
  groups.cells.replaceChildren(
    svg("path", { class: "on", d: cellsPath(where, must) }),
    svg("path", { class: "open", d: cellsPath(where, optional) }),
    svg("path", { class: "edge", d: borderPath(where, cells) }),
  );
  groups.groups.replaceChildren(...(told.groups || []).map(({ cells }, k) =>
    svg("path", { d: cellsPath(where, cells), ...(cells.length === 1 ? { class: "chosen" } : { fill: FILLS[k % FILLS.length] }) })));
  const ground = current.value?.opened.lattice.name === where.data.name ? current.value?.opened.ground || [] : [];
  groups.groups.append(...moved(where, ground, [], [])
    .map((patch) => svg("path", { class: "painted", d: loopPath(patch.loop), fill: patch.fill })));
  const chosen = new Set((told.groups || []).filter(({ cells }) => cells.length === 1).map((group) => keyOf(group.cells[0])));
  groups.labels.replaceChildren(...(told.labels || []).map((label) => {
    const made = text(where.centre(label.cell), label.label, 0.36);
    if (chosen.has(keyOf(label.cell))) made.classList.add("on-chosen");
    return made;
  }));
}

/** @param {[number, number]} at @param {string} said @param {number} size */
function text([x, y], said, size) {
  const made = svg("text", { x, y: y + size * 0.36, "font-size": Math.min(size, 1.5 / Math.max(1, said.length)) });
  made.textContent = said;
  return made;
}

/** @param {SVGElement} group */
function drawPieces(group) {
  const where = places.value;
  if (!where) return;
  const fills = current.value?.rules.fills(laid.value, byCopy.value) || [];
  group.replaceChildren(...laid.value.map((piece, k) =>
    pieceElement(where, piece.cells, fills[k] || "#cccccc", piece.tile, piece.locked, paintOf(where, rules.value, piece))));
}

/** The colouring that explains, numbers over cells, cells that nothing covers, and those with one piece left.
 * @param {Record<string, SVGElement>} groups */
function drawMarks(groups) {
  const where = places.value;
  const told = rules.value;
  const answer = live.value;
  const over = overlay.value;
  groups.colours.replaceChildren();
  groups.values.replaceChildren();
  groups.marks.replaceChildren();
  if (!where || !told || mode.value === "board") return;
  const why = answer && answer.pieces === laid.value ? answer.why : null;
  if (why?.colours) {
    const numbers = [...new Set(why.colours.map(([, number]) => number))].sort((a, b) => a - b);
    const fills = numbers.length === 2 ? CHESS : FILLS;
    for (const number of numbers) {
      const cells = why.colours.filter((one) => one[1] === number).map((one) => one[0]);
      groups.colours.append(svg("path", { class: "reason", d: cellsPath(where, cells),
        fill: fills[numbers.indexOf(number) % fills.length] }));
    }
    for (const [cell, number] of why.colours) {
      const said = text(where.centre(cell), String(number), 0.34);
      said.setAttribute("class", "on-pale");
      groups.values.append(said);
    }
  } else if (over) {
    const sizes = over.values.map(([, value]) => Number(value)).filter(Number.isFinite);
    const most = Math.max(1, ...sizes);
    for (const [cell, value] of over.values) {
      const share = Number(value) / most;
      const opacity = Number.isFinite(share) ? 0.08 + 0.72 * share : 0;
      groups.colours.append(svg("path", { d: cellsPath(where, [cell]), fill: "#2f7ed8", "fill-opacity": opacity }));
      groups.values.append(text(where.centre(cell), String(value), 0.32));
    }
  }
  if (!answer || answer.pieces !== laid.value) return;
  const dead = [...answer.dead, ...(why?.cells || [])];
  if (dead.length) groups.marks.append(svg("path", { class: "dead", d: cellsPath(where, dead) }));
  for (const cell of laid.value.length && answer.possible ? answer.single : []) {
    const [x, y] = where.centre(cell);
    groups.marks.append(svg("circle", { class: "single", cx: x, cy: y, r: 0.1 }));
  }
}

/** The cell of the keys and the cell that is kept, and where the piece in hand, or one that is offered, would lie.
 * @param {Record<string, SVGElement>} groups */
function drawGhost(groups) {
  const where = places.value;
  const at = cursor.value;
  groups.ghost.replaceChildren();
  groups.cursor.replaceChildren();
  if (!where) return;
  const piece = offered.value;
  if (piece && mode.value === "play") {
    const fill = rules.value?.tileOf(piece.tile)?.fill;
    const there = pieceElement(where, piece.cells, fill || "#cccccc", piece.tile, false, paintOf(where, rules.value, piece));
    there.classList.add("fits");
    groups.ghost.append(there);
  }
  if (pinned.value && mode.value === "play") groups.cursor.append(svg("path", { class: "pinned", d: cellsPath(where, [pinned.value]) }));
  if (!at) return;
  groups.cursor.append(svg("path", { class: "here", d: cellsPath(where, [at]) }));
  const now = hand.value && mode.value === "play" ? ghostAtCursor() : null;
  if (!now) return;
  const coat = now.tile.coats?.[now.orientation] || [];
  const ghost = pieceElement(where, now.cells, now.tile.fill, now.tile.name, false,
    moved(where, coat, now.tile.orientations[now.orientation], now.cells));
  ghost.classList.add(now.fits ? "fits" : "clashes");
  groups.ghost.append(ghost);
}

/** @param {SVGElement} group */
function drawPreview(group) {
  const where = places.value;
  const cells = preview.value;
  group.replaceChildren();
  if (where && cells.length && mode.value === "board") group.append(svg("path", { d: cellsPath(where, cells) }));
}
