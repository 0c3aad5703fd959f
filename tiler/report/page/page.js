// The page of runs: a table to sort and filter, plots that follow the filter, and the record behind a run.
"use strict";
(async () => {
  const started = performance.now();
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = JSON.parse(await new Response(stream).text());
  const root = document.getElementById("runs");
  const make = (tag, parent, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    Object.assign(made, attributes);
    if (parent) parent.append(made);
    return made;
  };
  const runs = data.rows.map((row, index) => ({
    index, problem: data.problems[row[0]], solver: row[1], group: row[2], end: data.ends[row[3]], category: data.categories[row[4]],
    seconds: row[5], nodes: row[6], seed: row[7], repeat: row[8],
  }));
  for (const run of runs) run.family = run.problem.includes("/") ? run.problem.slice(0, run.problem.lastIndexOf("/")) : "";
  const name = (solver) => data.solvers[solver].label;
  const colour = (solver) => data.solvers[solver].colour;
  const inWords = (s) => s == null ? "" : s >= 100 ? `${Math.round(s)} s` : s >= 1 ? `${s.toPrecision(3)} s`
    : s >= 1e-3 ? `${(s * 1e3).toPrecision(3)} ms` : `${(s * 1e6).toPrecision(3)} µs`;

  // What is chosen.
  const state = { text: "", family: "", end: "", category: "", group: 0, clock: data.clock, off: new Set(), sort: "", down: false, x: null, y: null };
  const seconds = (run) => run.seconds[state.clock];
  const filters = make("div", root, undefined, { className: "filters" });
  const field = (text, tag, attributes) => make(tag, make("label", filters, text), undefined, attributes);
  const choose = (text, key, options, number) => {
    const select = field(text, "select", {});
    for (const [value, shown] of options) make("option", select, shown, { value });
    select.value = state[key];
    select.onchange = () => { state[key] = number ? Number(select.value) : select.value; show(); };
    return select;
  };
  const unique = (values) => [...new Set(values)].filter((value) => value !== "").map((value) => [value, value]);
  const text = field("problem: a part, or /regex/", "input", { type: "search" });
  text.oninput = () => { state.text = text.value; show(); };
  choose("family", "family", [["", "all"], ...unique(runs.map((run) => run.family))]);
  choose("end", "end", [["", "all"], ...unique(runs.map((run) => run.end))]);
  choose("category", "category", [["", "all"], ...unique(runs.map((run) => run.category))]);
  if (data.groups.length > 1) choose("question", "group", data.groups.map((group, index) => [index, group.words]), true);
  choose("clock", "clock", data.clocks.map((clock, index) => [index, clock]), true);
  const chips = make("div", root, undefined, { className: "chips" });
  for (const [solver, each] of data.solvers.entries()) {
    const chip = make("button", chips, each.label, { title: each.spec });
    chip.style.borderColor = each.colour;
    chip.onclick = () => {
      state.off.has(solver) ? state.off.delete(solver) : state.off.add(solver);
      chip.classList.toggle("off");
      show();
    };
  }
  const said = make("p", root);
  const plots = make("div", root, undefined, { className: "plots" });
  const axes = make("div", root, undefined, { className: "filters" });
  const list = make("div", root, undefined, { className: "list" });
  const one = make("div", root, undefined, { className: "one", hidden: true });

  const fits = () => {
    const written = state.text.match(/^\/(.*)\/$/);
    let matches = (problem) => problem.includes(state.text);
    if (written) try { const regex = new RegExp(written[1]); matches = (problem) => regex.test(problem); } catch { /* not whole yet */ }
    return (run) => run.group === state.group && !state.off.has(run.solver) && (!state.family || run.family === state.family)
      && (!state.end || run.end === state.end) && (!state.category || run.category === state.category) && matches(run.problem);
  };

  // The table: only the rows that can be seen are there.
  const columns = [["problem", (run) => run.problem], ["solver", (run) => name(run.solver)], ["end", (run) => run.end],
    ["category", (run) => run.category], ["seconds", (run) => seconds(run)], ["nodes", (run) => run.nodes], ["seed", (run) => run.seed],
    ["repeat", (run) => run.repeat]];
  const HIGH = 24;
  const heads = make("div", list, undefined, { className: "heads" });
  for (const [head] of columns) {
    make("button", heads, head).onclick = () => { state.down = state.sort === head && !state.down; state.sort = head; show(); };
  }
  const inner = make("div", list);
  inner.style.position = "relative";
  let shown = [];
  const fill = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / HIGH) - 5);
    inner.replaceChildren(...shown.slice(first, first + 60).map((run, i) => {
      const row = make("div", null, undefined, { className: `row ${run.end === "wrong" ? "wrong" : ""}` });
      row.style.top = `${(first + i) * HIGH}px`;
      for (const [head, value] of columns) make("span", row, head === "seconds" ? inWords(value(run)) : value(run)?.toLocaleString() ?? "");
      row.onclick = () => tell(run);
      return row;
    }));
  };
  list.onscroll = fill;

  // A tiling by the rows of its letters; or a board, of x, and o for cells that may stay open.
  const FILLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const picture = (board, tiled) => {
    const wide = Math.max(...board.map((row) => row.length));
    const cell = Math.max(2, Math.min(16, 280 / Math.max(board.length, wide)));
    const svg = d3.create("svg").attr("width", cell * wide + 3).attr("height", cell * board.length + 3).style("display", "block");
    const letters = new Map();
    for (const [r, row] of board.entries()) for (const [c, kind] of [...row].entries()) {
      if (tiled ? kind !== " " : kind !== ".") letters.set(`${r} ${c}`, kind);
    }
    const fill = (letter) => letter === (tiled ? "." : "o") ? "#fff" : tiled ? data.fills[FILLS.indexOf(letter)] : "#d7e3ee";
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

  // A run: its record, what it said last, its board.
  const tell = (run) => {
    const record = { ...data.records[run.index] };
    for (const key of data.shared) if (typeof record[key] === "number") record[key] = data.tables[key][record[key]];
    one.replaceChildren();
    one.hidden = false;
    const board = Object.hasOwn(data.boards, run.problem) && data.boards[run.problem];
    const left = make("div", one);
    make("strong", left, `${run.problem}, ${name(run.solver)}: ${run.end}, ${inWords(seconds(run))}`).style.color = colour(run.solver);
    if (record.message) make("p", left, record.message);
    if (record.tiling) left.append(picture(record.tiling.split("/"), true));
    else if (board) left.append(picture(board, false));
    if (record.tiling) make("p", left, "The tiling that it found, verified.");
    if (data.without) make("p", left, data.without);
    const log = record.stats?.log;
    if (Array.isArray(log)) make("pre", left, log.join("\n"));
    make("pre", one, JSON.stringify(record, null, 1));
    one.scrollIntoView({ block: "nearest" });
  };

  // The plots.
  const scale = (label) => ({ type: "log", label, grid: true, tickFormat: (s) => inWords(s).replace(/\.0+ /, " "), ticks: 6 });
  const framed = (title, plot, pick) => {
    const figure = make("figure", plots);
    make("figcaption", figure, title);
    figure.append(plot);
    plot.style.cursor = "pointer";
    plot.addEventListener("click", () => plot.value && pick(plot.value));
  };
  const survival = (chosen) => {
    const solved = d3.groups(chosen.filter((run) => run.end === "solved" && seconds(run) != null), (run) => run.solver);
    const points = solved.flatMap(([, group]) => d3.sort(group, seconds).map((run, i) => ({ run, x: i + 1, y: Math.max(1e-7, seconds(run)) })));
    if (!points.length) return;
    framed("solved within a time", Plot.plot({
      width: 560, height: 340, marginLeft: 60, x: { label: "runs solved", grid: true, tickFormat: "d", interval: 1, ticks: 8 }, y: scale(data.clocks[state.clock]),
      marks: [
        Plot.line(points, { x: "x", y: "y", z: (p) => p.run.solver, stroke: (p) => colour(p.run.solver), curve: "step-before" }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${name(p.run.solver)}\n${p.run.problem}\n${inWords(p.y)}` })),
      ],
    }), (p) => tell(p.run));
  };
  const scatter = (chosen) => {
    const counts = d3.rollup(chosen, (v) => v.length, (run) => run.solver);
    const there = d3.sort(counts.keys(), (solver) => -counts.get(solver));
    axes.replaceChildren();
    if (there.length < 2) return;
    const [x, y] = [state.x, state.y].every((s) => there.includes(s)) && state.x !== state.y ? [state.x, state.y] : there;
    for (const [key, value] of [["x", x], ["y", y]]) {
      const select = make("select", make("label", axes, `scatter ${key}`));
      for (const solver of there) make("option", select, name(solver), { value: solver });
      select.value = value;
      select.onchange = () => { [state.x, state.y] = [x, y]; state[key] = Number(select.value); show(); };
    }
    const limit = data.groups[state.group].seconds || d3.max(chosen, seconds) || 1;
    const at = (run) => run.end === "solved" ? Math.max(1e-7, seconds(run)) : 2 * limit;
    const key = (run) => `${run.problem}\n${run.seed}\n${run.repeat}`;
    const across = new Map(chosen.filter((run) => run.solver === x).map((run) => [key(run), run]));
    const points = chosen.filter((run) => run.solver === y && across.has(key(run)))
      .map((run) => ({ run, x: at(across.get(key(run))), y: at(run) })).filter((p) => p.x && p.y);
    if (!points.length) return;
    const ends = d3.extent(points.flatMap((p) => [p.x, p.y]));
    framed(`each problem; beyond ${inWords(limit)}: not solved`, Plot.plot({
      width: 420, height: 340, marginLeft: 60, x: { ...scale(name(x)), domain: ends }, y: { ...scale(name(y)), domain: ends },
      color: { legend: false },
      marks: [
        Plot.line([[ends[0], ends[0]], [ends[1], ends[1]]], { stroke: "#999" }),
        Plot.dot(points, { x: "x", y: "y", r: 2.5, stroke: (p) => p.run.family, strokeOpacity: 0.8 }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.run.problem}\n${name(x)}: ${inWords(p.x)}\n${name(y)}: ${inWords(p.y)}` })),
      ],
    }), (p) => tell(p.run));
  };

  const show = () => {
    const begun = performance.now();
    const chosen = runs.filter(fits());
    shown = chosen;
    const column = columns.find(([head]) => head === state.sort);
    if (column) {
      shown = d3.sort(chosen, (run) => column[1](run) ?? (state.down ? -Infinity : Infinity));
      if (state.down) shown.reverse();
    }
    const wrong = chosen.filter((run) => run.end === "wrong").length;
    said.textContent = `${chosen.length.toLocaleString()} of ${runs.length.toLocaleString()} runs`
      + `, ${chosen.filter((run) => run.end === "solved").length.toLocaleString()} solved` + (wrong ? `, ${wrong} wrong` : "")
      + `; ${data.meanings[state.clock]}. Click a row, a line or a dot for its record.`;
    inner.style.height = `${shown.length * HIGH}px`;
    list.scrollTop = 0;
    fill();
    plots.replaceChildren();
    survival(chosen);
    scatter(chosen);
    root.dataset.milliseconds = Math.round(performance.now() - begun);
  };
  // A link may say what is looked for: report.html#4L/
  text.value = state.text = decodeURIComponent(location.hash.slice(1));
  show();
  root.dataset.ready = Math.round(performance.now() - started);
})();
