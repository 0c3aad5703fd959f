// The live answer: can this still be finished, in how many ways, and if not, why not.
import { counted, fitsAt, grouped, put, stillForced, ways } from "./doing.js";
import { capital } from "./question_words.js";
import { PieceDrawing } from "./thumbnail.js";
import {
  current, cursor, hand, laid, lattice, live, mode, offered, outage, pinned, refused, rules, trouble, waiting,
} from "./state.js";
import { html } from "./html.js";

/** What the page knows now, as a sign and sentences. @returns {{sign: string, sentence: string, more: string}} */
export function verdict() {
  if (trouble.value) return { sign: "bad", sentence: trouble.value, more: "" };
  if (refused.value?.pieces === laid.value) return { sign: "bad", sentence: "These pieces do not go with the board.",
    more: capital(refused.value.sentence) };
  const opened = current.value?.opened;
  if (!opened || !rules.value) return { sign: "wait", sentence: outage.value ? "No numbers now." : "One moment …", more: "" };
  const answer = live.value;
  const { area } = opened;
  if (!opened.live) return { sign: "none", sentence: capital(opened.live_sentence || area.sentence),
    more: opened.live_sentence ? area.sentence : "" };
  if (!answer) return { sign: area.fits === false ? "bad" : "wait", sentence: area.fits === false ? area.sentence : "Counting …",
    more: "" };
  // Cells that may stay open can be left: it is done where no more piece leads to a tiling.
  const full = laid.value.length > 0 && answer.pieces === laid.value && answer.fits.every(([, count]) => count === "0");
  if (answer.possible === false) return { sign: "bad", sentence: "It cannot be finished from here.", more: answer.why?.sentence
    || (area.fits === false ? area.sentence : "") };
  if (answer.possible === null) return { sign: "none", sentence: "Not known yet whether it can be finished.", more: area.sentence };
  if (full) return { sign: "done", sentence: "Finished!", more: "" };
  const { count } = answer;
  return { sign: "good", sentence: answer.counting ? "It can be finished. Counting the ways …" : finishedIn(count),
    more: laid.value.length ? forcedWords(answer) : "" };
}

/** @param {string | null} count */
function finishedIn(count) {
  if (count === null || count === "many") return "It can be finished in many ways.";
  return count === "1" ? "It can be finished in exactly one way." : `It can be finished in ${grouped(count)} ways.`;
}

/** @param {import("./messages.js").Laid} answer */
function forcedWords(answer) {
  const rest = stillForced(answer).length;
  const single = answer.single.length;
  return [rest ? `${counted(rest, "piece")} can lie in one way only` : "",
    single ? `${counted(single, "cell")} with one possible piece` : ""].filter(Boolean).join("; ");
}

const SIGNS = /** @type {Record<string, string>} */ ({ good: "✓", done: "★", bad: "✕", wait: "…", none: "–" });

export function LiveStrip() {
  const { sign, sentence, more } = verdict();
  const warnings = current.value?.opened.warnings || [];
  return html`<section class="live ${sign} ${waiting.value ? "busy" : ""}" aria-label="Live answer">
    <span class="sign" aria-hidden="true">${SIGNS[sign]}</span>
    <div><p class="verdict" role="status">${sentence}</p>
    ${more && html`<p class="more">${more}</p>`}
    ${sums()}
    ${warnings.slice(0, 3).map((warning) => html`<p class="more warning">${warning}</p>`)}</div>
  </section>`;
}

/** The sums of a colouring that explains. */
function sums() {
  const why = live.value?.pieces === laid.value ? live.value?.why : null;
  if (!why?.sums) return null;
  return html`<dl class="sums">${Object.entries(why.sums)
    .map(([name, value]) => html`<div><dt>each ${name} has the sum</dt><dd>${String(value)}</dd></div>`)}</dl>`;
}

/** Lays a piece that fits. @param {import("./placing.js").Piece} piece */
function choose(piece) {
  offered.value = null;
  put(piece.tile, piece.cells, piece.orientation);
}

/** What still fits on the cell of the pointer, or on the one that is kept. */
export function FitsHere() {
  const told = rules.value;
  const at = pinned.value || cursor.value;
  if (mode.value !== "play" || !told?.opened.placements || !live.value) return null;
  const fits = hand.value ? [] : fitsAt(at);
  return html`<section class="fits" aria-label="What fits on the cell">
    <h2>${at && fits.length ? `Fits on this cell: ${counted(fits.length, "way")} of laying` : "Fits on this cell"}</h2>
    ${!fits.length
      && html`<p
      class="hint">Point at an empty cell, or click it to keep it: here you see every piece that can still
        cover it, and in how many ways the rest can then be filled.</p>`}
    <ul>${fits.slice(0, 24).map(([index, count]) => {
      const piece = told.piece(index);
      const { fill } = told.tileOf(piece.tile);
      const dead = count === "0";
      return html`<li key=${index}><button class="fit ${dead ? "dead-end" : ""}" onClick=${() =>
        choose(piece)} onPointerEnter=${() => (offered.value = piece)} onPointerLeave=${() => (offered.value = null)}
        onFocus=${() => (offered.value = piece)} onBlur=${() => (offered.value = null)}
          title=${dead ? "then it cannot be finished" : ways(count)}>
        <${PieceDrawing} data=${lattice.value} cells=${piece.cells} fill=${fill} unit=${9} of=${piece} at=${at} />
        <span><b>${piece.tile}</b> ${dead ? "dead end" : ways(count)}</span></button></li>`;
    })}</ul>
    ${fits.length > 24 && html`<p class="hint">and ${fits.length - 24} more</p>`}
  </section>`;
}
