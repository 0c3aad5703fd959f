// Starts the page of tiler report: the data are packed in it, and what is chosen is in the link.
"use strict";
(async () => {
  const started = performance.now();
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = JSON.parse(await new Response(stream).text());
  const root = document.getElementById("runs");
  const get = () => new URLSearchParams(location.hash.slice(1));
  const put = (values) => {
    const next = get();
    for (const [key, value] of Object.entries(values)) value ? next.set(key, value) : next.delete(key);
    history.replaceState(null, "", `#${next}`);
  };
  // Data that many records share are stored once.
  const record = async (number) => {
    const found = { ...data.records[number] };
    for (const key of data.shared) if (typeof found[key] === "number") found[key] = data.tables[key][found[key]];
    return found;
  };
  const shown = tilerRuns.mount(root, data, { link: { get, put }, record });
  addEventListener("hashchange", shown.look);
  root.dataset.ready = String(Math.round(performance.now() - started));
})();
