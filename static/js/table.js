// The table's pages: the sheet from below, what fits what was tapped, the clock of the device, lists that can be searched.
"use strict";

(() => {
  const root = document.documentElement;
  const sheet = document.getElementById("sheet");

  // --- the sheet ----------------------------------------------------------------------------------
  const ready = (scope) => {
    scope.querySelectorAll("[data-needs-script]").forEach((element) => element.removeAttribute("hidden"));
    scope.querySelectorAll("[data-without-script]").forEach((element) => (element.hidden = true));
    scope.querySelectorAll("[data-tile-keyboard]").forEach((board) => {
      if (!board.hidden || !window.tileKeyboard) return;
      window.tileKeyboard.start(board);
    });
    scope.querySelectorAll(".event-fields").forEach((fields) => {
      const inputs = [...fields.querySelectorAll("[data-tile-field]")];
      if (!scope.querySelector("[data-tile-keyboard]") || !inputs.length || "ready" in fields.dataset) return;
      fields.dataset.ready = "";
      if ("first" in inputs[0].dataset) inputs[0].focus({ preventScroll: true });
    });
    fit();
  };
  const focusTitle = () => sheet.querySelector("#sheet-title")?.focus({ preventScroll: true });
  const measure = () => {
    const bar = sheet?.querySelector(".confirm-bar");
    if (bar) sheet.style.setProperty("--bar", `${bar.offsetHeight}px`);
  };
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== sheet || !sheet.showModal) return;
    if (!sheet.open) {
      sheet.showModal();
      focusTitle();
    }
    sheet.scrollTop = 0;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (sheet && (event.detail.target === sheet || sheet.contains(event.detail.target) || event.detail.target.id === "outcome")) {
      ready(sheet);
      measure();
      // What had the focus may be gone with what was swapped: it goes to the title, not to the page behind.
      if (sheet.open && [document.body, sheet].includes(document.activeElement)) focusTitle();
    }
  });
  document.addEventListener("sheet-close", () => sheet?.open && sheet.close?.());
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-close-sheet]") && sheet?.open) {
      event.preventDefault();
      sheet.close();
    }
    const name = event.target.closest?.("[data-name]");
    if (name && !name.closest("[data-tile-keyboard]")) {
      const empty = [...document.querySelectorAll('[name="name"]')].find((input) => !input.value);
      if (empty) {
        empty.value = name.dataset.name;
        name.hidden = true;
      }
    }
  });
  sheet?.addEventListener("close", () => {
    sheet.replaceChildren();
    setTimeout(() => document.activeElement === document.body && document.getElementById("record-button")?.focus({ preventScroll: true }));
  });

  // --- what fits what was tapped -------------------------------------------------------------------
  const fit = () => {
    const form = document.getElementById("record-form");
    if (!form) return;
    const outcome = document.getElementById("outcome");
    const mode = form.querySelector('[name="mode"]:checked')?.value;
    if (mode) {
      form.querySelectorAll("[data-when-mode]").forEach((element) => (element.hidden = element.dataset.whenMode !== mode));
      form.classList.toggle("is-quick", mode === "quick");
    }
    const seat = form.querySelector('[name="seat"]:checked')?.value;
    form.querySelector(".givers")?.classList.toggle("waits-for-winner", seat === undefined);
    form.querySelectorAll("[data-giver]").forEach((label) => {
      const own = label.dataset.giver === seat;
      label.hidden = own || label.querySelector("input").disabled;
      if (own) label.querySelector("input").checked = false;
    });
    form.querySelectorAll('.event-fields > [data-field="from"] input').forEach((input) => {
      const own = Boolean(seat) && input.value === seat; // nobody gives a tile to himself
      input.closest("label").hidden = own;
      if (own) input.checked = false;
    });
    const giver = form.querySelector('[name="from"]:checked')?.value ?? "";
    form.querySelectorAll(".rob").forEach((element) => (element.hidden = giver === ""));
    if (!outcome) return;
    const unfit = (outcome.dataset.unfit ?? "").split(" ");
    form.querySelectorAll("[data-flag]").forEach((label) => (label.hidden = unfit.includes(label.dataset.flag) && !label.querySelector("input").checked));
    const flags = form.querySelector(".flags");
    if (flags) flags.hidden = ![...flags.querySelectorAll("[data-flag]")].some((label) => !label.hidden);
    const irrelevant = (outcome.dataset.irrelevant ?? "").split(" ");
    form.querySelectorAll('.facts-of-round > [data-field^="i."]').forEach((element) => (element.hidden = irrelevant.includes(element.dataset.field)));
  };
  document.addEventListener("change", (event) => {
    if (!event.target.closest?.("#record-form")) return;
    fit();
    if (event.target.name === "mode" && event.target.value === "tiles") event.target.closest(".entry-mode").scrollIntoView({ block: "start" }); // felt and keys in one view
  });
  // A list of records grows: where its last row is begun, an empty one follows.
  document.addEventListener("input", (event) => {
    const row = event.target.closest?.("#record-form .record");
    if (!row || row.nextElementSibling) return;
    const next = row.cloneNode(true);
    next.querySelectorAll("[name], [id], [for], [data-field]").forEach((element) => {
      for (const attribute of ["name", "id", "for", "data-field"]) {
        const value = element.getAttribute(attribute);
        if (value) element.setAttribute(attribute, value.replace(/([.-])(\d+)([.-])(?!.*[.-]\d+[.-])/, (_all, left, number, right) => `${left}${Number(number) + 1}${right}`));
      }
      if (element.matches("input:not([type=radio], [type=checkbox])")) element.value = "";
      if (element.matches("input[type=radio], input[type=checkbox]")) element.checked = false;
    });
    row.after(next);
  });

  // A tile key taken before its field: the key is meant for the first field that is still empty.
  document.addEventListener(
    "pointerdown",
    (event) => {
      const board = event.target.closest?.(".event-fields ~ [data-tile-keyboard]");
      const fields = board && [...board.closest("form").querySelectorAll(".event-fields [data-tile-field]")];
      if (!fields?.length || fields.includes(document.activeElement)) return;
      (fields.find((input) => !input.value) ?? fields[0]).focus({ preventScroll: true });
    },
    true
  );

  // --- the clock of the device ---------------------------------------------------------------------
  const now = () => {
    const date = new Date();
    return date.toISOString();
  };
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.formData?.has("client_time")) event.detail.formData.set("client_time", now());
  });
  document.addEventListener("submit", (event) => {
    event.target.querySelectorAll("[data-now]").forEach((input) => (input.value = now()));
  });

  // --- the network ---------------------------------------------------------------------------------
  const offline = () => (root.dataset.offline = "");
  // A form of the table's page that stands on a page of its own has nothing to swap: it is sent as without a script.
  document.addEventListener("htmx:targetError", (event) => {
    if (event.detail.elt.matches("form")) event.detail.elt.submit();
  });
  document.addEventListener("htmx:sendError", offline);
  document.addEventListener("htmx:timeout", offline);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr?.status) delete root.dataset.offline;
  });
  window.addEventListener("offline", offline);

  // --- lists that can be searched ------------------------------------------------------------------
  document.addEventListener("input", (event) => {
    const list = event.target.dataset?.filter;
    if (!list) return;
    const wanted = event.target.value.trim().toLowerCase();
    document.querySelectorAll(list).forEach((element) => {
      const words = (element.dataset.words ?? element.textContent).toLowerCase();
      element.hidden = !words.includes(wanted) && !element.querySelector("input:checked");
    });
    event.stopPropagation();
  });

  if (sheet && !sheet.showModal) ready(sheet); // the sheet as a page of its own
  document.querySelectorAll("[data-without-script]").forEach((element) => (element.hidden = true));
  fit();
})();
