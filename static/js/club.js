// The pages of clubs and sessions: the current tab in sight, clocks that count down between two polls.
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
    });
  };
  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", tick);
  tick();

  // What is being typed or chosen stays: the page is brought up to date afterwards.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const place = event.detail.target;
    const busy = place?.hasAttribute("data-poll") && place.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");
    if (busy) event.detail.shouldSwap = false;
  });
})();
