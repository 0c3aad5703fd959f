// The engine behind the local server: questions by POST, and a stream of events that all tabs of the browser share.
import { campaignOrders, listening } from "./engine.js";
import { EventStream } from "./event_stream.js";
import { place, putInLink } from "./place.js";
import { ENDED, refusal } from "./refusal.js";

/** @typedef {import("./engine.js").Engine} Engine */

const NO_ACCESS = 403;
const NOT_OPEN = 409;

/** @param {string} path @param {any} body null to get, else to post @returns {Promise<Response>} */
async function send(path, body) {
  let response;
  try {
    const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    response = await fetch(path, body === null ? {} : post);
  } catch {
    throw new Error(ENDED);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Shows the token of the link that the person opened, and takes it out of the address. */
export async function enter() {
  const token = place.value.get("token");
  if (!token) return;
  putInLink({ token: "" });
  await send("/enter", { token });
}

/** The stream of a session, as its tab sees it: `listen` says that it is there, and whether it looks at a race.
 * @param {string} session @param {(told: import("./event_stream.js").Told) => void} hear */
function streamOf(session, hear) {
  const alone = () => {
    const stream = new EventStream((_, told) => hear(told));
    return (/** @type {boolean} */ race) => stream.join(session, race);
  };
  if (typeof SharedWorker === "undefined") return { listen: alone() };
  const shared = new SharedWorker(new URL("./event_worker.js", import.meta.url), { type: "module" });
  // The worker waits for this lock: it gets it when this tab is gone, however it ends.
  const held = new Promise((done) => {
    navigator.locks.request(session, () => new Promise(() => done(null)));
  });
  let looks = false;
  let join = (/** @type {boolean} */ race) => {
    held.then(() => shared.port.postMessage({ session, race }));
  };
  shared.port.onmessage = ({ data }) => hear(data);
  shared.onerror = () => {
    join = alone();
    join(looks);
  };
  return { listen: (/** @type {boolean} */ race) => join((looks = race)) };
}

/** @returns {Engine} */
export function httpEngine() {
  const session = crypto.randomUUID();
  const { tell, on } = listening();
  /** @type {any} */
  let problem = null;
  /** Who looks at the race. @type {((frame: any) => void) | null} */
  let watcher = null;
  /** Whether the server is away. */
  let away = false;
  const hear = (/** @type {import("./event_stream.js").Told} */ told) => {
    if (told.frame) watcher?.(told.frame);
    else if (told.event) tell(told.event);
    else if (told.away) lose(told.away);
    else if (away) {
      away = false;
      tell({ event: "here" });
    }
  };
  const lose = (/** @type {string} */ sentence) => {
    away = true;
    tell({ event: "away", sentence });
  };
  const stream = streamOf(session, hear);
  stream.listen(false);
  const watch = (/** @type {typeof watcher} */ told) => {
    watcher = told;
    stream.listen(!!told);
  };
  /** @param {string} path @param {any} body */
  const asking = async (path, body) => {
    try {
      return await send(path, body);
    } catch (error) {
      const { status, message } = /** @type {Error & {status?: number}} */ (error);
      if (status === undefined || status === NO_ACCESS) {
        lose(message);
        stream.listen(!!watcher); // It notices when the server is there again.
      }
      throw error;
    }
  };
  const json = async (/** @type {any} */ body, /** @type {string} */ path) => (await asking(path, body)).json();
  // After a long sleep the server has a new session for this page, which knows no problem.
  const again = async (/** @type {any} */ body, /** @type {string} */ path) => {
    try {
      return await json(body, path);
    } catch (error) {
      if (/** @type {any} */ (error).status !== NOT_OPEN || !problem) throw error;
      await json({ session, problem }, "/api/open");
      return json(body, path);
    }
  };
  return {
    catalogue: () => json(null, "/api/catalogue"),
    start: () => json(null, "/api/start"),
    lattice: (name) => json({ name }, "/api/lattice"),
    read: (name, text, base64 = false) => json(base64 ? { name, base64: text } : { name, text }, "/api/read"),
    tiles: (words, lattice, reflections) => json({ words, lattice, reflections }, "/api/tiles"),
    board: (words, lattice) => json({ words, lattice }, "/api/board"),
    problem: (name) => json({ name }, "/api/problem"),
    open: (told) => {
      problem = told;
      return json({ session, problem }, "/api/open");
    },
    lay: (revision, laid) => again({ session, revision, laid }, "/api/lay"),
    ask: (question, parameters, laid) => again({ session, question, parameters, laid }, "/api/ask"),
    stop: async (id) => { await asking("/api/stop", { session, id }); },
    save: async (request) => {
      const response = await asking("/api/save", request);
      const said = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") || "");
      return { name: said ? decodeURIComponent(said[1]) : "tiling", blob: await response.blob() };
    },
    thumbnail: (name) => `/api/thumbnail?name=${encodeURIComponent(name)}`,
    race: {
      about: (problem) => json({ problem }, "/api/race/about"),
      order: (problem, cells) => json({ problem, cells }, "/api/race/order"),
      begin: (race) => json({ session, ...race }, "/api/race/begin"),
      pace: async (change) => { await asking("/api/race/pace", { session, ...change }); },
      end: async () => { await asking("/api/race/end", { session }); },
      watch: (told) => {
        watch(told);
        return () => watch(null);
      },
    },
    on,
    campaigns: {
      ...campaignOrders((order, data = {}) => json(data, `/api/campaign/${order}`)),
      goOn: (name) => json({ name }, "/api/campaign/go-on"),
      stop: async (name) => { await asking("/api/campaign/stop", { name }); },
      open: null,
    },
    close: () => {
      navigator.sendBeacon("/api/close", new Blob([JSON.stringify({ session })], { type: "application/json" }));
    },
  };
}
