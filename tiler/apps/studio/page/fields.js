// Fields of forms, each of which tells a function the value alone that a person enters.
import { html } from "./html.js";

/** @param {(text: string) => void} told */
export const entering = (told) => (/** @type {Event} */ event) => told(/** @type {HTMLInputElement} */ (event.target).value);

/** @param {(is: boolean) => void} told */
export const checking = (told) => (/** @type {Event} */ event) => told(/** @type {HTMLInputElement} */ (event.target).checked);

/** What a form does when it is sent: not what browsers do with forms. @param {() => void} act */
export const sending = (act) => (/** @type {Event} */ event) => {
  event.preventDefault();
  act();
};

/** A row of buttons of which one is chosen.
 * @param {{label: string, options: string[][], value: string, set: (value: string) => void}} props */
export function Choice({ label, options, value, set }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map(([name, words]) =>
    html`<button aria-pressed=${value === name} onClick=${() => set(name)}>${words}</button>`)}</div>`;
}

/** A list that drops down, of which one entry is chosen.
 * @param {{label: string, options: string[][], value: string, set: (value: string) => void}} props */
export function Select({ label, options, value, set }) {
  return html`<label class="field">${label} <select value=${value} onChange=${entering(set)}>
    ${options.map(([name, words]) => html`<option value=${name}>${words}</option>`)}</select></label>`;
}

/** A box to tick, with its words. @param {{is: boolean, set: (is: boolean) => void, children?: any}} props */
export function Check({ is, set, children }) {
  return html`<label class="check"><input type="checkbox" checked=${is} onChange=${checking(set)} /> ${children}</label>`;
}
