// The engine behind the local server: questions by POST, and one stream of events. It is one for all, because a browser has
// six connections to a host, for all tabs together.

/** @typedef {import("./engine.js").Engine} Engine */

const ENDED = "Tiler has stopped on this machine. What you made is kept here: start `tiler studio` again, and open the link it prints.";
const NOT_OPEN = 409;

/** @param {Response} response */
async function refusal(response) {
  let text = "";
  try {
    text = (await response.json()).error;
  } catch {
    text = "";
  }
  if (response.status === 401 || response.status === 403) {
    return new Error(text || "This page was not opened from the link that `tiler studio` prints: open that link.");
  }
  return Object.assign(new Error(text || `Tiler answered with ${response.status} and no sentence.`), { status: response.status });
}

/** @param {string} path @param {any} body null to get, else to post @returns {Promise<Response>} */
async function send(path, body) {
  let response;
  try {
    response = await fetch(path, body === null ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Error(ENDED);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Shows the token of the link that the person opened, and takes it out of the address. @param {Location} place */
export async function enter(place) {
  const said = new URLSearchParams(place.hash.slice(1));
  const token = said.get("token");
  if (!token) return;
  said.delete("token");
  const rest = said.toString();
  history.replaceState(null, "", rest ? `#${rest}` : place.pathname);
  await send("/enter", { token });
}

/** @param {(body: any, path: string) => Promise<any>} json @returns {import("./engine.js").Campaigns} */
const campaigns = (json) => ({
  list: () => json({}, "/api/campaign/list"),
  forms: () => json({}, "/api/campaign/forms"),
  problems: (filter) => json({ filter }, "/api/campaign/problems"),
  refusals: (campaign) => json(campaign, "/api/campaign/refusals"),
  create: (campaign) => json(campaign, "/api/campaign/create"),
  goOn: (name) => json({ name }, "/api/campaign/go-on"),
  stop: async (name) => { await send("/api/campaign/stop", { name }); },
  results: (name, version) => json({ name, version }, "/api/campaign/results"),
  record: (name, number) => json({ name, number }, "/api/campaign/record"),
  compare: (before, after) => json({ before, after }, "/api/campaign/compare"),
  save: (request) => json(request, "/api/campaign/save"),
  open: null,
});

/** @returns {Engine} */
export function httpEngine() {
  const session = crypto.randomUUID();
  /** @type {Set<(event: any) => void>} */
  const listeners = new Set();
  /** @type {EventSource | null} */
  let stream = null;
  /** @type {any} */
  let problem = null;
  const tell = (/** @type {any} */ event) => listeners.forEach((told) => told(event));
  /** Who looks at the race. @type {((frame: any) => void) | null} */
  let watcher = null;
  /** The id of the last event that came. */
  let last = "";
  const listen = () => {
    if (!stream && document.visibilityState !== "hidden") connect();
  };
  const connect = () => {
    stream = new EventSource(`/api/events?${new URLSearchParams({ session, ...(last && { after: last }), ...(watcher && { race: "yes" }) })}`);
    stream.onmessage = (message) => {
      last = message.lastEventId;
      tell(JSON.parse(message.data));
    };
    stream.addEventListener("frame", (message) => watcher?.(JSON.parse(message.data)));
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = null;
      setTimeout(listen, 2000);
    };
  };
  const watch = (/** @type {typeof watcher} */ told) => {
    watcher = told;
    if (!stream) return listen();
    stream.close();
    connect();  // Also where the page is hidden: its questions go on.
  };
  document.addEventListener("visibilitychange", listen);
  listen();
  const json = async (/** @type {any} */ body, /** @type {string} */ path) => (await send(path, body)).json();
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
    stop: async (id) => { await send("/api/stop", { session, id }); },
    save: async (request) => {
      const response = await send("/api/save", request);
      const said = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") || "");
      return { name: said ? decodeURIComponent(said[1]) : "tiling", blob: await response.blob() };
    },
    thumbnail: (name) => `/api/thumbnail?name=${encodeURIComponent(name)}`,
    race: {
      about: (problem) => json({ problem }, "/api/race/about"),
      order: (problem, cells) => json({ problem, cells }, "/api/race/order"),
      begin: (race) => json({ session, ...race }, "/api/race/begin"),
      pace: async (change) => { await send("/api/race/pace", { session, ...change }); },
      end: async () => { await send("/api/race/end", { session }); },
      watch: (told) => {
        watch(told);
        return () => watch(null);
      },
    },
    on: (told) => {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    campaigns: campaigns(json),
    close: () => {
      stream?.close();
      navigator.sendBeacon("/api/close", new Blob([JSON.stringify({ session })], { type: "application/json" }));
    },
  };
}
