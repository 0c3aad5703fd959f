// Plots of runs, by D3 and Observable Plot. A classic script.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});
  const { LEAST } = tilerRuns;
  /** A logarithmic axis of seconds over a domain, with a tick at every decade, or at fewer where `pixels` have no room for their words. */
  const scale = (label, domain, pixels) => {
    const powers = d3.range(Math.ceil(Math.log10(domain[0]) - 1e-9), Math.floor(Math.log10(domain[1]) + 1e-9) + 1);
    const stride = Math.max(1, Math.ceil(powers.length / Math.max(2, pixels / 60)));
    const ticks = powers.filter((_, i) => i % stride === 0).map((power) => 10 ** power);
    return { type: "log", label, grid: true, domain, ticks: ticks.length > 1 ? ticks : 4, tickFormat: (s) => tilerRuns.inWords(s).replace(/\.0+ /, " ") };
  };

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

  /** The runs that each solver solved within a time: seconds across and their number up, as tiler plot draws them. */
  tilerRuns.survival = (element, chosen, { clock, label, limit, width, pick }) => {
    const seconds = (run) => Math.max(LEAST, run.seconds[clock]);
    const solved = d3.groups(chosen.filter((run) => run.end === "solved" && run.seconds[clock] != null), (run) => run.solver);
    const lines = solved.map(([solver, group]) => [solver, d3.sort(group, seconds).map((run, i) => ({ run, x: seconds(run), y: i + 1 }))]);
    const points = lines.flatMap(([, line]) => line);
    if (!points.length) return;
    const { domain, most, counted, each } = tilerRuns.survivalAxes(chosen, clock, limit);
    const whole = (line) => [{ x: domain[0], y: 0 }, ...line, { x: domain[1], y: line.length }];
    framed(element, "Solved within a time", Plot.plot({
      className: "plot", width, height: 340, marginLeft: 60, x: scale(`${label} for each ${each}`, domain, width - 80),
      y: { label: `${counted} solved`, grid: true, domain: [0, most * 1.04], ticks: Math.min(8, most), tickFormat: "d" },
      marks: [
        Plot.ruleY([most], { stroke: "#767676", strokeWidth: 0.6 }),
        ...lines.map(([solver, line]) => Plot.line(whole(line), { x: "x", y: "y", stroke: solver.colour, strokeDasharray: solver.dash, strokeWidth: 1.7, curve: "step-after" })),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.run.solver.label}\n${p.run.problem}\n${tilerRuns.inWords(p.x)}` })),
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

  /** A dot for every problem that two solvers were asked and one solved; on the border lies what the other did not solve. */
  tilerRuns.scatter = (element, chosen, { clock, pair: [x, y], width, pick }) => {
    const seconds = (run) => run.end === "solved" && run.seconds[clock] != null ? Math.max(LEAST, run.seconds[clock]) : null;
    const isKnown = (run) => run.end !== "solved" || run.seconds[clock] != null;
    const key = (run) => `${run.problem}\n${run.seed}\n${run.repeat}\n${run.form}`;
    const attempted = chosen.filter(tilerRuns.isAttempted);
    const across = new Map(attempted.filter((run) => run.solver.label === x).map((run) => [key(run), run]));
    const both = attempted.filter((run) => run.solver.label === y && across.has(key(run))).map((run) => [across.get(key(run)), run])
      .filter(([other, run]) => isKnown(other) && isKnown(run) && (seconds(other) || seconds(run)));
    if (!both.length) return;
    const [fast, slow] = d3.extent(both.flat().map(seconds).filter(Boolean));
    const [low, high] = [fast / 1.3, slow * 1.3];
    const border = high * (high / low) ** 0.06;
    const points = both.map(([other, run]) => ({ other, run, x: seconds(other) || border, y: seconds(run) || border }));
    const unsolved = points.some((p) => p.x === border || p.y === border);
    const domain = [low, unsolved ? border * (high / low) ** 0.03 : high];
    const told = (run) => seconds(run) ? tilerRuns.inWords(seconds(run)) : run.end;
    framed(element, `Each problem${unsolved ? "; on the border: not solved" : ""}`, Plot.plot({
      className: "plot", width, height: 340, marginLeft: 60, x: scale(x, domain, width - 80), y: scale(y, domain, 800), color: { type: "categorical" },
      marks: [
        Plot.line([[low, low], [high, high]], { stroke: "#999" }),
        ...(unsolved ? [Plot.ruleX([border], { stroke: "#767676" }), Plot.ruleY([border], { stroke: "#767676" })] : []),
        Plot.dot(points, { x: "x", y: "y", r: 2.8, stroke: (p) => p.run.family, strokeOpacity: 0.8 }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.run.problem}\n${x}: ${told(p.other)}\n${y}: ${told(p.run)}` })),
      ],
    }), (p) => pick(p.run));
  };
})();
