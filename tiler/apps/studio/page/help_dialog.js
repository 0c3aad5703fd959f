// The keys, in a dialog.
import { Dialog } from "./dialog.js";
import { dialog } from "./state.js";
import { html } from "./html.js";
import { inPage } from "./in_page.js";

const KEYS = [
  ["Arrow keys", "move from cell to cell (Page Up and Page Down: from layer to layer)"],
  ["N, P", "take the next or previous piece in hand"], ["R, Shift+R", "turn it to the right, to the left (or the wheel of the mouse)"],
  ["F", "turn it over (or the right button of the mouse)"], ["M", "in space: its mirror image"],
  ["Enter, Space", "lay the piece down, take the one on the cell in hand, or choose the cell of a group that stays open"],
  ["Delete", "take the piece on the cell off"],
  ["L", "lock the piece on the cell, so that it stays"], ["H", "a hint: one piece that is right"], ["Shift+C", "take all pieces off"],
    ["Escape", "put the piece in hand back"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["On the tab Board", "Space: on or off; O: may stay open; Enter: begin and end a line or a rectangle"],
];

export function HelpDialog() {
  return html`<${Dialog} name="help" title="By keys and by hand" isOpen=${dialog.value === "help"} close=${() => (dialog.value = "")}>
    <p>Drag a piece from the tray to the board. Click a piece on the board to take it in hand, and click again to lay it.
      Below the board you always see whether it can still be finished, and in how many ways.</p>
    <dl class="keys">${KEYS.map(([key, words]) => html`<div><dt>${key}</dt><dd>${words}</dd></div>`)}</dl>
    ${inPage && html`<p>All of Tiler is in this page, and nothing leaves it: Python, NumPy and the search as WebAssembly,
      with at most 2 GB of memory. Installed, it is faster and has more solvers.
      <a href="parts.html">Parts of this page and their licences</a></p>`}
  <//>`;
}
