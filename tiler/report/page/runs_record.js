// What is behind a run: its record, what it said last, its tiling or its board. A classic script.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});
  const FILLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  // A tiling by the rows of its letters; or a board, of x, and o for cells that may stay open.
  const picture = (board, tiled, fills) => {
    const wide = Math.max(...board.map((row) => row.length));
    const cell = Math.max(2, Math.min(16, 280 / Math.max(board.length, wide)));
    const svg = d3.create("svg").attr("width", cell * wide + 3).attr("height", cell * board.length + 3).attr("class", "tiling").attr("role", "img")
      .attr("aria-label", tiled ? "The tiling" : "The board");
    const letters = new Map();
    for (const [r, row] of board.entries()) for (const [c, kind] of [...row].entries()) {
      if (tiled ? kind !== " " : kind !== ".") letters.set(`${r} ${c}`, kind);
    }
    const fill = (letter) => letter === (tiled ? "." : "o") ? "#fff" : tiled ? fills[FILLS.indexOf(letter)] : "#d7e3ee";
    const line = (x, y, dx, dy, strong) => svg.append("line").attr("x1", 1.5 + x * cell).attr("y1", 1.5 + y * cell)
      .attr("x2", 1.5 + (x + dx) * cell).attr("y2", 1.5 + (y + dy) * cell).attr("stroke", strong ? "#222" : "#0002")
      .attr("stroke-width", strong ? 1.5 : 0.7).attr("stroke-linecap", "round");
    const at = (r, c) => letters.get(`${r} ${c}`);
    for (const [place, letter] of letters) {
      const [r, c] = place.split(" ").map(Number);
      svg.append("rect").attr("x", 1.5 + c * cell).attr("y", 1.5 + r * cell).attr("width", cell).attr("height", cell).attr("fill", fill(letter));
    }
    // Thin lines first, so that the borders of pieces lie over them.
    for (const strong of [false, true]) for (let r = 0; r <= board.length; r++) for (let c = 0; c <= wide; c++) {
      const [here, above, before] = [at(r, c), at(r - 1, c), at(r, c - 1)];
      if ((here !== undefined || above !== undefined) && (here !== above) === strong) line(c, r, 1, 0, strong);
      if ((here !== undefined || before !== undefined) && (here !== before) === strong) line(c, r, 0, 1, strong);
    }
    return svg.node();
  };

  /** Shows a run in an element. `seconds` are those of the clock that is chosen; `close` is called by its button. */
  tilerRuns.tell = (element, data, run, record, seconds, close) => {
    const { make, inWords } = tilerRuns;
    element.replaceChildren();
    element.hidden = false;
    const head = make("h3", element, `${run.problem}, ${run.solver.label}: ${run.end}, ${inWords(seconds)}`);
    head.style.borderLeftColor = run.solver.colour;
    make("button", element, "Close", { type: "button", className: "close" }).onclick = close;
    const board = Object.hasOwn(data.boards, run.problem) && data.boards[run.problem];
    const left = make("div", element);
    if (record.message) make("p", left, record.message);
    if (record.tiling) left.append(picture(record.tiling.split("/"), true, data.fills));
    else if (board) left.append(picture(board, false, data.fills));
    if (record.tiling) make("p", left, "The tiling that it found, verified.");
    if (data.without) make("p", left, data.without);
    const log = record.stats?.log;
    if (Array.isArray(log)) {
      make("h4", left, "Log");
      make("pre", left, log.join("\n"), { tabIndex: 0 });
    }
    make("pre", element, JSON.stringify(record, null, 1), { tabIndex: 0, ariaLabel: "The record" });
  };
})();
