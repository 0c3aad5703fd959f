// A list of tilings of any length: only those that are seen are drawn.
import { useEffect, useRef, useState } from "preact/hooks";
import { show } from "./doing.js";
import { window as seen } from "./scrolling.js";
import { TilingDrawing } from "./thumbnail.js";
import { byCopy, current, lattice, problem } from "./state.js";
import { html } from "./html.js";

const WIDE = 108;
const HIGH = 92;
const MOST_HIGH = 420;

/** @param {{tilings: any[][]}} props */
export function TilingsList({ tilings }) {
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
