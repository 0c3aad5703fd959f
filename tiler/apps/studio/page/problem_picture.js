// The small picture of a problem in a list. The server draws it when it is first asked for, which may take a second: until then its
// place is grey; where there is none, as offline, the place stays empty.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { link } from "./state.js";

/** @param {{name: string, width: number, height: number}} props */
export function ProblemPicture({ name, width, height }) {
  const [state, set] = useState("waiting");
  return html`<img class="problem-picture ${state}" src=${link.engine.thumbnail(name)} alt="" loading="lazy" width=${width} height=${height}
    onLoad=${() => set("here")} onError=${() => set("none")} />`;
}
