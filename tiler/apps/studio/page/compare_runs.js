// The page of runs: the same scripts that the page of tiler report has in it.
import { classicScript } from "./classic_script.js";

/** As in tiler/report/runs.py. */
export const SCRIPTS = ["d3.min.js", "plot.umd.min.js", "runs_model.js", "runs_table.js", "runs_plots.js", "runs_record.js", "runs.js"];

/** @type {Promise<void> | null} */
let loading = null;

/** Shows data of runs in an element. @param {HTMLElement} element @param {any} data @param {any} how @returns {Promise<any>} */
export async function mountRuns(element, data, how) {
  loading ||= (async () => {
    for (const name of SCRIPTS) await classicScript(`runs/${name}`);
  })();
  await loading;
  return /** @type {any} */ (window).tilerRuns.mount(element, data, how);
}
