// What is found out while a person types or chooses: once nothing has changed for a moment, the engine is asked.
import { useEffect, useState } from "preact/hooks";
import { counted } from "./doing.js";
import { sentenceOf } from "./state.js";

const REST = 300; // milliseconds without a key

/** Asks once what the question is about has not changed for a moment; an answer that comes after another change is dropped.
 * @template T @param {() => Promise<T>} ask @param {any[]} of what it is about @param {(answer: T) => void} done
 * @param {(error: Error) => void} failed @param {number} [rest] */
export function useRested(ask, of, done, failed, rest = REST) {
  useEffect(() => {
    let over = false;
    const timer = setTimeout(() => ask().then((answer) => over || done(answer), (error) => over || failed(error)), rest);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, of);
}

/** The sentence that `ask` resolves with, or what is wrong. @param {() => Promise<string>} ask @param {any[]} of what was typed */
export function useTold(ask, of) {
  const [told, tell] = useState("");
  useRested(ask, of, tell, (error) => tell(sentenceOf(error)));
  return told;
}

/** @param {any[]} tiles */
export function cellsOf(tiles) {
  if (tiles.some((tile) => tile.at_most === null || tile.at_most === undefined)) return "any number of cells";
  return counted(tiles.reduce((sum, tile) => sum + tile.at_most * tile.cells.length, 0), "cell");
}
