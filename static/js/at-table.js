// The device at the table: its screen stays on, it answers a confirmation by touch and colour, shows the sheet beside
// the table where there is room, and keeps its pages.
"use strict";

(() => {
  const root = document.documentElement;
  const sheet = document.getElementById("sheet");

  // --- the screen stays on -------------------------------------------------------------------------
  const WAKE = "screen-stays-on";
  let lock = null;
  const buttons = () => document.querySelectorAll("[data-wake-lock]");
  const shown = () => buttons().forEach((button) => button.setAttribute("aria-pressed", String(Boolean(lock))));
  const hold = async () => {
    if (lock || document.hidden || localStorage.getItem(WAKE) !== "1") return shown();
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => {
        lock = null;
        shown();
      });
    } catch {
      lock = null; // the battery is low, or the system says no
    }
    shown();
  };
  if (navigator.wakeLock) {
    buttons().forEach((button) => (button.hidden = false));
    document.addEventListener("click", async (event) => {
      if (!event.target.closest?.("[data-wake-lock]")) return;
      localStorage.setItem(WAKE, lock ? "0" : "1");
      if (lock) await lock.release();
      else await hold();
    });
    document.addEventListener("visibilitychange", hold);
    hold();
  }

  // --- confirmed: felt and seen --------------------------------------------------------------------
  const answer = (kind, pattern) => {
    navigator.vibrate?.(pattern);
    root.dataset.flash = kind;
    setTimeout(() => delete root.dataset.flash, 700);
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, successful } = event.detail;
    if (!successful || requestConfig?.verb !== "post") return;
    const fields = requestConfig.formData;
    if (fields?.get?.("key") && fields.get("go") !== "look" && !fields.get("look")) answer("good", 60);
  });
  document.addEventListener("outbox-kept", () => answer("kept", [40, 60, 40]));
  document.addEventListener("outbox-sent", () => answer("good", 60));

  // --- the sheet beside the table ------------------------------------------------------------------
  const wide = matchMedia("(min-width: 900px)");
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === sheet && sheet?.show && !sheet.open && wide.matches && !document.querySelector("[data-middle]")) {
      sheet.classList.add("beside");
      sheet.show();
    }
  });
  sheet?.addEventListener("close", () => sheet.classList.remove("beside"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && sheet?.open && sheet.classList.contains("beside")) sheet.close();
  });

  // --- another device took over --------------------------------------------------------------------
  window.addEventListener(
    "htmx:responseError",
    (event) => {
      const { elt, xhr } = event.detail;
      if (xhr.status !== 404 || !elt.hasAttribute("data-poll")) return;
      event.stopPropagation();
      elt.removeAttribute("hx-get");
      elt.removeAttribute("hx-trigger");
      window.htmx?.process(elt);
      const notice = document.getElementById("link-ended");
      if (notice) notice.hidden = false;
    },
    true
  );
  document.addEventListener("click", (event) => {
    const dismiss = event.target.closest?.("[data-dismiss-naming]");
    if (!dismiss) return;
    localStorage.setItem("device-naming", "no");
    dismiss.closest(".naming").remove();
  });
  if (localStorage.getItem("device-naming") === "no") document.querySelector(".naming")?.remove();

  // --- pages without a network -----------------------------------------------------------------------
  if (navigator.serviceWorker) {
    navigator.serviceWorker
      .register("/service-worker.js", { scope: "/" })
      .then(() => navigator.serviceWorker.ready)
      .then((registration) => registration.active?.postMessage({ page: location.href.split("#")[0] }))
      .then(() => (root.dataset.worker = ""))
      .catch(() => undefined);
  }
})();
