// A service worker: keeps every part of the page when it is first opened, so that it opens without a network too. The builder
// writes in front of this what there is (KEPT.files), a name for this state of it (KEPT.name), and the policy for workers.
const POLICY = { "Content-Security-Policy": KEPT.policy };

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT.name).then((cache) => cache.addAll(KEPT.files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("tiler-") && name !== KEPT.name) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.match(request.mode === "navigate" ? "index.html" : request, { ignoreSearch: true });
  if (!kept) return fetched(request);
  if (!/\.m?js$/.test(new URL(request.url).pathname)) return kept;
  const headers = new Headers(kept.headers);
  for (const [name, value] of Object.entries(POLICY)) headers.set(name, value);
  return new Response(kept.body, { status: kept.status, headers });
}

/** Fetches what is not among the kept files; the small pictures of problems are kept as they come. @param {Request} request */
async function fetched(request) {
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.includes("/thumbnails/")) {
    const copy = response.clone();
    caches.open(KEPT.name).then((cache) => cache.put(request, copy)).catch(() => {});
  }
  return response;
}
