// Filters the reference of the expression language while one types. Without it the form asks the server.
"use strict";

document.querySelectorAll("[data-language]").forEach((root) => {
  const field = root.querySelector("[data-language-filter]");
  const count = root.querySelector("[data-language-count]");
  const none = root.querySelector("[data-language-none]");
  const chapters = [...root.querySelectorAll("[data-language-chapter]")].map((section) => ({
    section,
    link: root.querySelector(`.toc a[href="#${section.getAttribute("aria-labelledby")}"]`),
    entries: [...section.querySelectorAll("[data-words]")],
  }));
  const total = chapters.reduce((sum, chapter) => sum + chapter.entries.length, 0);

  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { section, link, entries } of chapters) {
      let left = 0;
      for (const entry of entries) {
        entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
        left += !entry.hidden;
      }
      section.hidden = left === 0;
      if (link) link.hidden = section.hidden;
      shown += left;
    }
    none.hidden = shown > 0;
    count.textContent = count.dataset.said.replace("{shown}", shown).replace("{total}", total);
  };

  field.closest("[data-needs-script]")?.removeAttribute("hidden");
  field.addEventListener("input", filter);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // in the editor it would save the draft
  });
  field.form?.querySelectorAll(".language-search button").forEach((button) => (button.hidden = true));
  if (field.value) filter(); // the browser may have kept what was typed
});
