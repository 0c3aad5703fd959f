// What is told while a person types the names of pieces: how many cells they have.
import { useEffect, useState } from "preact/hooks";
import { counted } from "./doing.js";

const REST = 300; // milliseconds without a key, after which the engine is asked

/** The sentence that `ask` resolves with once nobody has typed for a moment, or what is wrong. @param {() => Promise<string>} ask
 * @param {any[]} of what was typed */
export function useTold(ask, of) {
  const [told, tell] = useState("");
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      const sentence = await ask().catch((error) => error.message);
      if (!over) tell(sentence);
    }, REST);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, of);
  return told;
}

/** @param {any[]} tiles */
export function cellsOf(tiles) {
  if (tiles.some((tile) => tile.at_most === null || tile.at_most === undefined)) return "any number of cells";
  return counted(tiles.reduce((sum, tile) => sum + tile.at_most * tile.cells.length, 0), "cell");
}
