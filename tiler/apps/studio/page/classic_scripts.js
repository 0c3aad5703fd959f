// What is shown by classic scripts, which pages that are opened as files have in them: the view that can be turned, and the page of
// runs. The scripts are fetched when they are first needed.
import { useEffect, useRef, useState } from "preact/hooks";

/** As in tiler/report/runs.py. */
export const SCRIPTS = ["d3.min.js", "plot.umd.min.js", "runs_model.js", "runs_table.js", "runs_plots.js", "runs_record.js", "runs.js"];

/** Fetches a script, and runs it; an Error says what failed. @param {string} address @returns {Promise<void>} */
function fetched(address) {
  return new Promise((done, failed) => {
    const made = document.createElement("script");
    made.src = address;
    made.onload = () => done();
    made.onerror = () => failed(new Error("The view could not be fetched."));
    document.head.append(made);
  });
}

/** Fetches scripts one after the other when it is first called. @param {string[]} addresses */
function once(addresses) {
  /** @type {Promise<void> | null} */
  let loading = null;
  return () => (loading ||= addresses.reduce((before, address) => before.then(() => fetched(address)), Promise.resolve()));
}

const loadViewer = once(["viewer/three.min.js", "viewer/view.js"]);
const loadRuns = once(SCRIPTS.map((name) => `runs/${name}`));

/** Shows a body in an element; resolves with what ends the view. @param {HTMLElement} element @param {any} data
 * @param {((cell: number, face: number) => void) | null} [picked] called with a cell of a body that is clicked, and its face
 * @returns {Promise<(() => void) & {show: (data: any) => void, choose: (cell: number) => void}>} */
export async function mountViewer(element, data, picked = null) {
  await loadViewer();
  return /** @type {any} */ (window).tilerViewer.mount(element, data, picked);
}

/** Mounts a view as long as an element is shown; the element's reference, and why the view failed, if it did.
 * @param {(element: HTMLElement) => Promise<() => void>} mount @param {any[]} of what the view is about */
export function useView(mount, of) {
  const holder = useRef(/** @type {HTMLElement | null} */ (null));
  const [failed, fail] = useState("");
  useEffect(() => {
    const mounting = holder.current && mount(holder.current);
    mounting?.catch((error) => fail(error.message));
    return () => void mounting?.then((end) => end(), () => {});
  }, of);
  return { holder, failed };
}

/** Shows data of runs in an element. @param {HTMLElement} element @param {any} data @param {any} how @returns {Promise<any>} */
export async function mountRuns(element, data, how) {
  await loadRuns();
  return /** @type {any} */ (window).tilerRuns.mount(element, data, how);
}
