// The pages of clubs and sessions: the current tab in sight, clocks that count down between two polls, forms sent once.
"use strict";

(() => {
  document.querySelector(".club-nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

  const tick = () => {
    const now = Date.now();
    document.querySelectorAll("[data-ends-at]").forEach((clock) => {
      const left = Math.round((new Date(clock.dataset.endsAt).getTime() - now) / 1000);
      const size = Math.abs(left);
      const words = `${left < 0 ? "−" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("over", left <= 0);
      // Time has run out: nothing was written, so that a poll would not say it.
      if (left <= 0 && left % 5 === 0 && !("over" in clock.dataset)) bringUpToDate(clock.closest("[data-poll]"));
    });
  };
  const bringUpToDate = (place) => {
    const url = place?.getAttribute("hx-get");
    if (url) window.htmx.ajax("GET", url.replace(/v=\d+/, "v=over"), { target: place, swap: "outerHTML" });
  };
  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", tick);
  tick();

  // A second tap sends nothing while the first is under way; whoever comes back to the page may send again.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent));

  // What is being typed or chosen stays: the page is brought up to date afterwards.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const place = event.detail.target;
    const busy = place?.hasAttribute("data-poll") && place.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");
    if (busy) event.detail.shouldSwap = false;
  });
})();
