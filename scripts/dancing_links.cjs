// Count the solutions of an exact cover in Knuth's format with the npm package dancing-links, as a program that a campaign can
// declare as a solver (`input = "dlx"`, `output = "count"`):
//
//     python scripts/peers.py --install dancing-links
//     node scripts/dancing_links.cjs .venv/peers/dancing-links FILE.dlx
//
// Colours, and items that may be covered several times, are refused. The line that is printed is the number.

"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [folder, file] = process.argv.slice(2);
const home = path.resolve(folder, "node_modules/dancing-links");
if (file === "--version") {
  console.log(`dancing-links ${require(path.join(home, "package.json")).version}`);
  process.exit();
}
const { DancingLinks } = require(home);
const [head, ...options] = fs
  .readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("|"));
const [primary, secondary = ""] = head.split(" | ");
if ((primary + secondary).includes("|") || options.some((option) => /\S:/.test(option))) {
  console.error("colours and items that may be covered several times are not for this package");
  process.exit(1);
}
const names = [primary, secondary].map((items) => items.split(" ").filter(Boolean));
const column = new Map(names.flat().map((item, number) => [item, number]));
const shape = secondary ? { primaryColumns: names[0].length, secondaryColumns: names[1].length } : { columns: names[0].length };
const solver = new DancingLinks().createSolver(shape);
options.forEach((option, number) => {
  const columns = option.split(" ").map((item) => column.get(item));
  const within = (least, most) => columns.filter((n) => n >= least && n < most).map((n) => n - least);
  const split = { primary: within(0, names[0].length), secondary: within(names[0].length, column.size) };
  solver.addSparseConstraint(number, secondary ? split : columns);
});
let count = 0n;
for (const _ of solver.createGenerator()) count++;
console.log(`${count}`);
