// The outbox: what is confirmed while the network is down is kept on this device, survives a reload, and is sent in
// order and exactly once when the network is back. Each write has the key of its form, by which the server knows a
// repeat; each names the version it was made against, and one made behind another names what that one came to.
"use strict";

(() => {
  const bar = document.getElementById("outbox");
  if (!bar) return;
  const root = document.documentElement;
  const words = bar.dataset;
  const here = { table: words.table, token: words.token, at: words.at };
  const ITEM = "outbox/";
  const USED = "outbox-used";
  const PATIENCE = 15000; // ms until a write counts as not answered
  const PAUSES = [2000, 5000, 15000, 30000];

  // --- what is kept --------------------------------------------------------------------------------
  const parse = (text, otherwise) => {
    try {
      return JSON.parse(text) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const name = (item) => `${ITEM}${item.table}/${item.key}`;
  const items = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(ITEM))
      .map((key) => parse(localStorage.getItem(key), null))
      .filter(Boolean)
      .sort((one, other) => one.at - other.at);
  const of = (table) => items().filter((item) => item.table === table);
  const find = (key) => items().find((item) => item.key === key);
  const put = (item) => localStorage.setItem(name(item), JSON.stringify(item));
  const drop = (item) => {
    for (const other of of(item.table)) if (other.after === item.key) put({ ...other, after: item.after });
    localStorage.removeItem(name(item));
  };
  const used = () => new Set(parse(localStorage.getItem(USED), []));
  const use = (key) => localStorage.setItem(USED, JSON.stringify([...used(), key].slice(-200)));
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const cookie = (wanted) => document.cookie.split("; ").find((part) => part.startsWith(`${wanted}=`))?.slice(wanted.length + 1) ?? "";
  const value = (fields, wanted) => fields.find(([field]) => field === wanted)?.[1] ?? "";

  // A form never uses a key again that has been used for something else.
  const freshen = (scope) => {
    const known = used();
    scope.querySelectorAll?.('input[type="hidden"][name="key"]').forEach((input) => {
      if (known.has(input.value) && !find(input.value)) input.value = newKey();
    });
  };

  // --- which writes concern us ---------------------------------------------------------------------
  const write = (path, fields, form) => {
    const address = new URL(path, location.href).pathname;
    const key = value(fields, "key");
    const table = /^\/t\/([^/]+)\//.exec(address)?.[1];
    if (!key || !table || value(fields, "go") === "look" || fields.some(([field]) => field === "look")) return null;
    return { key, table, path: address, fields: fields.filter(([field, text]) => field !== "csrfmiddlewaretoken" && typeof text === "string"), form };
  };
  const asked = (event) => {
    const config = event.detail.requestConfig;
    if (config?.verb !== "post") return null;
    const fields = [...(config.formData ?? new FormData()).entries()];
    return write(config.path, fields, event.detail.elt.closest?.("form"));
  };

  const label = ({ form, path, fields }) => {
    const text = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";
    const chosen = [...(form?.querySelectorAll('[name="seat"]:checked, [name="from"]:checked, [name^="p."]:checked, [name="wild"]:checked') ?? [])];
    const parts = chosen.map((input) => text(input.closest("label")?.querySelector(".name, span")));
    const tab = form?.querySelector(".tabs [aria-current]");
    const what = value(fields, "what") || path.split("/").filter(Boolean).at(-1);
    const kind = path.endsWith("/undo/") ? words.sayUndo : text(tab) || text(form?.closest(".sheet, .sheet-page")?.querySelector("#sheet-title")) || what;
    return [kind, ...parts].filter(Boolean).join(" · ").slice(0, 120);
  };

  const hold = (request, { tried = false } = {}) => {
    const before = find(request.key);
    const queue = of(request.table).filter((item) => item.key !== request.key);
    put({
      key: request.key,
      table: request.table,
      path: request.path,
      fields: before ? request.fields : timed(request.fields),
      version: value(request.fields, "version"),
      draft: value(request.fields, "draft"),
      after: before ? before.after : (queue.at(-1)?.key ?? ""),
      at: before?.at ?? Math.max(Date.now(), (queue.at(-1)?.at ?? 0) + 1),
      label: label(request),
      tried: tried || Boolean(before?.tried),
    });
    use(request.key);
    if (request.form?.isConnected && !request.form.closest("#sheet")) freshenForm(request.form);
    show();
    document.dispatchEvent(new CustomEvent("sheet-close"));
    document.dispatchEvent(new CustomEvent("outbox-kept", { detail: find(request.key) }));
    later();
  };
  const timed = (fields) => fields.map(([field, text]) => [field, field === "client_time" ? text || new Date().toISOString() : text]);
  const freshenForm = (form) => form.querySelectorAll('[name="key"]').forEach((input) => (input.value = newKey()));

  // --- sending -------------------------------------------------------------------------------------
  const settled = (key, version, draft) => {
    const item = find(key);
    use(key);
    if (!item) return;
    // First what follows learns what it was made behind: were we to stop here, the server would know the repeat.
    for (const next of of(item.table)) {
      if (next.after === key) put({ ...next, after: "", version: version ?? next.version, draft: draft ?? next.draft });
    }
    localStorage.removeItem(name(item));
  };

  const addressOf = (item) => (item.table === here.table ? item.path.replace(/^\/t\/[^/]+\/[^/]+\//, `/t/${here.table}/${here.token}/`) : item.path);

  const post = (item) => {
    const body = new URLSearchParams();
    for (const [field, text] of item.fields) {
      body.append(field, field === "version" ? item.version : field === "draft" ? item.draft : text);
    }
    body.set("csrfmiddlewaretoken", cookie("csrftoken"));
    const headers = { "HX-Request": "true", "HX-Current-URL": location.href, "X-Outbox": "1" };
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    return fetch(addressOf(item), { method: "POST", body, headers, signal: stop.signal, credentials: "same-origin" }).finally(() => clearTimeout(timer));
  };

  const problemOf = (html) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return (parsed.querySelector(".error-summary p, .notice.error p, .notice.error")?.textContent ?? "").replace(/\s+/g, " ").trim();
  };

  const send = async (item) => {
    let answer;
    try {
      answer = await post(item);
      if (answer.status === 403 && !item.tried) {
        await fetch(here.at); // brings the cookie that the write needs
        answer = await post(item);
      }
    } catch {
      put({ ...item, tried: true });
      root.dataset.offline = "";
      return "later";
    }
    delete root.dataset.offline;
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return "later";
    if (answer.ok) {
      settled(item.key, answer.headers.get("Table-Version"), answer.headers.get("Draft-Version"));
      return "sent";
    }
    const html = await answer.text();
    const state = answer.status === 409 ? "conflict" : "refused";
    put({ ...item, state, problem: answer.status === 404 ? words.sayGone : problemOf(html) || `${words.sayRefused} (${answer.status})` });
    if (item.table === here.table && state === "conflict" && !sheetIsOpen()) open(find(item.key), html, answer.headers.get("HX-Retarget"));
    return "stopped";
  };

  let busy = null;
  let pause = 0;
  let timer = 0;
  const alone = (work) => (navigator.locks ? navigator.locks.request("outbox", work) : work());
  const sendAll = async () => {
    let sent = 0;
    let delayed = false;
    for (const table of new Set(items().map((item) => item.table))) {
      for (;;) {
        const item = of(table)[0];
        if (!item || item.state) break;
        const outcome = await send(item);
        show();
        if (outcome === "sent") sent += 1;
        else {
          delayed ||= outcome === "later";
          break;
        }
      }
    }
    if (sent) {
      window.referee?.say(sent === 1 ? words.saySentOne : words.saySentMany.replace("{n}", sent));
      document.dispatchEvent(new CustomEvent("outbox-sent"));
      const table = document.getElementById("table");
      if (table) window.htmx?.trigger(table, "seen");
    }
    return delayed;
  };
  const go = () => {
    clearTimeout(timer);
    busy ??= alone(sendAll)
      .then((delayed) => {
        pause = delayed ? Math.min(pause + 1, PAUSES.length - 1) : 0;
        busy = null;
        if (delayed) later();
      })
      .finally(() => {
        busy = null;
        show();
      });
    return busy;
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => items().some((item) => !item.state) && go(), PAUSES[pause]);
  };

  // --- what the server would not take --------------------------------------------------------------
  const sheet = () => document.getElementById("sheet");
  const sheetIsOpen = () => sheet()?.open ?? Boolean(sheet());
  const insert = (html) => window.htmx?.swap(sheet(), html, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 20 }, { eventInfo: { target: sheet(), elt: sheet() } });

  // Puts what was typed back into a form of the server's, under its own key.
  const refill = (form, item) => {
    const typed = new Map();
    for (const [field, text] of item.fields) typed.set(field, [...(typed.get(field) ?? []), text]);
    for (const input of form.elements) {
      if (!input.name || ["csrfmiddlewaretoken", "version", "draft", "client_time", "key", "go"].includes(input.name)) continue;
      const wanted = typed.get(input.name) ?? [];
      if (input.type === "radio" || input.type === "checkbox") input.checked = wanted.includes(input.value);
      else if (wanted.length) input.value = wanted[0];
    }
    const key = form.querySelector('[name="key"]');
    if (key) key.value = item.key;
  };
  const SHEETS = /\/(record|correct|void|more|deal)\/$/;
  const open = async (item, html = "", target = "") => {
    if (html && (target === "#sheet" || item.path.endsWith("/more/"))) insert(html);
    else if (SHEETS.test(item.path)) {
      const query = new URLSearchParams(item.fields.filter(([field]) => !["key", "version", "draft", "client_time", "go"].includes(field)));
      const answer = await fetch(`${addressOf(item)}?${query}`, { headers: { "HX-Request": "true" } }).catch(() => null);
      if (!answer?.ok) return window.referee?.say(words.sayKept, { error: true });
      insert(await answer.text());
    } else return;
    setTimeout(() => {
      const form = [...(sheet()?.querySelectorAll("form") ?? [])].find((one) => new URL(one.action).pathname.endsWith(item.path.split("/").slice(3).join("/")));
      if (!form) return;
      refill(form, item);
      form.dispatchEvent(new Event("change", { bubbles: true }));
    }, 60);
  };

  // --- the bar -------------------------------------------------------------------------------------
  const row = (item) => {
    const line = document.getElementById("outbox-row").content.firstElementChild.cloneNode(true);
    line.dataset.key = item.key;
    line.querySelector(".label").textContent = item.label;
    line.querySelector("time").textContent = new Date(item.at).toTimeString().slice(0, 5);
    line.querySelector(".problem").textContent = item.problem ?? "";
    line.querySelector('[data-outbox="look"]').hidden = !item.state || !SHEETS.test(item.path) || item.table !== here.table;
    line.querySelector('[data-outbox="again"]').hidden = !item.state || SHEETS.test(item.path);
    return line;
  };
  const show = () => {
    const all = items();
    const stuck = all.filter((item) => item.state);
    bar.hidden = !all.length;
    bar.classList.toggle("error", stuck.length > 0);
    const said = stuck.length ? words.sayStuck : all.length === 1 ? words.sayOne : words.sayMany.replace("{n}", all.length);
    const line = bar.querySelector(".words");
    if (line.textContent !== said) line.textContent = said;
    bar.querySelector("ol").replaceChildren(...all.map(row));
    if (stuck.length) bar.querySelector("details").open = true;
  };
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-outbox]");
    if (!button) return;
    const item = find(button.closest("[data-key]")?.dataset.key);
    if (button.dataset.outbox === "send") {
      pause = 0;
      go();
    }
    if (!item) return;
    if (button.dataset.outbox === "look") open(item);
    if (button.dataset.outbox === "again") {
      put({ ...item, state: "", problem: "", version: document.getElementById("table")?.dataset.version ?? item.version });
      go();
    }
    if (button.dataset.outbox === "drop" && window.confirm(item.tried ? words.sayDropTried : words.sayDrop)) {
      drop(item);
      show();
      go();
    }
  });

  // --- htmx forms ----------------------------------------------------------------------------------
  window.addEventListener(
    "htmx:beforeRequest",
    (event) => {
      const request = asked(event);
      if (!request || find(request.key)?.state) return; // one that was refused is being put right
      if (!of(request.table).length && navigator.onLine) return;
      event.preventDefault();
      hold(request);
      if (navigator.onLine) go();
    },
    true
  );
  window.addEventListener("htmx:beforeSend", (event) => {
    if (asked(event)) event.detail.xhr.timeout = PATIENCE;
  });
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    window.addEventListener(
      failure,
      (event) => {
        root.dataset.offline = "";
        const request = asked(event);
        if (!request) return;
        event.stopPropagation(); // nothing is lost, so that nobody need be alarmed
        const item = find(request.key);
        if (item) put({ ...item, state: "", problem: "", after: "" });
        hold(request, { tried: true });
      },
      true
    );
  }
  window.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, successful } = event.detail;
    const request = asked(event);
    if (request && successful) {
      settled(request.key, xhr.getResponseHeader("Table-Version"), xhr.getResponseHeader("Draft-Version"));
      show();
    }
    if (successful && items().some((item) => !item.state)) go();
  });

  // --- plain forms ---------------------------------------------------------------------------------
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || (window.htmx && form.hasAttribute("hx-post"))) return;
    const request = write(form.action, [...new FormData(form, event.submitter).entries()], form);
    if (!request) return;
    event.preventDefault();
    if (of(request.table).length && !find(request.key)?.state) {
      hold(request);
      return go();
    }
    let answer;
    try {
      answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)), credentials: "same-origin" });
    } catch {
      return hold(request, { tried: true });
    }
    if (answer.ok) settled(request.key, answer.headers.get("Table-Version"), answer.headers.get("Draft-Version"));
    const html = await answer.text();
    history.pushState(null, "", answer.redirected ? answer.url : location.href);
    document.open();
    document.write(html);
    document.close();
  });

  // --- beginning, and beginning again ----------------------------------------------------------------
  document.addEventListener("htmx:afterSettle", (event) => freshen(event.detail.target ?? document));
  window.addEventListener("online", () => {
    pause = 0;
    go();
  });
  window.addEventListener("offline", () => (root.dataset.offline = ""));
  window.addEventListener("storage", (event) => event.key?.startsWith(ITEM) && show());
  document.addEventListener("visibilitychange", () => !document.hidden && items().length && go());
  freshen(document);
  show();
  if (items().length) go();

  window.outbox = { items, of: () => of(here.table), newKey, insert };
})();
