// Runs a Python program in Pyodide, with Tiler from a wheel or from a page's tiler.zip:
//     node pyodide.mjs PYODIDE ARCHIVE PROGRAM [ARGUMENT]...
// PYODIDE is a folder with Pyodide and NumPy. The program sees the files of the machine below /files.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, archive, program, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(join(resolve(folder), "pyodide.mjs"));
const python = await loadPyodide({ indexURL: `${resolve(folder)}/` });
await python.loadPackage("numpy", { messageCallback() {} });
python.FS.mkdirTree("/files");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/files");
python.FS.writeFile("/tmp/tiler.zip", readFileSync(archive));
const start = `
import runpy, shutil, site, sys
shutil.unpack_archive("/tmp/tiler.zip", site.getsitepackages()[0], "zip")
sys.argv = ${JSON.stringify([`/files${resolve(program)}`, ...rest])}
runpy.run_path(sys.argv[0], run_name="__main__")
`;
try {
  python.runPython(start);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
