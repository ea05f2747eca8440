// The rule book: sorting the table of patterns, opening what an address leads to, tapping tiles into a search.
"use strict";

(() => {
  // --- a rule inside something closed opens when an address leads to it ---------------------------
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) if (at.matches("details")) at.open = true;
    const body = target.closest("tbody");
    const examples = body?.querySelector("details.examples");
    if (examples) examples.open = true;
    target.scrollIntoView({ block: "start" });
  };
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // --- the chapter being read is lit in the table of contents -------------------------------------
  const links = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
  if (links.size && "IntersectionObserver" in window) {
    const seen = new Set();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) entry.isIntersecting ? seen.add(entry.target.id) : seen.delete(entry.target.id);
        const current = [...links.keys()].find((id) => seen.has(id));
        if (!current) return;
        for (const [id, link] of links) id === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      },
      { rootMargin: "-80px 0px -60% 0px" },
    );
    for (const id of links.keys()) {
      const section = document.getElementById(id);
      if (section) watch.observe(section);
    }
  }

  // --- sorting -------------------------------------------------------------------------------------
  const language = document.documentElement.lang.startsWith("zh") ? "zh-Hans-u-co-pinyin" : "en";
  const collator = new Intl.Collator(language);
  const by = {
    name: (a, b) => collator.compare(a.dataset.name, b.dataset.name),
    number: (a, b) => b.dataset.number - a.dataset.number || a.dataset.position - b.dataset.position,
    position: (a, b) => a.dataset.position - b.dataset.position,
  };
  document.querySelectorAll("table[data-sortable] th[data-sort]").forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const table = head.closest("table");
      const next = { none: "forward", forward: "backward", backward: "none" }[head.dataset.order ?? "none"];
      table.querySelectorAll("th[data-sort]").forEach((other) => {
        delete other.dataset.order;
        other.removeAttribute("aria-sort");
      });
      const bodies = [...table.tBodies].sort(by[next === "none" ? "position" : head.dataset.sort]);
      if (next === "backward") bodies.reverse();
      if (next !== "none") {
        head.dataset.order = next;
        const rising = (head.dataset.sort === "name") === (next === "forward");
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      }
      table.append(...bodies);
    });
  });

  // --- tiles tapped into the search ----------------------------------------------------------------
  const input = document.querySelector("[data-tiles-input]");
  if (!input) return;
  const felt = document.querySelector("[data-tiles-felt]");
  const read = () => {
    const found = [];
    for (const [, ranks, suit] of input.value.matchAll(/([1-9]+)\s*([mpszf])/g)) for (const rank of ranks) found.push(rank + suit);
    return found;
  };
  const write = (tiles) => {
    input.value = tiles.reduce((text, tile) => (text.at(-1) === tile[1] ? text.slice(0, -1) + tile : text + tile), "");
    show(tiles);
    input.form.dispatchEvent(new Event("tiles"));
  };
  const show = (tiles) => {
    felt.hidden = tiles.length === 0;
    const row = document.createElement("span");
    row.className = "tiles";
    for (const tile of tiles) {
      const key = document.querySelector(`.find-key[data-tile="${tile}"] .tile`);
      if (key) row.append(key.cloneNode(true));
    }
    felt.replaceChildren(row);
  };
  document.addEventListener("click", (event) => {
    const key = event.target.closest?.(".find-key");
    if (key) write([...read(), key.dataset.tile]);
    if (event.target.closest?.("[data-tiles-back]")) write(read().slice(0, -1));
    if (event.target.closest?.("[data-tiles-clear]")) write([]);
  });
  // Whoever presses the button wants to see what comes of it; the keys stand before the results.
  let pressed = false;
  input.form.addEventListener("submit", () => (pressed = true));
  document.addEventListener("htmx:afterSettle", (event) => {
    const results = document.getElementById("results");
    if (pressed && event.detail.target?.id === "results") results?.scrollIntoView({ block: "start" });
    pressed = false;
  });
  input.addEventListener("input", () => show(read()));
  show(read());
})();
