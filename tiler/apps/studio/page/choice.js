// A row of buttons of which one is chosen.
import { html } from "./html.js";

/** @param {{label: string, options: string[][], value: string, set: (value: string) => void}} props */
export function Choice({ label, options, value, set }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map(([name, words]) =>
    html`<button aria-pressed=${value === name} onClick=${() => set(name)}>${words}</button>`)}</div>`;
}
