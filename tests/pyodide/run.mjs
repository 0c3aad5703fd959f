// Runs a Python program in Pyodide, with a wheel of Tiler: node run.mjs PYODIDE WHEEL PROGRAM [ARGUMENT]...
// PYODIDE is a folder with Pyodide and the wheel of NumPy.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, wheel, program, ...rest] = process.argv.slice(2);
const { loadPyodide } = createRequire(import.meta.url)(join(resolve(folder), "pyodide.js"));
const python = await loadPyodide({ indexURL: `${resolve(folder)}/` });
await python.loadPackage("numpy", { messageCallback() {} });
python.FS.mkdirTree("/files");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/files");
python.FS.chdir(`/files${resolve(".")}`);
python.FS.writeFile("/tmp/tiler.whl", readFileSync(wheel));
const start = `
import runpy, shutil, site, sys
shutil.unpack_archive("/tmp/tiler.whl", site.getsitepackages()[0], "zip")
sys.argv = ${JSON.stringify([`/files${resolve(program)}`, ...rest])}
runpy.run_path(sys.argv[0], run_name="__main__")
`;
try {
  python.runPython(start);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
