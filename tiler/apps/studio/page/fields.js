// What a person enters into a field, told to a function that takes the value alone.

/** @param {(text: string) => void} told */
export const entering = (told) => (/** @type {Event} */ event) => told(/** @type {HTMLInputElement} */ (event.target).value);

/** @param {(is: boolean) => void} told */
export const checking = (told) => (/** @type {Event} */ event) => told(/** @type {HTMLInputElement} */ (event.target).checked);
