// Keeps what was read at a table readable without a network. The server puts BUILD before this line.
"use strict";

const STATIC = `static-${BUILD.version}`;
const PAGES = `pages-${BUILD.version}`;
const HASHED = /\.[0-9a-f]{12}\.\w+$/;
const KEPT = /^\/(t|rules)\//; // pages worth keeping; those at a table stay in this device's own cache
const MOST_PAGES = 60;
const PATIENCE = 8000; // ms that a page is waited for before the kept one is shown

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const files = await caches.open(STATIC);
      await Promise.all(BUILD.assets.map((address) => files.add(address).catch(() => undefined)));
      const pages = await caches.open(PAGES);
      await pages.add(BUILD.offline).catch(() => undefined);
      await self.skipWaiting();
    })()
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => /^(static|pages)-/.test(name) && name !== STATIC && name !== PAGES);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })()
  );
});

const put = async (name, address, answer) => {
  const cache = await caches.open(name);
  await cache.put(address, answer);
  if (name !== PAGES) return;
  const kept = await cache.keys();
  const spare = kept.filter((request) => new URL(request.url).pathname !== BUILD.offline);
  await Promise.all(spare.slice(0, Math.max(0, spare.length - MOST_PAGES)).map((request) => cache.delete(request)));
};

const isPage = (answer) => answer.ok && !answer.redirected && (answer.headers.get("Content-Type") ?? "").startsWith("text/html");

const find = async (name, address) => (await caches.open(name)).match(address, { ignoreVary: true, ignoreSearch: name === PAGES });

const staticFile = async (request) => {
  const hashed = HASHED.test(new URL(request.url).pathname);
  const kept = await find(STATIC, request.url);
  if (hashed && kept) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok) await put(STATIC, request.url, answer.clone());
    return answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
};

const page = async (event) => {
  const address = new URL(event.request.url);
  const kept = KEPT.test(address.pathname) ? await find(PAGES, event.request.url) : undefined;
  try {
    const asked = fetch(event.request);
    const late = new Promise((_resolve, reject) => setTimeout(() => reject(new Error("late")), PATIENCE));
    const answer = await (kept ? Promise.race([asked, late]) : asked);
    if (KEPT.test(address.pathname) && isPage(answer)) event.waitUntil(put(PAGES, event.request.url, answer.clone()));
    return answer;
  } catch {
    return kept ?? (await find(PAGES, BUILD.offline)) ?? Response.error();
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return; // a write is never kept here
  if (address.pathname.startsWith(BUILD.prefix)) event.respondWith(staticFile(request));
  else if (request.mode === "navigate") event.respondWith(page(event));
});

// The page that was open before this worker was: it asks to be kept.
self.addEventListener("message", (event) => {
  const { page: address } = event.data ?? {};
  if (!address || !KEPT.test(new URL(address).pathname)) return;
  event.waitUntil(
    (async () => {
      if (await find(PAGES, address)) return;
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (isPage(answer)) await put(PAGES, address, answer);
    })().catch(() => undefined)
  );
});
