// Inputs of tiles beside a hand ([data-tile-field]: tile, tiles, melds): the keyboard writes into the one with the focus,
// and what stands in them is drawn as tiles.
"use strict";

(() => {
  const { parse, format, parseMelds, formatMelds, draw } = window.tileNotation;

  const start = ({ form, board, editor, sprite, special }) => {
    const inputs = () => [...form.querySelectorAll("[data-tile-field]")].filter((input) => !editor?.contains(input));
    const strip = board.querySelector("[data-field-tiles]");
    const isMelds = (field) => field?.dataset.tileField === "melds";
    const firstMode = board.querySelector('[data-mode="pong"][data-meld]') ?? board.querySelector("[data-meld]");
    let meldMode = firstMode?.dataset.mode ?? "pong";

    // --- drawings -----------------------------------------------------------------------------------
    const paint = (place, field) => {
      place.replaceChildren();
      const melds = isMelds(field) ? parseMelds(field.value) : null;
      const groups = melds ? melds.map((meld) => meld.tiles) : [isMelds(field) ? null : parse(field.value)];
      if (groups.includes(null)) return false;
      groups.forEach((tiles, at) => {
        const group = document.createElement("span");
        tiles.forEach((tile, index) => {
          const hidden = melds?.[at].by === "concealed" && (index === 0 || index === 3);
          group.append(draw(sprite, hidden ? "back" : tile));
        });
        place.append(group);
      });
      return groups.some((tiles) => tiles.length);
    };
    const drawn = (input) => {
      let view = input.nextElementSibling;
      if (!view?.matches(".tile-view")) {
        view = document.createElement("span");
        view.className = "tile-view";
        view.setAttribute("aria-hidden", "true");
        input.after(view);
      }
      view.hidden = !paint(view, input);
    };

    // --- writing ------------------------------------------------------------------------------------
    const write = (field, text, refresh) => {
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true })); // a list of records grows by it
      form.dispatchEvent(new Event("tiles", { bubbles: true }));
      refresh();
    };
    const meldOf = (key) => {
      if (meldMode === "chow") return "chow" in key.dataset ? [0, 1, 2].map((step) => `${Number(key.dataset.key[0]) + step}${key.dataset.key[1]}`) : null;
      const count = meldMode.startsWith("kong-") ? 4 : 3;
      return Number(key.dataset.copies) >= count ? Array(count).fill(key.dataset.key) : null;
    };
    const press = (field, tile, refresh) => {
      if (!isMelds(field)) return write(field, field.dataset.tileField === "tile" ? tile : format([...(parse(field.value) ?? []), tile]), refresh);
      const tiles = meldOf(board.querySelector(`[data-key="${tile}"]`));
      const melds = parseMelds(field.value);
      if (!tiles || !melds) return undefined;
      const by = meldMode.startsWith("kong-") ? meldMode.slice(5) : "";
      return write(field, formatMelds([...melds, { name: "", tiles, by, from: "" }]), refresh);
    };
    const back = (field, refresh) => {
      const shorter = isMelds(field) ? formatMelds((parseMelds(field.value) ?? []).slice(0, -1)) : format((parse(field.value) ?? []).slice(0, -1));
      write(field, shorter, refresh);
    };

    inputs().forEach(drawn);
    form.addEventListener("input", (event) => {
      if (!inputs().includes(event.target)) return;
      drawn(event.target);
      if (event.target === document.activeElement) paint(strip, event.target);
    });
    form.addEventListener("focusin", () => inputs().forEach((input) => (input.inputMode = "none"))); // the device's own keyboard stays away
    inputs().forEach((input) => (input.inputMode = "none"));

    return {
      press,
      back,
      mode: (field) => (isMelds(field) ? meldMode : ""),
      // whether a mode button is one for the melds of this field
      turn: (field, mode) => {
        if (!isMelds(field) || !board.querySelector(`[data-meld][data-mode="${mode}"]`)) return false;
        if (mode.startsWith("special-")) {
          const name = mode.slice(8);
          write(field, formatMelds([...(parseMelds(field.value) ?? []), { name, tiles: [...special[name]], by: "", from: "" }]), () => undefined);
        } else meldMode = mode;
        return true;
      },
      hides: (field, isFlower) => (field.dataset.tilesOf === "flowers" ? !isFlower : field.dataset.tilesOf === "plain" && isFlower),
      takes: (field, key) => !isMelds(field) || meldOf(key) !== null,
      show: (field) => {
        board.classList.toggle("in-field", field !== null);
        board.classList.toggle("in-melds", isMelds(field));
        board.classList.toggle("in-one", field?.dataset.tileField === "tile");
        board.classList.toggle("on-tap", !form.querySelector(".event-fields > .field > [data-first]"));
        if (field) paint(strip, field);
        else strip.replaceChildren();
      },
      bringIntoView: (field) => {
        if (!field) return;
        document.documentElement.style.setProperty("--keys", `${board.offsetHeight}px`);
        requestAnimationFrame(() => field.scrollIntoView({ block: "nearest" }));
      },
    };
  };

  window.tileFields = { start };
})();
