// Starts the page: shows the token of the link, fetches what there is, and brings back what was made last.
import { effect } from "@preact/signals";
import { h, render } from "preact";
import { App } from "./app.js";
import { documentOf, historyOf } from "./document.js";
import { followPointer } from "./dragging.js";
import { enter, httpEngine } from "./http_engine.js";
import { inPage, keepPage } from "./in_page.js";
import { documentIn } from "./link.js";
import { lookAtLink, putInLink } from "./place.js";
import { isPuzzle } from "./rooms.js";
import { keep, keepLate, kept, otherTabs } from "./store.js";
import {
  answered, better, catalogue, change, dialog, doc, engineIsBack, follow, history, link, otherTab, outage, redo, say, starting, trying,
  undo,
} from "./state.js";
import { workerEngine } from "./worker_engine.js";

const SHARED = "Another tab has the studio open too. What is kept is what was changed last: work in one of them.";

const NAMED = "tiler-studio-named";

/** What a person sees first: the pentominoes in a board of 6 by 10. */
async function first() {
  const asked = [link.engine.board("10x6", "square"), link.engine.tiles("1:pentominoes", "square", true)];
  const [{ board, optional }, { tiles }] = await Promise.all(asked);
  return documentOf({ lattice: "square", board, optional, tiles, reflections: true }, [], "Twelve pentominoes");
}

/** The document of a link that was opened and is not shown yet: there may be no access to the studio.
 * @type {import("./document.js").Document | null} */
let sent = null;

async function readLink() {
  sent = (await trying(() => documentIn(location.hash))) || sent;
}

async function bring() {
  await readLink();
  // The problem that the command named is brought once: a page that is loaded again shows what was made of it.
  const named = sessionStorage.getItem(NAMED) ? null : await link.engine.start();
  const known = await kept();
  const news = sent || (named && documentOf(named.problem, named.laid));
  history.value = historyOf(known || news || (await first()));
  sessionStorage.setItem(NAMED, "yes");
  // What was made here before can be had back by Undo.
  if (known && news) change(news);
  forgetLink();
}

/** The link was followed: a page that is loaded again shows what was made of it. */
function forgetLink() {
  sent = null;
  putInLink({ d: "" });
}

function followKeys() {
  window.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    if (typing || !isPuzzle()) return;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      if (key === "y" || event.shiftKey) redo();
      else undo();
      event.preventDefault();
    } else if (event.key === "?") {
      dialog.value = "help";
    }
  });
}

function followWork() {
  const tell = otherTabs((now) => {
    otherTab.value = now === "kept" ? `${SHARED} The other tab has just changed it; reload to see that.` : SHARED;
  });
  let timer = 0;
  let before = doc.value;
  window.addEventListener("pagehide", () => {
    if (document.body.dataset.kept === "no") keepLate(doc.value);
  });
  effect(() => {
    const now = doc.value;
    if (now === before) return;
    before = now;
    document.body.dataset.kept = "no";
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      if (await keep(now)) {
        if (now === doc.value) document.body.dataset.kept = "yes";
        tell();
      } else {
        say("This browser keeps nothing for this page: save your work as a file.");
      }
    }, 250);
  });
}

/** Whether the page shows a document. */
let begun = false;

/** Brings the document and follows it; the engine may not be there yet. */
async function begin() {
  begun = !!(await trying(() => bring().then(() => true)));
  if (!begun) return;
  follow();
  followWork();
  // The first numbers come before the long list.
  await Promise.race([trying(answered), new Promise((done) => setTimeout(done, 2000))]);
  await list();
  document.body.dataset.ready = "yes";
}

async function list() {
  catalogue.value ||= (await trying(() => link.engine.catalogue())) || null;
}

/** Takes what the link in the address says: a token, a problem. */
async function followLink() {
  lookAtLink();
  if (!inPage) await trying(enter);
  await readLink();
  if (!begun || !sent) return;
  change(sent);
  forgetLink();
}

/** @param {any} event */
function hear(event) {
  if (event.event === "gone") say(event.sentence);
  if (event.event === "starting") starting.value = event.sentence ? event : null;
  if (event.event === "starting" && !event.sentence) keepPage(); // Not before: it fetches the same parts.
  if (event.event === "counted") better(event.answer);
  if (event.event === "away") outage.value = event.sentence;
  if (event.event !== "here") return;
  engineIsBack();
  if (begun) list();
  else begin();
}

async function start() {
  followPointer();
  followKeys();
  render(h(App, null), /** @type {HTMLElement} */ (document.getElementById("app")));
  if (!inPage) await trying(enter);
  link.engine = inPage ? workerEngine() : httpEngine();
  link.engine.on(hear);
  if (inPage) starting.value = { sentence: "Python is being fetched …", share: 0 };
  window.addEventListener("pagehide", (event) => {
    if (!event.persisted) link.engine.close();
  });
  window.addEventListener("hashchange", followLink);
  await begin();
}

start();
