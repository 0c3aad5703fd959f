// What the page asks of an engine. The local server is one (http_engine.js); a worker inside the page can be another. Nothing else
// in the page knows which, and nothing else calls fetch. Every function fails with an Error whose message is a sentence.

/**
 * @typedef {object} Engine
 * @property {() => Promise<import("./messages.js").Catalogue>} catalogue what there is: lattices, sets, boards, problems, questions, forms
 * @property {() => Promise<any>} start the problem that the person named when starting Tiler; null if none
 * @property {(name: string) => Promise<any>} lattice how a lattice is drawn
 * @property {(name: string, text: string, base64?: boolean) => Promise<any>} read a problem from a text or a file
 * @property {(words: string, lattice: string, reflections: boolean | null) => Promise<any>} tiles tiles by their names
 * @property {(words: string, lattice: string) => Promise<any>} board a board by its name or size
 * @property {(name: string) => Promise<any>} problem a problem of the list
 * @property {(problem: any) => Promise<any>} open makes a problem the one that is played
 * @property {(revision: number, laid: any[]) => Promise<any>} lay what is left to do with these pieces laid
 * @property {(question: string, parameters: any, laid: any[]) => Promise<{id: string}>} ask begins a question; events tell its answer
 * @property {(id: string) => Promise<void>} stop ends a question
 * @property {(request: any) => Promise<{name: string, blob: Blob}>} save a file of some form
 * @property {(name: string) => string} thumbnail the address of a small picture of a problem
 * @property {RaceEngine} race what the room of races asks
 * @property {(told: (event: any) => void) => () => void} on listens to events; returns what ends that. `away` says that there is no
 *   engine, `here` that it is there again
 * @property {() => void} close the page is gone
 * @property {Campaigns} campaigns what the room where solvers are compared asks
 */

/** @typedef {import("./messages.js").Campaign} Campaign */

/**
 * @typedef {object} Campaigns
 * @property {() => Promise<import("./messages.js").CampaignList>} list the folders of results that can be opened
 * @property {() => Promise<import("./messages.js").SolverForms>} forms all solvers with their options
 * @property {(filter: string) => Promise<import("./messages.js").ProblemNames>} problems the problems whose names fit
 * @property {(campaign: Campaign) => Promise<import("./messages.js").Refusals>} refusals which solvers refuse, and why
 * @property {(campaign: Campaign) => Promise<{name: string}>} create makes a campaign, and begins with its runs
 * @property {(name: string) => Promise<any>} goOn goes on with a campaign
 * @property {(name: string) => Promise<void>} stop ends its runs; the records stay
 * @property {(name: string, version: string) => Promise<import("./messages.js").Results>} results what is known of a campaign
 * @property {(name: string, number: number) => Promise<any>} record the record of a run
 * @property {(before: string, after: string) => Promise<import("./messages.js").Document>} compare what changed
 * @property {(request: import("./messages.js").SaveResults) => Promise<import("./messages.js").SavedResults>} save a figure, a table,
 *   the records or the campaign
 * @property {((files: File[]) => Promise<string[]>) | null} open shows records in files of the person, and tells their names; null
 *   where folders are looked at
 */

/**
 * @typedef {object} RaceEngine
 * @property {(problem: any) => Promise<import("./messages.js").RaceAbout>} about who can race on a problem
 * @property {(problem: any, cells: number[][]) => Promise<{text: string}>} order an order of cells as a file
 * @property {(race: {problem: any, goal: string, racers: any[], per_second: number | null}) => Promise<{race: number}>} begin begins
 *   a race, in place of the last one
 * @property {(change: {racer?: number | null, per_second: number | null, steps?: number}) => Promise<void>} pace another pace of one
 *   racer, or of all
 * @property {() => Promise<void>} end ends the race
 * @property {(told: (frame: import("./messages.js").RaceFrame) => void) => () => void} watch looks at the race; returns what ends that
 */

/** Who listens to an engine: `on` adds one, and returns what ends that; `tell` tells all of them. */
export function listening() {
  /** @type {Set<(event: any) => void>} */
  const all = new Set();
  return {
    tell: (/** @type {any} */ event) => all.forEach((told) => told(event)),
    on: (/** @type {(event: any) => void} */ told) => {
      all.add(told);
      return () => void all.delete(told);
    },
  };
}

/** What every engine is asked alike about campaigns: an order by its name, with its data.
 * @param {(order: string, data?: any) => Promise<any>} order
 * @returns {Omit<Campaigns, "goOn" | "stop" | "open">} */
export const campaignOrders = (order) => ({
  list: () => order("list"),
  forms: () => order("forms"),
  problems: (filter) => order("problems", { filter }),
  refusals: (campaign) => order("refusals", campaign),
  create: (campaign) => order("create", campaign),
  results: (name, version) => order("results", { name, version }),
  record: (name, number) => order("record", { name, number }),
  compare: (before, after) => order("compare", { before, after }),
  save: (request) => order("save", request),
});
