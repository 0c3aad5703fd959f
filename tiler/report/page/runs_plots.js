// Plots of runs, by D3 and Observable Plot. A classic script.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});
  const LEAST = 1e-7; // seconds
  const scale = (label) => ({ type: "log", label, grid: true, tickFormat: (s) => tilerRuns.inWords(s).replace(/\.0+ /, " "), ticks: 6 });

  const framed = (element, title, plot, pick) => {
    const figure = tilerRuns.make("figure", element);
    tilerRuns.make("figcaption", figure, title);
    for (const style of plot.querySelectorAll("style")) style.remove(); // runs.css has it: pages may forbid styles within.
    for (const group of plot.querySelectorAll("[aria-label]")) group.removeAttribute("aria-label"); // A group without a role has no name.
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", title);
    figure.append(plot);
    plot.addEventListener("click", () => plot.value && pick(plot.value));
  };

  /** The runs that each solver solved within a time. */
  tilerRuns.survival = (element, chosen, { clock, label, width, pick }) => {
    const seconds = (run) => run.seconds[clock];
    const solved = d3.groups(chosen.filter((run) => run.end === "solved" && seconds(run) != null), (run) => run.solver);
    const lines = solved.map(([solver, group]) => [solver, d3.sort(group, seconds).map((run, i) => ({ run, x: i + 1, y: Math.max(LEAST, seconds(run)) }))]);
    const points = lines.flatMap(([, line]) => line);
    if (!points.length) return;
    framed(element, "Solved within a time", Plot.plot({
      className: "plot", width, height: 340, marginLeft: 60, x: { label: "runs solved", grid: true, tickFormat: "d", interval: 1, ticks: 8 }, y: scale(label),
      marks: [
        ...lines.map(([solver, line]) => Plot.line(line, { x: "x", y: "y", stroke: solver.colour, strokeDasharray: solver.dash, strokeWidth: 1.7, curve: "step-before" })),
        ...lines.filter(([, line]) => line.length === 1).map(([solver, line]) => Plot.dot(line, { x: "x", y: "y", fill: solver.colour })),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.run.solver.label}\n${p.run.problem}\n${tilerRuns.inWords(p.y)}` })),
      ],
    }), (p) => pick(p.run));
  };

  /** The two solvers that a scatter plot is about: those chosen, else those with most runs. */
  tilerRuns.pairOf = (chosen, { x, y }) => {
    const counts = d3.rollup(chosen, (some) => some.length, (run) => run.solver.label);
    const there = d3.sort(counts.keys(), (label) => -counts.get(label));
    const first = there.includes(x) ? x : there.find((label) => label !== y);
    const second = there.includes(y) && y !== first ? y : there.find((label) => label !== first);
    return { there, pair: second === undefined ? null : [first, second] };
  };

  /** A dot for every problem that two solvers were asked: beyond the limit lies what was not solved. */
  tilerRuns.scatter = (element, chosen, { clock, pair: [x, y], limit, width, pick }) => {
    const seconds = (run) => run.seconds[clock];
    const most = limit || d3.max(chosen, seconds) || 1;
    const at = (run) => run.end === "solved" ? Math.max(LEAST, seconds(run)) : 2 * most;
    const key = (run) => `${run.problem}\n${run.seed}\n${run.repeat}`;
    const attempted = chosen.filter(tilerRuns.isAttempted);
    const across = new Map(attempted.filter((run) => run.solver.label === x).map((run) => [key(run), run]));
    const points = attempted.filter((run) => run.solver.label === y && across.has(key(run)))
      .map((run) => ({ run, other: across.get(key(run)), x: at(across.get(key(run))), y: at(run) })).filter((p) => p.x && p.y);
    if (!points.length) return;
    const [low, high] = d3.extent(points.flatMap((p) => [p.x, p.y]));
    const ends = [low / 1.3, high * 1.3];
    const { inWords } = tilerRuns;
    framed(element, `Each problem; beyond ${inWords(most)}: not solved`, Plot.plot({
      className: "plot", width, height: 340, marginLeft: 60, x: { ...scale(x), domain: ends, ticks: Math.max(2, Math.floor(width / 160)) }, y: { ...scale(y), domain: ends }, color: { type: "categorical" },
      marks: [
        Plot.line([[ends[0], ends[0]], [ends[1], ends[1]]], { stroke: "#999" }),
        Plot.dot(points, { x: "x", y: "y", r: 2.8, stroke: (p) => p.run.family, strokeOpacity: 0.8 }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.run.problem}\n${x}: ${p.other.end === "solved" ? inWords(p.x) : p.other.end}\n${y}: ${p.run.end === "solved" ? inWords(p.y) : p.run.end}` })),
      ],
    }), (p) => pick(p.run));
  };
})();
