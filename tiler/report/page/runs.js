// All runs of a campaign, as they can be looked at: filters, how much each solver solved, plots, a table, and what is behind a run.
// A classic script: the page of tiler report has it in it, and the studio fetches it.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});
  const SOON = 300; // runs whose plots are drawn at once
  const LATER = 150; // milliseconds after the last change, when the plots of more runs are drawn

  tilerRuns.make = (tag, parent, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    Object.assign(made, attributes);
    if (parent) parent.append(made);
    return made;
  };

  /** Shows the data of tiler/report/runs.py in an element.
   *
   * `link` is {get, put}: the entries of the link as URLSearchParams, and what writes some of them. `record(number)` resolves with a
   * record. `also(element, problem, labels)` may add to what is told of a run: its problem, and the solvers that ran there and are
   * shown. Returns {show(data), look(), filter()}: shows newer data, follows the link, and says what is chosen. */
  tilerRuns.mount = (element, data, { link, record, also }) => {
    const { make, runsOf, fitting, columns, sorted, solvedBySolver, toLink, fromLink, BEFOREHAND } = tilerRuns;
    let runs = [], filter, opened = null, timer = 0;
    const usual = () => ({ group: data.groups[0]?.words || "", clock: data.clocks[data.clock] });
    const clock = () => Math.max(0, data.clocks.indexOf(filter.clock));
    element.classList.add("runs");

    const filters = make("div", element, undefined, { className: "filters" });
    const solvers = make("ul", element, undefined, { className: "solvers", ariaLabel: "Solved by each solver" });
    const said = make("p", element, undefined, { className: "said" });
    said.setAttribute("role", "status");
    const plots = make("div", element, undefined, { className: "plots" });
    const axes = make("div", element, undefined, { className: "filters" });
    const one = make("div", element, undefined, { className: "one", hidden: true });
    const table = tilerRuns.table(element, { sort: (head) => set({ sort: head, down: filter.sort === head && !filter.down }), pick: (run) => tell(run, true) });

    const field = (parent, text, tag, attributes) => make(tag, make("label", parent, text), undefined, attributes);
    const text = field(filters, "Problem: a part, a glob, or /regex/", "input", { type: "search" });
    text.oninput = () => set({ text: text.value });
    const offer = (select, options, value) => {
      const told = JSON.stringify(options);
      if (select.dataset.options !== told) {
        select.replaceChildren(...options.map(([key, shown]) => make("option", null, shown, { value: key })));
        select.dataset.options = told;
      }
      select.value = value;
    };
    const choices = [["family", "Family"], ["end", "End"], ["category", "Category"], ["group", "Question"], ["clock", "Clock"]].map(([key, words]) => {
      const select = field(filters, words, "select");
      select.onchange = () => set({ [key]: select.value });
      return [key, select];
    });
    const unique = (key) => [["", "all"], ...[...new Set(runs.map((run) => run[key]))].filter(Boolean).map((value) => [value, value])];
    const options = {
      family: () => unique("family"), end: () => unique("end"), category: () => unique("category"),
      group: () => data.groups.map(({ words }) => [words, words]), clock: () => data.clocks.map((words) => [words, words]),
    };
    const pairing = ["x", "y"].map((key) => {
      const select = field(axes, key === "x" ? "Across" : "Up", "select");
      select.onchange = () => set({ x: pairing[0].value, y: pairing[1].value, [key]: select.value });
      return select;
    });
    const set = (values) => {
      filter = { ...filter, ...values };
      link.put(toLink(filter, usual()));
      draw();
    };

    const tell = async (run, seen) => {
      opened = run;
      const told = await record(run.number);
      if (opened !== run) return;
      tilerRuns.tell(one, data, run, told, run.seconds[clock()], () => {
        opened = null;
        one.hidden = true;
      });
      const beside = runs.filter((other) => other.problem === run.problem && !filter.off.includes(other.solver.label));
      also?.(one, run.problem, [...new Set(beside.map((other) => other.solver.label))]);
      if (seen) one.scrollIntoView({ block: "nearest" });
    };

    const drawSolvers = (chosen) => {
      const shown = solvedBySolver(data, chosen).map((count) => {
        const { solver, made, solved, wrong } = count;
        const row = make("button", make("li"), undefined, { type: "button", title: solver.spec });
        row.setAttribute("aria-pressed", String(!filter.off.includes(solver.label)));
        const swatch = d3.create("svg").attr("width", 26).attr("height", 10).attr("aria-hidden", "true");
        swatch.append("line").attr("x2", 26).attr("y1", 5).attr("y2", 5).attr("stroke", solver.colour).attr("stroke-width", 3).attr("stroke-dasharray", solver.dash);
        row.append(swatch.node());
        make("span", row, solver.label, { className: "name" });
        const bar = make("meter", row, undefined, { min: 0, max: Math.max(made, 1), value: solved, ariaLabel: "solved" });
        bar.textContent = `${solved}`;
        make("span", row, made ? `${solved} of ${made}${wrong ? `, ${wrong} wrong` : ""}` : "not shown", { className: wrong ? "number wrong" : "number" });
        row.onclick = () => set({ off: filter.off.includes(solver.label) ? filter.off.filter((label) => label !== solver.label) : [...filter.off, solver.label] });
        return row.parentElement;
      });
      const focused = [...solvers.children].findIndex((item) => item.contains(document.activeElement));
      solvers.replaceChildren(...shown);
      if (focused >= 0) shown[focused]?.firstElementChild.focus();
    };

    const drawPlots = (chosen) => {
      const room = Math.max(280, element.clientWidth - 4);
      const width = room > 900 ? Math.floor((room - 20) * 0.56) : Math.min(room, 640);
      const { there, pair } = tilerRuns.pairOf(chosen, filter);
      plots.replaceChildren();
      const limit = data.groups.find(({ words }) => words === filter.group)?.seconds;
      tilerRuns.survival(plots, chosen, { clock: clock(), label: data.clocks[clock()], limit, width, pick: (run) => tell(run, true) });
      axes.hidden = !pair;
      if (!pair) return;
      pairing.forEach((select, i) => offer(select, there.map((label) => [label, label]), pair[i]));
      tilerRuns.scatter(plots, chosen, { clock: clock(), pair, width: room > 900 ? room - 20 - width : width, pick: (run) => tell(run, true) });
    };

    /** Draws all of it, the plots a moment later where there are many runs; `stay` if the table stays where it is scrolled. */
    const draw = (stay = false) => {
      const begun = performance.now();
      for (const [key, select] of choices) {
        offer(select, options[key](), filter[key]);
        select.parentElement.hidden = (key === "group" && data.groups.length < 2) || (key === "family" && select.options.length < 3);
      }
      if (text.value !== filter.text) text.value = filter.text;
      const chosen = fitting(runs, filter);
      const column = columns(clock()).find(([head]) => head === filter.sort);
      const count = (end) => chosen.filter((run) => run.end === end).length;
      said.textContent = `${chosen.length.toLocaleString("en")} of ${runs.length.toLocaleString("en")} runs, ${count("solved").toLocaleString("en")} solved`
        + (count("wrong") ? `, ${count("wrong")} wrong` : "")
        + (count(BEFOREHAND) ? `, ${count(BEFOREHAND)} ${BEFOREHAND} (no tiling at sight, so no solver searched)` : "") + `; ${data.meanings[clock()]}. Click a row, a line or a dot for its record.`;
      drawSolvers(chosen);
      table(column ? sorted(chosen, column[1], filter.down) : chosen, columns(clock()), filter.sort, filter.down, stay);
      clearTimeout(timer);
      if (chosen.length < SOON) drawPlots(chosen);
      else timer = setTimeout(() => drawPlots(chosen), LATER);
      element.dataset.milliseconds = String(Math.round(performance.now() - begun));
    };

    const look = () => {
      const read = fromLink(link.get());
      const known = usual();
      filter = {
        ...read, group: data.groups.some(({ words }) => words === read.group) ? read.group : known.group,
        clock: data.clocks.includes(read.clock) ? read.clock : known.clock,
      };
      draw();
    };
    const show = (newer) => {
      data = newer;
      runs = runsOf(data);
      if (!filter || !data.groups.some(({ words }) => words === filter.group)) return look();
      draw(true);
    };
    show(data);

    let wide = element.clientWidth;
    const resized = new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - wide) < 8) return;
      wide = element.clientWidth;
      drawPlots(fitting(runs, filter));
    });
    resized.observe(element);
    return { show, look, filter: () => ({ ...filter, clock: clock() }) };
  };
})();
