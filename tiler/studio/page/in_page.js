// Whether the engine is inside this page: the builder of such a page (scripts/static_page.py) says so in it.
export const inPage = document.documentElement.dataset.engine === "page";
