// The view that can be turned: the same script that pages for browsers have in them, fetched when it is first needed.
import { classicScript } from "./classic_script.js";

/** @type {Promise<void> | null} */
let loading = null;

/** Shows data in an element; resolves with what ends the view. @param {HTMLElement} element @param {any} data
 * @param {((cell: number, face: number) => void) | null} [picked] called with a cell of a body that is clicked, and its face
 * @returns {Promise<(() => void) & {show: (data: any) => void, choose: (cell: number) => void}>} */
export async function mountViewer(element, data, picked = null) {
  loading ||= (async () => {
    await classicScript("viewer/three.min.js");
    await classicScript("viewer/view.js");
  })();
  await loading;
  return /** @type {any} */ (window).tilerViewer.mount(element, data, picked);
}
