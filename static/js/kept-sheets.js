// The sheets of a table are kept on the device, so that a round can be entered while the network is down.
"use strict";

(() => {
  const bar = document.getElementById("outbox");
  const outbox = window.outbox;
  if (!bar || !outbox) return;
  const root = document.documentElement;
  const memory = new Map();
  const PLACE = `sheets-${root.lang}`;
  const base = bar.dataset.at;

  const keep = async (address, html) => {
    memory.set(address, html);
    if (!window.caches) return; // without a secure address, only as long as the page is open
    const place = await caches.open(PLACE);
    await place.put(address, new Response(html, { headers: { "Content-Type": "text/html" } }));
  };
  const kept = async (address) => {
    if (memory.has(address)) return memory.get(address);
    const answer = window.caches && (await (await caches.open(PLACE)).match(address));
    return answer ? answer.text() : undefined;
  };

  // --- keeping -------------------------------------------------------------------------------------
  const fetchSheet = async (address) => {
    const answer = await fetch(address, { headers: { "HX-Request": "true", "HX-Current-URL": location.href } });
    if (!answer.ok) return "";
    const html = await answer.text();
    await keep(address, html);
    return html;
  };
  const prepare = async () => {
    if (!document.getElementById("record-button") && !document.querySelector("[data-middle]")) return;
    const first = `${base}record/`;
    if (await kept(`${first}?ahead=1`)) {
      root.dataset.sheetsKept = "";
      return;
    }
    const html = await fetchSheet(first);
    const ahead = await fetchSheet(`${first}?ahead=1`);
    const parsed = new DOMParser().parseFromString(ahead || html, "text/html");
    for (const link of parsed.querySelectorAll(".tabs a[hx-get]")) {
      await new Promise((resolve) => setTimeout(resolve, 400)); // four phones may begin at once; nothing hurries
      await fetchSheet(link.getAttribute("hx-get"));
    }
    root.dataset.sheetsKept = "";
  };

  // What is opened anyway is newer than what was kept before: names and rules may have changed.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, successful, target, xhr } = event.detail;
    if (!successful || requestConfig?.verb !== "get" || target?.id !== "sheet" || !requestConfig.path.startsWith(`${base}record/`)) return;
    if (new URL(xhr.responseURL).pathname === `${base}record/` && !/[?&]seat=/.test(requestConfig.path)) keep(requestConfig.path, xhr.responseText);
  });

  // --- using what was kept -------------------------------------------------------------------------
  // A sheet as the table stands: what it shows was kept earlier, what makes its write safe is of now.
  const bringUpToDate = (sheet) => {
    const table = document.getElementById("table");
    const set = (name, value) => sheet.querySelectorAll(`form [name="${name}"]`).forEach((input) => (input.value = value));
    set("key", outbox.newKey());
    set("version", table?.dataset.version ?? "-1");
    set("draft", table?.dataset.draft ?? "0");
    const title = sheet.querySelector("#sheet-title");
    if (title) title.textContent = bar.dataset.sayTitle;
    offerToKeep();
  };
  const show = async (address) => {
    const html = await kept(address);
    if (html === undefined) return false;
    outbox.insert(html);
    setTimeout(() => bringUpToDate(document.getElementById("sheet")), 40);
    return true;
  };

  // Whether, as far as this device knows, a round is going on.
  const inRound = () => {
    const last = outbox.of().at(-1);
    const what = last?.fields.find(([name]) => name === "what")?.[1] ?? "";
    if (!last) return Number(document.getElementById("table")?.dataset.draft ?? 0) > 0;
    return last.path.endsWith("/deal/") || (last.path.endsWith("/record/") && !["win", "draw"].includes(what));
  };
  const instead = (path) => {
    const address = new URL(path, location.href);
    const plain = address.pathname + address.search;
    if (address.pathname !== `${base}record/`) return [plain];
    const ahead = [`${base}record/?ahead=1`];
    if (!address.search) return inRound() ? ahead : [plain, ...ahead];
    const seat = address.searchParams.get("seat");
    return seat === null ? [plain] : inRound() ? ahead : [`${base}record/`, ...ahead];
  };
  window.addEventListener(
    "htmx:sendError",
    async (event) => {
      const { requestConfig, elt } = event.detail;
      if (requestConfig.verb !== "get" || event.detail.target?.id !== "sheet") {
        if (elt.id === "look") {
          event.stopPropagation();
          offerToKeep();
        }
        return;
      }
      event.stopPropagation();
      root.dataset.offline = "";
      for (const address of instead(requestConfig.path)) {
        if (!(await show(address))) continue;
        const seat = new URL(requestConfig.path, location.href).searchParams.get("seat");
        if (seat !== null) setTimeout(() => document.querySelector(`#sheet [name="seat"][value="${seat}"]`)?.click(), 80);
        return;
      }
      window.referee?.say(document.body.dataset.sayNetwork, { error: true });
    },
    true
  );
  document.addEventListener("outbox-kept", (event) => {
    if (event.detail?.path.endsWith("/deal/")) setTimeout(() => show(`${base}record/?ahead=1`), 60);
  });

  // --- confirming what the server could not look at ------------------------------------------------
  const complete = (form) => {
    if (!form.checkValidity()) return false;
    if (form.querySelector('[name="mode"]:checked')?.value === "tiles") return Boolean(form.querySelector('[name="tile"]')?.value);
    return true;
  };
  const offerToKeep = () => {
    const form = document.getElementById("record-form");
    const place = form?.querySelector("#outcome .confirm-bar");
    const offer = document.getElementById("outbox-offer");
    if (!place || !offer || root.dataset.offline === undefined) return;
    form.querySelector("#outcome .body")?.replaceChildren();
    const shown = offer.content.cloneNode(true);
    if (!complete(form)) shown.querySelector("button").remove();
    else shown.querySelector(".missing").remove();
    place.replaceChildren(shown);
  };
  document.addEventListener("change", (event) => {
    if (root.dataset.offline !== undefined && event.target.closest?.("#record-form")) offerToKeep();
  });

  // --- the table as it was last seen ---------------------------------------------------------------
  const seen = `seen${location.pathname}`;
  const tidy = (html) => html.replace(/ class="(htmx-\w+ ?)+"/g, "").replace(/ htmx-(request|settling|added|swapping)\b/g, "");
  const remember = () => {
    const table = document.getElementById("table");
    if (!table?.dataset.changes) return;
    const others = Object.keys(localStorage).filter((key) => key.startsWith("seen/") && key !== seen);
    others.slice(0, Math.max(0, others.length - 8)).forEach((key) => localStorage.removeItem(key));
    try {
      localStorage.setItem(seen, JSON.stringify({ changes: Number(table.dataset.changes), html: tidy(table.outerHTML) }));
    } catch {
      localStorage.removeItem(seen); // full: the outbox goes before
    }
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (document.getElementById("table")?.contains(event.detail.elt) || event.detail.target?.id === "table") remember();
  });
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(seen) ?? "null");
  } catch {
    localStorage.removeItem(seen);
  }
  const table = document.getElementById("table");
  // The kept page is older than what was seen since: it was served without a network.
  if (table && stored && stored.changes > Number(table.dataset.changes)) window.htmx?.swap(table, stored.html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 20 }, { eventInfo: { target: table, elt: table } });
  else remember();

  setTimeout(() => prepare().catch(() => undefined), 1200);
})();
