// The stream of events from the local server: one for all tabs of a browser, which opens six connections to a host at most, for all
// of them together. It runs in a worker that the tabs share (event_worker.js), or in the page where a browser has no such workers.
import { partsOf } from "./bytes.js";
import { ENDED, refusal } from "./refusal.js";

const AGAIN_MS = 500; // between two tries to reach the server

/** What a tab is told: an event, a frame of its race, or that the server is away or here.
 * @typedef {{event?: any, frame?: any, away?: string, here?: true}} Told */

export class EventStream {
  /** @param {(session: string, told: Told) => void} tell tells something to the tab of a session */
  constructor(tell) {
    this.tell = tell;
    /** The tabs that listen, by their sessions: the last event that each has seen, and whether it looks at a race. */
    this.tabs = /** @type {Map<string, {after: string, race: boolean}>} */ (new Map());
    this.current = new AbortController();
  }

  /** Listens for a tab too, or in another way. @param {string} session @param {boolean} race whether the tab looks at a race */
  join(session, race) {
    this.tabs.set(session, { after: this.tabs.get(session)?.after || "", race });
    this.connect();
  }

  /** @param {string} session of a tab that is gone */
  leave(session) {
    if (this.tabs.delete(session)) this.connect();
  }

  /** Begins a stream for all tabs, in place of the last one. */
  connect() {
    this.current.abort();
    if (this.tabs.size) this.listen((this.current = new AbortController()).signal);
  }

  /** @param {AbortSignal} signal */
  async listen(signal) {
    let away = ENDED;
    try {
      const response = await fetch(`/api/events?${this.address()}`, { signal });
      if (response.ok) {
        this.tellAll({ here: true });
        away = "";
        for await (const text of texts(response.body)) this.hear(text);
      } else away = (await refusal(response)).message;
    } catch {
      // The server is not there, or the stream broke off: the next try shows which.
    }
    if (signal.aborted) return;
    if (away) this.tellAll({ away });
    setTimeout(() => signal.aborted || this.connect(), AGAIN_MS);
  }

  address() {
    const asked = new URLSearchParams();
    for (const [session, { after, race }] of this.tabs) {
      asked.append("session", session);
      asked.append("after", after);
      if (race) asked.append("race", session);
    }
    return asked;
  }

  /** @param {string} text one text of the stream */
  hear(text) {
    const { page, id, event, data } = fieldsOf(text);
    const tab = this.tabs.get(page);
    if (!tab || !data) return;
    if (id) tab.after = id;
    this.tell(page, event === "frame" ? { frame: JSON.parse(data) } : { event: JSON.parse(data) });
  }

  /** @param {Told} told */
  tellAll(told) {
    for (const session of this.tabs.keys()) this.tell(session, told);
  }
}

/** The texts of a stream, which blank lines end. @param {any} body */
export async function* texts(body) {
  let rest = "";
  for await (const part of partsOf(body.pipeThrough(new TextDecoderStream()))) {
    const parts = (rest + part).split("\n\n");
    rest = parts.pop() || "";
    yield* parts;
  }
}

/** The fields of a text: `name: value`, each on a line. @param {string} text @returns {Record<string, string>} */
function fieldsOf(text) {
  return Object.fromEntries(text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
}
