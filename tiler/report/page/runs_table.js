// A table of runs that has only the rows that can be seen. A classic script.
"use strict";
(() => {
  const tilerRuns = (globalThis.tilerRuns ||= {});
  const HIGH = 26; // pixels of a row, as in runs.css
  const MORE = 6; // rows beyond those that are seen

  /** Makes the table: `sort(column)` and `pick(run)` are called for clicks; returns `show(runs, columns, sorted by, down)`. */
  tilerRuns.table = (element, { sort, pick }) => {
    const { make, inWords } = tilerRuns;
    const list = make("div", element, undefined, { className: "list", role: "region", ariaLabel: "The runs", tabIndex: 0 });
    const table = make("table", list);
    const heads = make("tr", make("thead", table));
    const body = make("tbody", table);
    const before = make("tr", body, undefined, { className: "space", ariaHidden: "true" });
    const after = make("tr", body, undefined, { className: "space", ariaHidden: "true" });
    let runs = [], columns = [], first = 0, active = 0;
    const rows = [];
    const addRow = () => {
      const row = make("tr");
      const cells = columns.map(([head]) => make(head === "problem" ? "th" : "td", row, undefined, { className: head }));
      cells[0].scope = "row";
      const button = make("button", cells[0], "", { type: "button" });
      row.onclick = () => rows.indexOf(made) >= 0 && runs[first + rows.indexOf(made)] && choose(first + rows.indexOf(made));
      const made = { row, cells, button };
      rows.push(made);
      after.before(row);
    };
    const choose = (index) => {
      active = index;
      fill();
      pick(runs[index]);
    };
    const fill = () => {
      const wanted = Math.ceil((list.clientHeight || 400) / HIGH) + 2 * MORE;
      while (rows.length < wanted) addRow();
      first = Math.max(0, Math.min(Math.floor(list.scrollTop / HIGH) - MORE, runs.length - rows.length));
      before.style.height = `${first * HIGH}px`;
      after.style.height = `${Math.max(0, runs.length - first - rows.length) * HIGH}px`;
      for (const [i, { row, cells, button }] of rows.entries()) {
        const run = runs[first + i];
        row.hidden = !run;
        if (!run) continue;
        row.className = `${run.end === "wrong" ? "wrong" : ""} ${first + i === active ? "active" : ""}`;
        row.ariaRowIndex = String(first + i + 2);
        button.tabIndex = first + i === active ? 0 : -1;
        for (const [j, [head, value]] of columns.entries()) {
          const shown = value(run);
          const text = head === "seconds" ? inWords(shown) : shown == null ? "" : head === "nodes" ? shown.toLocaleString("en") : String(shown);
          const place = j ? cells[j] : button;
          if (place.textContent !== text) place.textContent = text;
        }
      }
    };
    list.onscroll = fill;
    list.onkeydown = (event) => {
      const page = Math.max(1, Math.floor(list.clientHeight / HIGH) - 2);
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
      if (!step || !runs.length || event.target.closest?.("thead")) return;
      event.preventDefault();
      active = Math.max(0, Math.min(runs.length - 1, active + step));
      const top = active * HIGH;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top > list.scrollTop + list.clientHeight - 3 * HIGH) list.scrollTop = top - list.clientHeight + 3 * HIGH;
      fill();
      rows[active - first]?.button.focus({ preventScroll: true });
    };
    return (chosen, ofRun, sortedBy, down, stay) => {
      if (!columns.length) for (const [head] of ofRun) {
        make("button", make("th", heads, undefined, { className: head, scope: "col" }), head, { type: "button" }).onclick = () => sort(head);
      }
      [runs, columns] = [chosen, ofRun];
      for (const [i, [head]] of columns.entries()) heads.children[i].ariaSort = head !== sortedBy ? "none" : down ? "descending" : "ascending";
      table.ariaRowCount = String(runs.length + 1);
      if (!stay) [active, list.scrollTop] = [0, 0];
      fill();
    };
  };
})();
