// Answers, block by block.
import { useEffect, useRef, useState } from "preact/hooks";
import { show } from "./doing.js";
import { pictureElement } from "./piece_drawing.js";
import { window as seen } from "./scrolling.js";
import { byCopy, current, doc, lattice, load, overlay, problem, say } from "./state.js";
import { TilingDrawing } from "./thumbnail.js";
import { mountViewer, useView } from "./classic_scripts.js";
import { html } from "./html.js";

/** @param {{one: any}} props */
export function Answer({ one }) {
  const answer = one.answer;
  const list = one.tilings.length > 0;
  const told = answer?.blocks.filter((/** @type {any} */ block) => !(list && block.kind === "tilings")) || [];
  return html`${(answer?.sentences || []).map((/** @type {string} */ sentence) => html`<p class="sentence">${sentence}</p>`)}
    ${list && html`<${TilingsList} tilings=${one.tilings} />`}
    ${told.map((/** @type {any} */ block) => html`<${Block} block=${block} />`)}
    ${answer && html`<${Same} answer=${answer} />`}`;
}

/** @param {{block: any}} props */
function Block({ block }) {
  if (block.kind === "text") return html`<pre tabindex="0">${block.text}</pre>`;
  if (block.kind === "picture") return html`<${Picture} ...${block} />`;
  if (block.kind === "tilings") return block.tilings.length ? html`<${TilingsList} tilings=${block.tilings} />` : null;
  if (block.kind === "viewer") return html`<${Viewer} data=${block.data} />`;
  if (block.kind === "puzzle") {
    return html`<div class="row puzzle"><button
      onClick=${() => load({ problem: block.problem, laid: block.laid, title: [doc.value.title, block.caption].filter(Boolean)
      .join(": ").slice(0, 120) }, true)}>Go on with it<span class="unseen">: ${block.caption}</span></button><span>
      ${block.caption}</span></div>`;
  }
  if (block.kind === "cells") {
    const on = overlay.value === block;
    return html`<p>${block.caption} <button aria-pressed=${on} onClick=${() => (overlay.value = on ? null : block)}>
      ${on ? "Take it off the board" : "Show on the board"}</button></p>`;
  }
  return null;
}

/** @param {{svg: string, caption: string}} props */
function Picture({ svg, caption }) {
  const holder = useRef(null);
  useEffect(() => {
    const drawn = pictureElement(svg);
    if (drawn) {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", caption || "picture");
      /** @type {any} */ (holder.current).replaceChildren(drawn);
    }
  }, [svg]);
  return html`<figure><div class="picture" ref=${holder}></div><figcaption>${caption}</figcaption></figure>`;
}

/** @param {{data: any}} props */
function Viewer({ data }) {
  const { holder, failed } = useView((element) => mountViewer(element, data), [data]);
  return failed ? html`<p class="error">${failed}</p>` : html`<div class="viewer" ref=${holder}></div>`;
}

const WIDE = 108;
const HIGH = 92;
const MOST_HIGH = 420;

/** A list of tilings of any length: only those that are seen are drawn. @param {{tilings: any[][]}} props */
function TilingsList({ tilings }) {
  const holder = useRef(null);
  const [at, set] = useState({ top: 0, width: 320 });
  useEffect(() => {
    const element = /** @type {HTMLElement} */ (/** @type {any} */ (holder.current));
    const watch = new ResizeObserver(() => set((was) => ({ ...was, width: element.clientWidth })));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const { columns, first, last, height, top } = seen(tilings.length, at, { wide: WIDE, high: HIGH, view: MOST_HIGH });
  const cells = problem.value.board;
  return html`<p class="hint">${tilings.length} shown; click one to lay it on the board.</p>
    <div class="tilings" ref=${holder} style=${{ maxHeight: `${MOST_HIGH}px` }}
      onScroll=${(/** @type {any} */ event) => set((was) => ({ ...was, top: event.target.scrollTop }))} tabindex="0" role="region"
      aria-label="Tilings">
      <div class="all" style=${{ height: `${height}px` }}>
        <div class="seen" style=${{ transform: `translateY(${top}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
        ${tilings.slice(first, last).map((tiling, k) =>
          html`<button key=${first + k} style=${{ height: `${HIGH - 8}px` }} aria-label=${`Tiling ${first + k + 1}: lay it on the board`}
          onClick=${() => show(tiling)}>
          <${TilingDrawing} data=${current.value?.opened.lattice || lattice.value} tiling=${tiling}
            fills=${current.value?.rules.fills(tiling, byCopy.value) || []} cells=${cells} /><span>${first + k + 1}</span></button>`)}
      </div></div></div>`;
}

/** The command and the lines of Python that do the same. @param {{answer: any}} props */
function Same({ answer }) {
  const texts = [["In a terminal", answer.command], ["In Python", answer.python]].filter(([, text]) => text);
  return html`<details class="same"><summary>The same in a terminal and in Python</summary>
    ${texts.map(([name, text]) => html`<${Copied} name=${name} text=${text} />`)}
    <p class="hint">First save the problem under Keep.</p></details>`;
}

/** @param {{name: string, text: string}} props */
export function Copied({ name, text }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      say("The browser does not let the page copy: select the text and copy it.");
    }
  };
  return html`<div class="copied"><h3>${name} <button onClick=${copy}>Copy<span class="unseen"> ${name}</span></button></h3>
    <pre tabindex="0">${text}</pre></div>`;
}
