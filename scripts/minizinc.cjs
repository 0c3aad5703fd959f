// MiniZinc with Chuffed, Gecode, COIN-BC and HiGHS, as the npm package has it, for machines whose own MiniZinc knows fewer solvers:
//
//     npm install --prefix FOLDER minizinc@4.5.1
//     node --liftoff-only scripts/minizinc.cjs FOLDER --solver chuffed problem.mzn problem.dzn
//
// The package is made for browsers: WebAssembly in a worker, which gets messages and answers with messages. This is its other end.
// Arguments that are files are handed over with their content. Chuffed answers and then breaks off at its end (memory access out of
// bounds), which is printed on stderr.

"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [folder, ...words] = process.argv.slice(2);
const dist = path.resolve(folder, "node_modules/minizinc/dist");
const worker = path.join(dist, "minizinc-worker.js");
const files = {};
const args = words.map((word) => {
  if (!fs.existsSync(word)) return word;
  files[path.basename(word)] = fs.readFileSync(word, "utf8");
  return path.basename(word);
});

let tell; // what the worker listens with
globalThis.addEventListener = (_, listener) => {
  tell = listener;
};
globalThis.postMessage = (message) => {
  if (message.type === "ready") {
    tell({ data: { args, files } });
  } else if (message.type === "stdout") {
    fs.writeSync(1, message.value);
  } else if (message.type === "exit") {
    fs.writeSync(2, message.stderr ?? message.message ?? "");
    fs.writeSync(1, message.stdout ?? "");
    process.exit(message.code);
  } else {
    fs.writeSync(2, `${message.value ?? JSON.stringify(message)}\n`);
  }
};

// Its package.json says that it is a module; it is a script.
Object.assign(globalThis, { require, __dirname: dist, __filename: worker });
(0, eval)(fs.readFileSync(worker, "utf8"));
tell({ data: { wasmURL: path.join(dist, "minizinc.wasm"), dataURL: path.join(dist, "minizinc.data") } });
