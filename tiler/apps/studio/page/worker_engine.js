// The engine inside the page: workers with Python as WebAssembly (engine_worker.js). One plays, the others answer questions. Nothing
// can interrupt Python in a page: to stop a question, its worker is ended, and one that is warm takes the next.

import { bytesOf } from "./bytes.js";
import { listening } from "./engine.js";
import { pageCampaigns } from "./page_campaigns.js";

/** @typedef {import("./engine.js").Engine} Engine */

const MOST_RUNNING = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 2) - 1)); // questions at a time; others wait
const MOST_QUESTIONS = 16;
const LOST = "The engine in this page has ended";

/** A worker, and the orders that it obeys. */
export class Helper {
  /** @param {(sentence: string, bytes: number) => void} starting told what it does while it starts, and how much it has fetched */
  constructor(starting = () => {}) {
    this.worker = new Worker(new URL("./engine_worker.js", import.meta.url), { type: "module" });
    this.alive = true;
    this.isReady = false;
    this.orders = 0;
    /** @type {Map<number, {done: (reply: any) => void, failed: (error: Error) => void, heard: (event: any) => void}>} */
    this.waiting = new Map();
    this.heard = (/** @type {any} */ event) => event;
    /** @type {Promise<void>} */
    this.ready = new Promise((done, failed) => {
      this.worker.onmessage = ({ data }) => {
        if (data.starting) starting(data.starting, data.bytes);
        else if (data.ready) {
          this.isReady = true;
          done();
        }
        else if (data.fatal) {
          failed(new Error(`${LOST}: ${data.fatal}.`));
          this.end(data.fatal);
        } else this.take(JSON.parse(data.text));
      };
      this.worker.onerror = (event) => {
        failed(new Error(`${LOST}: ${event.message || "it could not be fetched"}.`));
        this.end(event.message || "it could not be fetched");
      };
    });
    this.ready.catch(() => {});
  }

  /** @param {any} reply */
  take(reply) {
    const order = this.waiting.get(reply.order);
    if (reply.event) (order ? order.heard : this.heard)(reply.event);
    else if (order) {
      this.waiting.delete(reply.order);
      if (reply.error === undefined) order.done(reply.reply);
      else order.failed(new Error(reply.error));
    }
  }

  /** @param {string} what @param {any} data @param {(event: any) => void} [heard] @param {any} [more] @returns {Promise<any>} */
  order(what, data, heard = () => {}, more = {}) {
    if (!this.alive) return Promise.reject(new Error(`${LOST}.`));
    const order = ++this.orders;
    return new Promise((done, failed) => {
      this.waiting.set(order, { done, failed, heard });
      this.worker.postMessage({ text: JSON.stringify({ order, do: what, data }), ...more });
    });
  }

  /** Ends the worker, whatever it does. @param {string} [why] */
  end(why = "") {
    this.alive = false;
    this.worker.terminate();
    for (const { failed } of this.waiting.values()) failed(Object.assign(new Error(`${LOST}: ${why}.`), { lost: true }));
    this.waiting.clear();
  }
}

