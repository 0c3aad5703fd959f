// Keeps the document in the browser (IndexedDB), and notices a second tab that shows the same one.
import { checked } from "./document.js";

const NAME = "tiler-studio";
const WORK = "work"; //: the documents, by their names
const LAST = "last";
const LATE = "tiler-studio-late"; //: what was made right before the page was left, in the storage that needs no time

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function resultOf(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

/** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} act @returns {Promise<any>} */
async function within(mode, act) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(WORK);
  const base = await resultOf(opening);
  try {
    return await resultOf(act(base.transaction(WORK, mode).objectStore(WORK)));
  } finally {
    base.close();
  }
}

/** The document kept last; null if there is none, or none that this version reads. */
export async function kept() {
  try {
    const late = localStorage.getItem(LATE);
    const value = late ? JSON.parse(late) : await within("readonly", (store) => store.get(LAST));
    return value ? checked(value) : null;
  } catch {
    return null;
  }
}

/** Whether the document could be kept. @param {import("./document.js").Document} document */
export async function keep(document) {
  try {
    await within("readwrite", (store) => store.put(document, LAST));
    localStorage.removeItem(LATE);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the document at once, where the page is left before there was time to keep it.
 * @param {import("./document.js").Document} document */
export function keepLate(document) {
  try {
    localStorage.setItem(LATE, JSON.stringify(document));
  } catch {
    // It is too large: what was kept before it is brought back.
  }
}

/** Tells when another tab of this browser has the studio open too, and when it has kept something newer.
 * @param {(news: "open" | "kept") => void} told @returns {() => void} says that this tab has kept something */
export function otherTabs(told) {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }) => {
    if (data === "hello") channel.postMessage("here");
    if (data === "hello" || data === "here") told("open");
    if (data === "kept") told("kept");
  };
  channel.postMessage("hello");
  return () => channel.postMessage("kept");
}
