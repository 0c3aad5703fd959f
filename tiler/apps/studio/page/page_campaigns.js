// Campaigns of a page with the engine inside. A worker reads the records (tiler/apps/studio/page_campaigns.py); others make the runs, one
// after the other. The files of all campaigns are kept here, since a worker may end, and are gone when the page is closed.
import { campaignOrders } from "./engine.js";

/** @typedef {import("./worker_engine.js").Helper} Helper */
/** @typedef {Record<string, string>} Files the files of a folder of results, by name */
/** A campaign whose runs are made; `over` when none is made any more.
 * @typedef {{name: string, stopped: boolean, helper: Helper | null, over: Promise<void>}} Running */

const RUNS = "runs.jsonl";
const ENVIRONMENT = "env.json";
const MOST_MEGABYTES = 50; // of records that are opened

/** @param {{reader: () => Promise<Helper>, take: () => Helper, give: (helper: Helper) => void}} workers the one that reads, and those
 * that make runs
 * @returns {import("./engine.js").Campaigns & {close: () => void}} */
export function pageCampaigns({ reader, take, give }) {
  /** @type {Map<string, Files>} */
  const kept = new Map();
  /** The workers that have these files. @type {WeakSet<Helper>} */
  const furnished = new WeakSet();
  /** Why the runs of a campaign ended. @type {Map<string, string>} */
  const said = new Map();
  /** The campaign whose runs are made. */
  let running = /** @type {Running | null} */ (null);

  /** @param {string} act @param {any[]} data */
  async function ask(act, ...data) {
    const helper = await reader();
    if (!furnished.has(helper)) {
      furnished.add(helper);
      for (const [name, files] of kept) await helper.order("campaign", { do: "put", data: [name, files] });
    }
    return helper.order("campaign", { do: act, data });
  }

  /** @param {string} order @param {any} [data] */
  const handle = (order, data = null) => ask("handle", order, data);

  /** Begins with the runs of a campaign that have no record yet. @param {string} name */
  function begin(name) {
    const mine = (running = { name, stopped: false, helper: null, over: Promise.resolve() });
    mine.over = makeAll(mine);
  }

  /** @param {Running} mine */
  async function makeAll(mine) {
    const { name } = mine;
    said.delete(name);
    try {
      for (const run of await ask("todo", name)) {
        if (mine.stopped) break;
        const record = await make(mine, run);
        if (mine.stopped || !record) break;
        await ask("append", name, record);
        const files = /** @type {Files} */ (kept.get(name));
        files[RUNS] = `${files[RUNS] || ""}${JSON.stringify(record)}\n`;
      }
    } catch (error) {
      said.set(name, /** @type {Error} */ (error).message);
    }
    running = null;
    if (mine.helper?.alive) give(mine.helper);
  }

  /** Makes a run; a worker that does not come back in time is ended.
   * @param {Running} mine @param {{number: number, seconds: number}} run */
  async function make(mine, { number, seconds }) {
    const helper = (mine.helper = mine.helper?.alive ? mine.helper : take());
    const { [RUNS]: _, ...plan } = /** @type {Files} */ (kept.get(mine.name));
    await helper.order("campaign", { do: "prepare", data: [mine.name, number, plan] }).catch((error) => {
      if (!mine.stopped) throw error;
    });
    if (mine.stopped) return null;
    const begun = performance.now();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      helper.end("it took too long");
    }, 1000 * seconds);
    try {
      return await helper.order("campaign", { do: "run", data: [mine.name, number] });
    } catch (error) {
      if (mine.stopped) return null;
      return ask("lost", mine.name, number, (performance.now() - begun) / 1000, late ? "" : /** @type {Error} */ (error).message);
    } finally {
      clearTimeout(timer);
    }
  }

  function refuseSecond() {
    if (running) throw new Error(`${running.name} is running; stop it first: two campaigns at a time disturb each other's seconds`);
  }

  const orders = campaignOrders(handle);
  return {
    ...orders,
    create: async (campaign) => {
      refuseSecond();
      const made = await orders.create(campaign);
      kept.set(made.name, await ask("files", made.name));
      begin(made.name);
      return made;
    },
    goOn: async (name) => {
      refuseSecond();
      begin(name);
    },
    stop: async (name) => {
      if (running?.name !== name) return;
      running.stopped = true;
      running.helper?.end("stopped");
      await running.over;
    },
    results: async (name, version) => {
      const reply = await orders.results(name, version);
      if (running?.name === name && !running.stopped) reply.state.runner = "this studio";
      else reply.state.sentence ||= said.get(name) || "";
      return reply;
    },
    open: async (files) => {
      const named = (/** @type {string} */ end) => files.filter(({ name }) => name.endsWith(end));
      const [runs, environments] = [named(".jsonl"), named(ENVIRONMENT)];
      if (!runs.length) throw new Error(`Choose ${RUNS} of a folder of results, and ${ENVIRONMENT} if you like.`);
      const large = runs.find(({ size }) => size > MOST_MEGABYTES * 1e6);
      if (large) throw new Error(`${large.name} is larger than ${MOST_MEGABYTES} MB: not in this page; in a terminal: tiler report FOLDER`);
      const names = [];
      for (const file of runs) {
        /** @type {Files} */
        const told = { [RUNS]: await file.text() };
        if (runs.length === 1 && environments.length === 1) told[ENVIRONMENT] = await environments[0].text();
        const name = await ask("open_records", file.name, told);
        kept.set(name, told);
        names.push(name);
      }
      return names;
    },
    close: () => running?.helper?.end(),
  };
}
