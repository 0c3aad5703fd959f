// The room where solvers are compared: campaigns that run, and results of others.
import { html } from "./html.js";

export function CompareRoom() {
  return html`<main class="room compare"><h2>Compare solvers</h2></main>`;
}
