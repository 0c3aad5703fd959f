// The view that can be turned: the same script that pages for browsers have in them, fetched when it is first needed.

/** @type {Promise<void> | null} */
let loading = null;

/** @param {string} name @returns {Promise<void>} */
function script(name) {
  return new Promise((done, failed) => {
    const made = document.createElement("script");
    made.src = `viewer/${name}`;
    made.onload = () => done();
    made.onerror = () => failed(new Error("The view could not be fetched."));
    document.head.append(made);
  });
}

/** Shows data in an element; resolves with what ends the view. @param {HTMLElement} element @param {any} data @param {((cell: number, face: number) => void) | null} [picked] called with a cell of a body that is clicked, and its face
 * @returns {Promise<(() => void) & {show: (data: any) => void, choose: (cell: number) => void}>} */
export async function mountViewer(element, data, picked = null) {
  loading ||= (async () => {
    await script("three.min.js");
    await script("view.js");
  })();
  await loading;
  return /** @type {any} */ (window).tilerViewer.mount(element, data, picked);
}
