// An engine for tests: it answers with the examples that the tests of the server read too.
import { readFileSync } from "node:fs";

/** @param {string} name */
export const example = (name) => JSON.parse(readFileSync(new URL(`../examples/${name}.json`, import.meta.url), "utf8"));

/** @param {string} name the example that is opened, such as "pentominoes" */
export function fakeEngine(name) {
  const listeners = new Set();
  const said = [];
  return {
    said,
    open: async (problem) => {
      said.push(["open", problem]);
      return example(`${name}.opened`);
    },
    lay: async (revision, laid) => {
      said.push(["lay", revision, laid]);
      return { ...example(`${name}.laid`), revision };
    },
    lattice: async (lattice) => example("lattices").find((one) => one.name === lattice),
    ask: async (question) => {
      said.push(["ask", question]);
      const events = example(`${question}.events`);
      setImmediate(() => events.forEach((event) => listeners.forEach((told) => told(event))));
      return { id: events[0].id };
    },
    stop: async () => {},
    on: (told) => {
      listeners.add(told);
      return () => listeners.delete(told);
    },
  };
}
