// Whether the engine is inside this page: the builder of such a page (scripts/static_page/build.py) says so in it.
export const inPage = document.documentElement.dataset.engine === "page";

/** Keeps the page for times without a network. */
export function keepPage() {
  if (inPage) navigator.serviceWorker?.register("offline.js").catch(() => {});
}
