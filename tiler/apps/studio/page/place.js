// The part of the link after #: it says which room is shown, and what is chosen there.
import { computed, signal } from "@preact/signals";

/** @param {string} hash */
const told = (hash) => new URLSearchParams(hash.replace(/^#/, ""));

/** What the link says. @type {import("@preact/signals").Signal<URLSearchParams>} */
export const place = signal(told(location.hash));

/** The room that the link names. */
export const room = computed(() => place.value.get("room") || "");

/** Looks at the link again, which somebody has changed. */
export function lookAtLink() {
  place.value = told(location.hash);
}

/** Writes what is chosen into the link; an empty text takes a name out of it. @param {Record<string, string>} values */
export function putInLink(values) {
  const next = told(location.hash);
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  window.history.replaceState(null, "", text ? `#${text}` : location.pathname);
  place.value = next;
}
