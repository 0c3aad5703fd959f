// A dialog with a title and a button that closes it; Escape closes it too.
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.js";

/** A dialog; `name` is its class.
 * @param {{name: string, title: string, isOpen: boolean, close: () => void, isBusy?: boolean, children?: any}} props */
export function Dialog({ name, title, isOpen, close, isBusy, children }) {
  const holder = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => (isOpen ? holder.current?.showModal() : holder.current?.close()), [isOpen]);
  return html`<dialog ref=${holder} class=${name} aria-labelledby="${name}-title" aria-busy=${isBusy} onClose=${close}>
    <header><h2 id="${name}-title">${title}</h2><button aria-label="Close" onClick=${close}>✕</button></header>
    ${children}</dialog>`;
}
