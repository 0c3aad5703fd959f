// A worker of the page with Python in it: loads Pyodide, NumPy and Tiler, and then obeys the orders of worker_engine.js, one after
// the other. A reply is the text of JSON that tiler/apps/studio/in_page.py posts.
const IDLE = 300; // milliseconds without an order after which it makes ready what may come next

const here = (/** @type {string} */ name) => new URL(name, import.meta.url).href;
/** What is done now, and the bytes that were fetched for it. */
const state = { starting: "", bytes: 0 };
const tell = (/** @type {string} */ starting) => postMessage(Object.assign(state, { starting }));

/** Counts all that is fetched, also by Pyodide. */
function count() {
  const plain = globalThis.fetch;
  globalThis.fetch = async (...asked) => {
    const response = await plain(...asked);
    if (!response.body) return response;
    const counting = new TransformStream({
      transform(/** @type {Uint8Array} */ chunk, controller) {
        controller.enqueue(chunk);
        state.bytes += chunk.length;
        postMessage(state);
      },
    });
    return new Response(response.body.pipeThrough(counting), response);
  };
}

async function start() {
  count();
  tell("Python is being fetched …");
  const { loadPyodide } = await import(here("pyodide/pyodide.mjs"));
  const [python, packed] = await Promise.all([loadPyodide({ indexURL: here("pyodide/") }), fetched("tiler.zip")]);
  tell("NumPy is being fetched …");
  await python.loadPackage("numpy", { messageCallback() {}, checkIntegrity: true });
  tell("Tiler begins …");
  python.FS.writeFile("/tmp/tiler.zip", new Uint8Array(packed));
  python.globals.set("post", (/** @type {string} */ text) => postMessage({ text }));
  return python.runPython(`
import importlib, os, shutil, site
shutil.unpack_archive("/tmp/tiler.zip", site.getsitepackages()[0])
os.remove("/tmp/tiler.zip")
importlib.invalidate_caches()
from tiler.apps.studio.in_page import PageWorker
PageWorker(post)
`);
}

/** @param {string} name */
async function fetched(name) {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name} could not be fetched`);
  return response.arrayBuffer();
}

let idle = 0;
let hasMore = false; // whether there is something to make ready

/** Does something with Python; an error that ends Python ends the worker. @param {(python: any) => void} act */
async function doing(act) {
  try {
    act(await started);
  } catch (error) {
    postMessage({ fatal: String(error instanceof Error ? error.message : error).trim().split("\n").pop() });
  }
}

onmessage = ({ data }) => {
  clearTimeout(idle);
  if (data.newest !== undefined) started.then((python) => python.newest(data.newest), () => {});
  doing((python) => {
    if (data.rehearse) python.rehearse();
    else python.handle(data.text);
    hasMore ||= !!data.prepares;
    if (hasMore) idle = setTimeout(prepare, IDLE);
  });
};

/** Makes ready what may come next; orders that came meanwhile are obeyed before it goes on. */
function prepare() {
  doing((python) => {
    hasMore = python.prepare();
    if (hasMore) idle = setTimeout(prepare, IDLE);
  });
}

const started = start();
started.then(() => postMessage({ ready: true }), (error) => postMessage({ fatal: String(error.message || error) }));
