// What the room where solvers are compared shows, as signals, and what a person does there.
import { computed, effect, signal } from "@preact/signals";
import { campaignOf, draftIn, freeName } from "./compare_draft.js";
import { inPage } from "./in_page.js";
import { place, putInLink } from "./place.js";
import { link, problem, sentenceOf, trying } from "./state.js";

const DRAFT = "tiler-compare-draft";
const RUNNING_MS = 1000; // between two looks at a campaign that runs
const RESTING_MS = 4000; // and at others: another process may write there
const SHARE = 20; // times as long as reading the records took is waited after it, so that it does not disturb the runs

/** The results that the link names; a new campaign is chosen where it names none. */
export const opened = computed(() => place.value.get("results") || "");
/** The results that these are compared with. */
export const beside = computed(() => place.value.get("with") || "");
/** @type {import("@preact/signals").Signal<import("./messages.js").CampaignList | null>} */
export const campaigns = signal(null);
/** @type {import("@preact/signals").Signal<import("./messages.js").SolverForm[]>} */
export const solvers = signal([]);
/** What is known of the campaign that is shown. @type {import("@preact/signals").Signal<import("./messages.js").Results | null>} */
export const results = signal(null);
export const trouble = signal("");
/** @type {import("@preact/signals").Signal<import("./compare_draft.js").Draft>} */
export const draft = signal({ ...draftIn(localStorage.getItem(DRAFT)), ...(inPage && { threads: 1, repeat: 1 }) });
/** @param {Partial<import("./compare_draft.js").Draft>} values */
export const changeDraft = (values) => (draft.value = { ...draft.value, ...values });
effect(() => localStorage.setItem(DRAFT, JSON.stringify(draft.value)));

/** The names of filters of the page of runs, which belong to one campaign. */
const FILTERS = ["text", "family", "end", "category", "group", "clock", "off", "x", "y", "sort", "down"];

/** Shows some results; a new campaign without a name. @param {string} name */
export function open(name) {
  results.value = null;
  trouble.value = "";
  putInLink({ ...Object.fromEntries(FILTERS.map((key) => [key, ""])), room: "compare", results: name, with: "" });
}

export const lookAtList = () => trying(async () => {
  campaigns.value = await link.engine.campaigns.list();
});

/** Fetches the forms of solvers; what is wrong is said in the room, as it may be that something has to be installed first. */
export async function lookAtSolvers() {
  if (solvers.value.length) return;
  try {
    solvers.value = (await link.engine.campaigns.forms()).solvers;
  } catch (error) {
    trouble.value = sentenceOf(error);
  }
}

/** The name that the campaign gets. */
export const nameOf = () => {
  const taken = (campaigns.value?.campaigns || []).map(({ name }) => name);
  return draft.value.name || freeName(new Date().toISOString().slice(0, 10), taken);
};

/** The campaign as it is chosen now. */
export const chosen = () => campaignOf(draft.value, nameOf(), problem.value);

export const start = () => trying(async () => {
  const { name } = await link.engine.campaigns.create(chosen());
  changeDraft({ name: "" });
  open(name);
  lookAtList();
});

/** The campaign that is being stopped: its run may take seconds to end. */
export const stopping = signal("");

export const stop = () => trying(async () => {
  stopping.value = opened.value;
  try {
    await link.engine.campaigns.stop(opened.value);
    await look();
  } finally {
    stopping.value = "";
  }
});
export const goOn = () => trying(() => link.engine.campaigns.goOn(opened.value).then(look));

let looks = 0;

/** Looks once at the results that are opened. */
async function look() {
  const name = opened.value;
  const version = results.value?.name === name ? results.value.version : "";
  const found = await link.engine.campaigns.results(name, version);
  if (name !== opened.value) return;
  trouble.value = "";
  if (results.value?.name === name && results.value.state.runner && !found.state.runner) lookAtList();
  results.value = found.data || results.value?.name !== name ? found : { ...found, data: results.value.data };
}

/** Looks at results as long as they are shown; returns what ends that. */
export function watch() {
  const number = ++looks;
  const again = async () => {
    if (number !== looks) return;
    if (document.visibilityState !== "hidden") {
      await look().catch((error) => {
        trouble.value = sentenceOf(error);
      });
    }
    const rest = results.value?.state.runner ? RUNNING_MS : RESTING_MS;
    setTimeout(again, Math.max(rest, SHARE * 1000 * (results.value?.seconds || 0)));
  };
  again();
  return () => void looks++;
}
