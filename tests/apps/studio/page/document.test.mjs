import assert from "node:assert/strict";
import test from "node:test";
import * as documents from "../../../../tiler/apps/studio/page/document.js";
import { documentIn, fragmentOf, hashIn, MOST_INFLATED } from "../../../../tiler/apps/studio/page/link.js";
import { window as seen } from "../../../../tiler/apps/studio/page/scrolling.js";
import { fitting, found } from "../../../../tiler/apps/studio/page/searching.js";

const start = documents.documentOf(
  { lattice: "square", board: [[0, 0], [0, 1], [0, 2]], optional: [], tiles: [{ name: "A", cells: [[0, 0]] }], labels: [{ cell: [0, 2], label: "x" }], groups: [{ name: "g", cells: [[0, 2]] }] },
  [{ tile: "A", cells: [[0, 1]], locked: false }],
);

test("undo and redo lead to the very same values", () => {
  const next = documents.withCells(start, [[5, 5]], "on");
  let history = documents.changed(documents.historyOf(start), next);
  history = documents.undone(history);
  assert.equal(history.present, start);
  history = documents.redone(history);
  assert.equal(history.present, next);
  assert.equal(documents.redone(history), history);
});

test("a stroke is one step, two strokes are two", () => {
  let history = documents.historyOf(start);
  for (const [k, label] of [[7, "stroke 1"], [8, "stroke 1"], [9, "stroke 2"]]) {
    history = documents.changed(history, documents.withCells(history.present, [[k, 0]], "on"), label);
  }
  assert.equal(history.past.length, 2);
  assert.equal(documents.undone(history).present.problem.board.length, 5);
});

test("a change leaves the value before it alone, and forgets what was undone", () => {
  const before = JSON.stringify(start);
  let history = documents.changed(documents.historyOf(start), documents.withCells(start, [[0, 0]], "off"));
  history = documents.changed(documents.undone(history), documents.withCells(start, [[0, 1]], "off"));
  assert.deepEqual(history.future, []);
  assert.equal(JSON.stringify(start), before);
});

test("cells that go take pieces, labels and groups along", () => {
  const next = documents.withCells(start, [[0, 1], [0, 2]], "off");
  assert.deepEqual(next.laid, []);
  assert.deepEqual(next.problem.labels, []);
  assert.deepEqual(next.problem.groups, []);
  assert.deepEqual(next.problem.board, [[0, 0]]);
});

test("a cell that may stay open is on the board too", () => {
  const next = documents.withCells(start, [[0, 0]], "open");
  assert.equal(documents.statesOf(next.problem).get("0,0"), "open");
  assert.equal(next.problem.board.length, 3);
  assert.deepEqual(documents.withCells(next, [[0, 0]], "on").problem.optional, []);
});

test("a group takes a cell in, and out again", () => {
  const next = documents.withGroup(start, [0, 0], "g");
  assert.deepEqual(next.problem.groups, [{ name: "g", cells: [[0, 2], [0, 0]] }]);
  assert.deepEqual(documents.withGroup(next, [0, 0], "g").problem.groups, start.problem.groups);
  assert.ok(next.problem.optional.some((cell) => String(cell) === "0,0"), "a cell of a group may stay open");
  assert.ok(!documents.withGroup(next, [0, 0], "g").problem.optional.some((cell) => String(cell) === "0,0"));
  assert.deepEqual(documents.withGroup(next, [0, 0], "h").problem.groups.map((group) => group.name), ["g", "h"]);
});

test("a tile that is named anew keeps its pieces, one that is drawn anew does not", () => {
  assert.equal(documents.withTile(start, 0, { name: "B" }).laid[0].tile, "B");
  assert.deepEqual(documents.withTile(start, 0, { cells: [[0, 0], [0, 1]] }).laid, []);
  assert.deepEqual(documents.withMoreTiles(start, [{ name: "A", cells: [[0, 0]] }]).problem.tiles.map((tile) => tile.name), ["A", "A2"]);
});

test("a link holds problem and pieces", async () => {
  assert.deepEqual(await documentIn(`#${await fragmentOf(start)}`), documents.checked(JSON.parse(JSON.stringify(start))));
  assert.equal(await documentIn("#"), null);
});

test("damaged and hostile links are refused with a sentence", async () => {
  const good = await fragmentOf(start);
  await assert.rejects(documentIn(`#${good.slice(0, -9)}`), /damaged/);
  await assert.rejects(documentIn("#d=%%%"), /damaged/);
  await assert.rejects(documentIn(`#d=${"A".repeat(70_000)}`), /longer/);
  const { deflateRawSync } = await import("node:zlib");
  const bomb = deflateRawSync(Buffer.alloc(10 * MOST_INFLATED, 32)).toString("base64url");
  assert.ok(bomb.length < 60_000);
  await assert.rejects(documentIn(`#d=${bomb}`), /holds more/);
});

test("documents that are none are refused", () => {
  for (const value of [null, {}, { schema: "tiler-studio-9" }, { ...start, laid: 3 }, { ...start, problem: {} }, { ...start, problem: { board: [["x"]], tiles: [] } }]) {
    assert.throws(() => documents.checked(value), Error);
  }
});