/** @returns {Engine} */
export function workerEngine() {
  const { tell, on } = listening();
  /** @type {Map<string, {question: string, begun: number, helper: Helper | null, last: any, found: number}>} */
  const questions = new Map();
  /** @type {Helper[]} */
  const spares = [];
  /** @type {any} */
  let problem = null;
  let asked = 0;
  let running = 0;
  /** @type {(() => void)[]} */
  const queue = [];
  /** What is known without Python: replies to orders, by the order as JSON; and the bytes that a worker fetches.
   * scripts/static_page/known.py writes it. @type {Promise<{bytes: number, replies: Record<string, any>}>} */
  const known = fetch(new URL("./known.json", import.meta.url))
    .then((response) => response.json())
    .catch(() => ({ bytes: 0, replies: {} }));

  let player = newPlayer();

  function newPlayer() {
    const helper = new Helper(async (sentence, bytes) => {
      const { bytes: all } = await known;
      if (!helper.isReady) tell({ event: "starting", sentence, share: all ? bytes / all : 0 });
    });
    helper.heard = tell;
    helper.ready.then(() => tell({ event: "starting", sentence: "" }), (error) => {
      tell({ event: "starting", sentence: "" });
      tell({ event: "gone", sentence: error.message });
    });
    return helper;
  }

  /** Keeps a worker warm, for the next question. */
  function warm() {
    if (spares.some((spare) => spare.alive)) return;
    const helper = new Helper();
    helper.ready.then(() => helper.worker.postMessage({ rehearse: true }), () => {});
    spares.push(helper);
  }

  /** The worker that plays; if it has ended, another one takes over. */
  async function playing() {
    if (!player.alive) {
      tell({ event: "gone", sentence: `${LOST}; another one takes over.` });
      player = newPlayer();
      if (problem) await player.order("open", problem);
    }
    return player;
  }

  /** An order to the worker that plays, if its reply is not known. @param {string} what @param {any} data @param {any} [more] */
  const order = async (what, data, more = {}) => {
    const { replies } = await known;
    const given = JSON.stringify([what, data]);
    return Object.hasOwn(replies, given) ? replies[given] : (await playing()).order(what, data, undefined, more);
  };

  /** Takes back a worker that has done its part. It keeps the memory that it took: one in reserve suffices. @param {Helper} helper */
  function give(helper) {
    if (spares.length) helper.end();
    else spares.push(helper);
  }

  /** A worker for one part: one that is warm, if it has not ended while it waited. Another one is made warm meanwhile. */
  function take() {
    const [helper = new Helper(), ...others] = spares.splice(0).filter((spare) => spare.alive);
    spares.push(...others);
    warm();
    return helper;
  }

  const campaigns = pageCampaigns({ reader: playing, take, give });

  /** @param {string} id @param {any} data */
  async function answer(id, data) {
    let answered = false;
    const hear = (/** @type {any} */ event) => {
      const about = questions.get(id);
      if (!about) return;
      if (event.event === "progress") about.last = event;
      else if (event.event === "part") about.found += event.tilings.length;
      else answered = true;
      tell(event);
    };
    // The worker that plays has the problem at hand, and refuses at once what no page can do; but it may not take long.
    if (player.alive && (await player.order("attempt", data, hear).catch(() => false))) return void questions.delete(id);
    if (running >= MOST_RUNNING) await new Promise((go) => queue.push(() => go(null)));
    const about = questions.get(id);
    if (!about) return void queue.shift()?.(); // It was stopped while it waited.
    running += 1;
    const helper = (about.helper = take());
    try {
      await helper.order("ask", data, hear);
    } catch (error) {
      if (questions.has(id) && !answered) tell({ event: "failed", id, error: /** @type {Error} */ (error).message });
    }
    questions.delete(id);
    running -= 1;
    queue.shift()?.();
    if (helper.alive) give(helper);
  }

  return {
    catalogue: () => order("catalogue", null),
    start: async () => null,
    lattice: (name) => order("lattice", name),
    read: (name, text, base64 = false) => order("read", base64 ? { name, base64: text } : { name, text }),
    tiles: (words, lattice, reflections) => order("tiles", { words, lattice, reflections }),
    board: (words, lattice) => order("board", { words, lattice }),
    problem: (name) => order("problem", name),
    open: (told) => {
      problem = told;
      // The worker opens it in any case, for the moves that come.
      const opening = playing().then((helper) => helper.order("open", told));
      opening.catch(() => {});
      return known.then(({ replies }) => replies[JSON.stringify(["open", told])] || opening);
    },
    lay: async (revision, laid) => {
      const reply = await order("lay", { session: "in this page", revision, laid }, { newest: revision, prepares: true });
      warm(); // Only now, so that the first number comes sooner.
      return reply;
    },
    ask: async (question, parameters, laid) => {
      if (questions.size >= MOST_QUESTIONS) throw new Error(`${questions.size} questions are being answered; stop one, or wait`);
      const id = String(++asked);
      questions.set(id, { question, begun: performance.now(), helper: null, last: null, found: 0 });
      answer(id, { id, problem, message: { session: "in this page", question, parameters, laid } });
      return { id };
    },
    stop: async (id) => {
      const about = questions.get(id);
      if (!about) return;
      questions.delete(id);
      about.helper?.end("stopped");
      const found = Math.max(about.found, Number(about.last?.found || 0));
      const sentences = ["stopped", ...(about.last ? [about.last.words] : [])];
      const seconds = Math.round(performance.now() - about.begun) / 1000;
      const [status, stop] = [found ? "sat" : "unknown", "interrupted"];
      tell({ event: "answer", id, question: about.question, status, sentences, blocks: [], command: "", python: "", seconds, stop });
    },
    save: async (request) => {
      const [name, kind, content] = await order("save", request);
      return { name, blob: new Blob([bytesOf(content)], { type: kind }) };
    },
    // The files have the names in this form, since names have slashes.
    thumbnail: (name) => `thumbnails/${encodeURIComponent(encodeURIComponent(name))}.svg`,
    campaigns,
    // The room that asks this is not shown in a page (rooms.js).
    race: /** @type {any} */ (null),
    on,
    close: () => {
      campaigns.close();
      [player, ...spares, ...[...questions.values()].map(({ helper }) => helper)].forEach((helper) => helper?.end());
    },
  };
}
