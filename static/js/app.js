// What every page does in the browser. Pages work without it; it only makes them quicker and kinder.
"use strict";

(() => {
  const root = document.documentElement;
  const words = document.body.dataset; // sentences in the page's language: data-say-…

  // --- speaking: two live regions that no swap replaces ------------------------------------------
  const say = (text, { error = false } = {}) => {
    const region = document.getElementById(error ? "alert" : "status");
    if (!region || !text) return;
    region.replaceChildren();
    const toast = document.createElement("div");
    toast.className = error ? "toast error" : "toast";
    const words_ = document.createElement("span");
    words_.textContent = text;
    toast.append(words_);
    if (error) {
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "✕";
      close.setAttribute("aria-label", words.sayClose);
      close.addEventListener("click", () => toast.remove());
      toast.append(close);
    } else {
      setTimeout(() => toast.remove(), 6000);
    }
    region.append(toast);
  };
  const hush = () => document.getElementById("alert")?.replaceChildren();

  // --- htmx: waiting, faults, focus --------------------------------------------------------------
  let pending = 0;
  let timer = 0;
  const settle = () => {
    clearTimeout(timer);
    delete root.dataset.busy;
  };
  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.elt.hasAttribute("data-poll")) return;
    pending += 1;
    if (pending === 1) timer = setTimeout(() => (root.dataset.busy = ""), 300);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.hasAttribute("data-poll")) return;
    pending = Math.max(0, pending - 1);
    if (pending === 0) settle();
    if (event.detail.successful) hush();
  });
  document.addEventListener("htmx:sendError", (event) => {
    if (!event.detail.elt.hasAttribute("data-poll")) say(words.sayNetwork, { error: true });
    else root.dataset.offline = "";
  });
  document.addEventListener("htmx:timeout", () => say(words.sayNetwork, { error: true }));
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (event.detail.elt.hasAttribute("data-poll") && status >= 500) return;
    say(status >= 500 ? words.sayServer : `${words.sayRefused} (${status})`, { error: true });
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const summary = event.detail.target?.querySelector?.(".error-summary");
    if (summary) summary.focus();
  });
  document.addEventListener("say", (event) => say(event.detail.value ?? event.detail)); // HX-Trigger: {"say": "…"}

  // Elements with data-poll rest while the page is hidden and ask at once when it is seen again
  // (their hx-trigger: "every 3s, seen").
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.detail.elt.hasAttribute("data-poll")) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) document.querySelectorAll("[data-poll]").forEach((element) => window.htmx?.trigger(element, "seen"));
  });

  // --- small behaviours by attribute -------------------------------------------------------------
  document.addEventListener("click", async (event) => {
    const on = (selector) => event.target.closest?.(selector);
    const copier = on("[data-copy]");
    if (copier) {
      event.preventDefault();
      try {
        await navigator.clipboard.writeText(copier.dataset.copy);
        say(words.sayCopied);
      } catch {
        window.prompt(words.sayCopy, copier.dataset.copy);
      }
    }
    const opener = on("[data-open]");
    const dialog = opener && document.querySelector(opener.dataset.open);
    if (dialog?.showModal) {
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    }
    if (on("[data-close]")) on("dialog")?.close();
    if (event.target.matches?.("dialog.sheet")) event.target.close(); // the backdrop
    if (on("[data-print]")) window.print();
    if (on("[data-theme-toggle]")) {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit-on-change]")) event.target.form.requestSubmit();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const search = [...document.querySelectorAll('input[type="search"]')].find((input) => input.offsetParent);
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  document.querySelectorAll("[data-needs-script]").forEach((element) => element.removeAttribute("hidden"));
  document.querySelector(".error-summary")?.focus();
  setTimeout(() => document.querySelectorAll("#status .toast").forEach((toast) => toast.remove()), 8000);

  window.referee = { say };
})();