test("of ten thousand tilings only those that are seen are drawn", () => {
  const size = { wide: 100, high: 90, view: 400 };
  for (const top of [0, 1234, 89_000, 10 ** 7]) {
    const { first, last, columns, height } = seen(10_000, { top, width: 330 }, size);
    assert.equal(columns, 3);
    assert.ok(last - first <= 3 * 8 && first % 3 === 0);
    if (top < height - 400) assert.ok((first / 3) * 90 <= top && (last / 3) * 90 >= Math.min(height, top + 400));
  }
});

test("problems are found by all their words", () => {
  const problems = [{ name: "a", title: "Twelve pentominoes", tags: ["classic"] }, { name: "b", title: "Soma", tags: ["cube"] }];
  assert.deepEqual(found(problems, "PENT classic").map((one) => one.name), ["a"]);
  assert.equal(found(problems, "").length, 2);
});

const calendar = documents.documentOf({
  lattice: "square", board: [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]], optional: [[0, 0], [0, 1], [1, 0], [1, 1]], tiles: [],
  groups: [{ name: "month", cells: [[0, 0], [0, 1]] }, { name: "day", cells: [[1, 0], [1, 1]] }],
});
const open = (document) => [document.problem.groups.map(({ name, cells }) => `${name} ${cells.join(" ")}`), document.problem.optional.map(String).sort()];

test("of a group a cell is chosen that stays open, then another one, then none", () => {
  const jan = documents.withChoice(calendar, [0, 0]);
  assert.deepEqual(open(jan), [["month 0,0", "day 1,0 1,1"], ["0,0", "1,0", "1,1"]]);
  const feb = documents.withChoice(documents.withChoice(jan, [1, 1]), [0, 1]);
  assert.deepEqual(open(feb), [["month 0,1", "day 1,1"], ["0,1", "1,1"]]);
  assert.deepEqual([documents.chosenIn(feb, "month"), documents.chosenIn(jan, "day")], [[0, 1], null]);
  assert.deepEqual(open(documents.withChoice(documents.withChoice(feb, [0, 1]), [1, 1])), open(calendar));
  assert.equal(documents.withChoice(feb, [2, 0]), feb, "it is in no group");
  assert.deepEqual(open(documents.checked(JSON.parse(JSON.stringify(feb)))), open(feb));
  assert.deepEqual(documents.checked(JSON.parse(JSON.stringify(feb))).choices, calendar.problem.groups);
  assert.equal(documents.withProblem(feb, { board: [[0, 0]], optional: [], groups: [] }).choices, undefined);
  assert.deepEqual(documents.withProblem(feb, { turning: false }).choices, calendar.problem.groups);
  assert.deepEqual(documents.titled(feb, "A day").choices, calendar.problem.groups);
});

test("a cell that is on leaves its group; one that is off is the open one of its group", () => {
  assert.deepEqual(open(documents.withCells(calendar, [[0, 0]], "on")), [["month 0,1", "day 1,0 1,1"], ["0,1", "1,0", "1,1"]]);
  assert.deepEqual(open(documents.withCells(calendar, [[0, 0], [0, 1], [1, 0], [1, 1]], "on")), [[], []]);
  assert.deepEqual(open(documents.withCells(calendar, [[0, 0]], "off")), [["day 1,0 1,1"], ["1,0", "1,1"]]);
  assert.deepEqual(open(documents.withCells(calendar, [[0, 0], [1, 1]], "off")), [[], []]);
  assert.deepEqual(open(documents.withCells(calendar, [[0, 0]], "open")), open(calendar));
  const jan = documents.withChoice(calendar, [0, 0]);
  const more = documents.withCells(jan, [[1, 1]], "on");
  assert.deepEqual(open(more), [["month 0,0", "day 1,0"], ["0,0", "1,0"]]);
  assert.deepEqual(open(documents.withChoice(more, [0, 1])), [["month 0,1", "day 1,0"], ["0,1", "1,0"]], "the rest of the group is known still");
  assert.deepEqual(open(documents.withGroup(jan, [2, 0], "day")), [["month 0,0 0,1", "day 1,0 1,1 2,0"], ["0,0", "0,1", "1,0", "1,1", "2,0"]]);
});

test("a pasted text is a link or not", () => {
  assert.equal(hashIn(" http://127.0.0.1:8520/#d=abc&room=\n"), "#d=abc&room=");
  assert.equal(hashIn("https://example.org/page/index.html#token=x"), "#token=x");
  assert.equal(hashIn("6x10 1:pentominoes"), null);
  assert.equal(hashIn("see http://127.0.0.1:8520/#d=abc"), null);
});

test("a filter of the command is one of words too", () => {
  const problems = [
    { name: "4L/10x10_u", title: "", tags: ["scaled"] }, { name: "misc/01_s", title: "Scaled up", tags: [] }, { name: "heart", title: "A heart", tags: [] },
  ];
  assert.deepEqual(fitting(["heart"], problems, "scaled"), ["heart", "4L/10x10_u", "misc/01_s"]);
  assert.deepEqual(fitting(["heart"], problems, " "), ["heart"]);
  assert.deepEqual(fitting([], problems, "4L/*_z"), []);
});
