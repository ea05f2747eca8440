// The scoring page: which fields bear on what was entered, the two ways of entry.
"use strict";

(() => {
  const form = document.getElementById("score-form");
  if (!form) return;

  const fit = () => {
    const answer = document.getElementById("answer");
    if (!answer) return;
    const irrelevant = answer.dataset.irrelevant.split(" ");
    form.querySelectorAll('.facts-of-round > [data-field^="i."]').forEach((element) => {
      element.hidden = irrelevant.includes(element.dataset.field);
    });
    const unfit = answer.dataset.unfit.split(" ");
    form.querySelectorAll("[data-flag]").forEach((element) => element.classList.toggle("unfit", unfit.includes(element.dataset.flag)));
    const summary = form.querySelector("[data-summary]");
    summary.hidden = !answer.dataset.patterns;
    summary.replaceChildren();
    if (answer.dataset.patterns) {
      const words = document.createElement("span");
      words.textContent = answer.dataset.patterns;
      const total = document.createElement("b");
      total.textContent = answer.dataset.total;
      summary.append(words, total);
    }
    answer.querySelectorAll("[data-needs-script]").forEach((element) => element.removeAttribute("hidden"));
  };

  const showMode = () => {
    const mode = form.querySelector('[name="mode"]:checked')?.value ?? "tiles";
    form.querySelectorAll("[data-when-mode]").forEach((element) => (element.hidden = element.dataset.whenMode !== mode));
    form.classList.toggle("is-quick", mode === "quick");
  };

  const showGivers = () => {
    const seat = form.querySelector('[name="seat"]:checked')?.value;
    form.querySelectorAll("[data-giver]").forEach((label) => {
      const own = label.dataset.giver === seat;
      label.hidden = own;
      const radio = label.querySelector("input");
      if (own && radio.checked) form.querySelector('[name="from"][value=""]').checked = true;
    });
    const giver = form.querySelector('[name="from"]:checked')?.value ?? "";
    form.querySelectorAll(".rob").forEach((element) => element.classList.toggle("unfit", giver === ""));
  };

  form.addEventListener("change", () => {
    showMode();
    showGivers();
  });
  document.addEventListener("htmx:afterSettle", fit);
  form.addEventListener("input", (event) => {
    const list = event.target.dataset?.filter;
    if (!list) return;
    event.stopPropagation(); // Looking for a pattern changes nothing.
    const wanted = event.target.value.trim().toLowerCase();
    form.querySelectorAll(list).forEach((chip) => {
      const isChosen = chip.querySelector("input:checked") || Number(chip.querySelector("select")?.value) > 0;
      chip.hidden = Boolean(wanted) && !isChosen && !chip.dataset.words.includes(wanted);
    });
  }, { capture: true });
  // What is empty says nothing: short addresses, short logs.
  form.addEventListener("htmx:configRequest", (event) => {
    const { parameters } = event.detail;
    for (const [name, value] of [...parameters.entries()]) {
      if (value === "" || (name.startsWith("p.") && value === "0")) parameters.delete(name);
    }
  });

  form.querySelector("[data-summary]").addEventListener("click", () => document.getElementById("answer").scrollIntoView({ block: "center" }));
  form.querySelectorAll(".no-script").forEach((element) => (element.hidden = true));
  showMode();
  showGivers();
  fit();
})();
