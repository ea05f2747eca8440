// The tile keyboard: writes tile texts into the fields of its form, and shows them as tiles on the felt (tile-felt.js).
// Fields: hand, tile, melds, flowers, wild inside [data-hand-editor]; any input with data-tile-field while it has the focus
// (tile-fields.js).
// After each change the form hears the event "tiles".
"use strict";

(() => {
  const { parse, sorted, format, parseMelds, formatMelds } = window.tileNotation;
  const NAMES = ["hand", "tile", "melds", "flowers", "wild"];

  const start = (board) => {
    const form = board.closest("form");
    const editor = form.querySelector("[data-hand-editor]");
    const prefix = editor?.dataset.prefix ?? "";
    const input = (name) => editor?.querySelector(`[name="${prefix}${name}"]`);
    const keys = [...board.querySelectorAll("[data-key]")];
    const nameOf = Object.fromEntries(keys.map((key) => [key.dataset.key, key.dataset.name]));
    const copies = Object.fromEntries(keys.map((key) => [key.dataset.key, Number(key.dataset.copies)]));
    const sprite = board.querySelector("use")?.getAttribute("href").split("#")[0];
    const special = Object.fromEntries(
      board.dataset.special.trim().split(/\s+/).filter(Boolean).map((pair) => pair.split("=")).map(([name, text]) => [name, parse(text)])
    );
    const seats = [...form.querySelectorAll('[name="seat"]')].map((radio) => ({ value: radio.value, label: radio.closest("label").textContent.trim() }));
    const history = [];
    let mode = editor ? "hand" : "field";
    let field = null; // another tile field that has the focus
    const fields = window.tileFields.start({ form, board, editor, sprite, special });
    let chosenMeld = null;
    let state = null;

    const read = () => {
      if (!editor) return null;
      const hand = parse(input("hand").value);
      const tile = parse(input("tile").value);
      const melds = parseMelds(input("melds").value);
      const flowers = parse(input("flowers")?.value ?? "");
      const wild = parse(input("wild")?.value ?? "");
      if (!hand || !tile || !melds || !flowers || !wild) return null;
      return { hand, tile: tile[0] ?? "", melds, flowers, wild };
    };
    const wanted = () => 3 * (Number(board.dataset.sets) - state.melds.length) + 1;

    const write = () => {
      input("hand").value = format(state.hand);
      input("tile").value = state.tile;
      input("melds").value = formatMelds(state.melds);
      if (input("flowers")) input("flowers").value = format(state.flowers);
      if (input("wild")) input("wild").value = format(state.wild);
      draw();
      form.dispatchEvent(new Event("tiles", { bubbles: true }));
    };
    const remember = () => {
      history.push(JSON.stringify(state));
      if (history.length > 60) history.shift();
    };

    const take = (change) => () => {
      remember();
      change();
      write();
    };
    const act = {
      take,
      choose: (index) => {
        chosenMeld = chosenMeld === index ? null : index;
        draw();
      },
      aim: () => {
        field = null;
        mode = mode === "tile" ? "hand" : "tile";
        draw();
      },
      drop: (meld) => {
        state.melds.splice(state.melds.indexOf(meld), 1);
        chosenMeld = null;
      },
      clear: () => {
        state = { hand: [], tile: "", melds: [], flowers: [], wild: state.wild };
        mode = "hand";
        chosenMeld = null;
      },
    };
    const draw = () => {
      if (editor) {
        const winner = form.querySelector('[name="seat"]:checked')?.value;
        const others = seats.filter((seat) => seat.value !== winner);
        window.tileFelt.paint({ editor, board, sprite, nameOf, state, act, chosenMeld, others, wanted: wanted(), isAimed: mode === "tile" });
      }
      refresh();
    };

    // --- the keys ---------------------------------------------------------------------------------
    const used = () => {
      const counts = {};
      const count = (tile) => tile && (counts[tile] = (counts[tile] ?? 0) + 1);
      if (state) {
        state.hand.forEach(count);
        state.flowers.forEach(count);
        state.melds.forEach((meld) => meld.tiles.forEach(count));
        count(state.tile);
      }
      return counts;
    };
    const refresh = () => {
      const counts = used();
      const inField = field !== null;
      form.classList.toggle("in-tile-field", inField);
      editor?.querySelector(".felt-place")?.setAttribute("aria-pressed", String(mode === "tile"));
      fields.show(field);
      board.classList.toggle("for-flowers", inField ? field.dataset.tilesOf === "flowers" : mode === "flowers");
      keys.forEach((key) => {
        const tile = key.dataset.key;
        const left = copies[tile] - (inField ? 0 : counts[tile] ?? 0);
        const isFlower = key.classList.contains("flower");
        key.hidden = inField ? fields.hides(field, isFlower) : mode === "flowers" ? !isFlower : isFlower && !state?.wild.includes(tile); // a wild one is held in the hand
        const badge = key.querySelector(".left");
        badge.textContent = !inField && (counts[tile] ?? 0) > 0 ? String(Math.max(left, 0)) : "";
        let possible = left > 0;
        if (!inField && mode === "wild") possible = true;
        if (inField) possible = fields.takes(field, key);
        if (!inField && mode === "chow") possible = chowOf(tile) !== null;
        if (!inField && mode === "pong") possible = left >= 3;
        if (!inField && mode.startsWith("kong-")) possible = left >= 4;
        key.disabled = !possible;
      });
      board.querySelectorAll("[data-mode]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.mode === (inField ? fields.mode(field) : mode))));
    };
    const chowOf = (tile) => {
      const key = keys.find((one) => one.dataset.key === tile);
      if (!key || !("chow" in key.dataset)) return null;
      const tiles = [0, 1, 2].map((step) => `${Number(tile[0]) + step}${tile[1]}`);
      const counts = used();
      return tiles.every((one) => copies[one] - (counts[one] ?? 0) > 0) ? tiles : null;
    };
    const press = (tile) => {
      if (!field && !editor) form.querySelector("[data-tile-field]:not([hidden] *)")?.focus(); // nothing else takes a tile here
      if (field) return fields.press(field, tile, refresh);
      if (!editor) return undefined;
      remember();
      chosenMeld = null;
      if (mode === "hand") {
        if (state.hand.length < wanted()) state.hand.push(tile);
        else if (!state.tile) state.tile = tile;
        else return history.pop();
      } else if (mode === "tile") {
        state.tile = tile;
        mode = "hand";
      }
      else if (mode === "flowers") state.flowers.push(tile);
      else if (mode === "wild") {
        const at = state.wild.indexOf(tile);
        if (at >= 0) state.wild.splice(at, 1);
        else state.wild.push(tile);
      } else if (mode === "chow") {
        const tiles = chowOf(tile);
        if (tiles) state.melds.push({ name: "", tiles, by: "", from: "" });
      } else if (mode === "pong") state.melds.push({ name: "", tiles: [tile, tile, tile], by: "", from: "" });
      else if (mode.startsWith("kong-")) state.melds.push({ name: "", tiles: [tile, tile, tile, tile], by: mode.slice(5), from: "" });
      else if (mode.startsWith("special-")) {
        const last = state.melds.at(-1);
        if (last?.name === mode.slice(8)) last.tiles = sorted([...last.tiles, tile]);
      }
      write();
      return undefined;
    };
    const back = () => {
      if (field) {
        fields.back(field, refresh);
        return;
      }
      if (!editor) return;
      if (history.length) state = JSON.parse(history.pop());
      else if (state.tile) state.tile = "";
      else if (state.hand.length) state.hand.pop();
      else state.melds.pop();
      chosenMeld = null;
      write();
    };

    board.addEventListener("pointerdown", (event) => {
      if (field && event.target.closest("button")) event.preventDefault(); // the field keeps the focus
    });
    board.addEventListener("click", (event) => {
      const key = event.target.closest("[data-key]");
      const modeButton = event.target.closest("[data-mode]");
      if (key) press(key.dataset.key);
      else if (modeButton && field && fields.turn(field, modeButton.dataset.mode)) refresh();
      else if (modeButton) {
        field = null;
        mode = modeButton.dataset.mode;
        if (mode.startsWith("special-") && state) {
          remember();
          const name = mode.slice(8);
          state.melds.push({ name, tiles: [...special[name]], by: "", from: "" });
          write();
        } else refresh();
      } else if (event.target.closest("[data-backspace]")) back();
    });
    let pressed = false;
    document.addEventListener("pointerdown", () => (pressed = true), true);
    for (const name of ["click", "keydown"]) document.addEventListener(name, () => (pressed = false), true);
    const enter = (next) => {
      const held = next ?? document.activeElement;
      const before = held.getBoundingClientRect().top;
      field = next;
      refresh();
      const moved = held.getBoundingClientRect().top - before; // the keys have left their place, or come back to it
      (form.closest("dialog[open]") ?? document.scrollingElement).scrollBy({ top: moved, behavior: "instant" });
      fields.bringIntoView(field);
    };
    form.addEventListener("focusin", (event) => {
      const next = event.target.matches?.("[data-tile-field]") ? event.target : null;
      // Leaving for the button below must not take the keyboard away, and the button from under the finger.
      if (event.target.closest?.("[data-tile-keyboard], .toolbar")) return;
      if (next === field) return;
      if (next === null && pressed) {
        // Nothing may move from under the finger: the keys leave once it is lifted.
        document.addEventListener("click", () => setTimeout(() => document.activeElement.matches("[data-tile-field]") || enter(null)), { once: true, capture: true });
      } else enter(next);
    });
    form.addEventListener("input", (event) => {
      if (!editor?.contains(event.target) || !NAMES.some((name) => event.target.name === prefix + name)) return;
      const found = read();
      if (found) {
        state = found;
        draw();
      }
    });
    // A notation that only the server reads comes back in ours.
    document.addEventListener("htmx:afterSettle", () => {
      const answer = document.getElementById("answer")?.dataset;
      if (!editor || !answer) return;
      const canonical = { hand: answer.canonicalHand, tile: answer.canonicalTile, flowers: answer.canonicalFlowers, wild: answer.canonicalWild };
      let changed = false;
      const put = (name) => {
        if (input(name) && canonical[name]) {
          input(name).value = canonical[name];
          changed = true;
        }
      };
      for (const name of Object.keys(canonical)) if (input(name) && parse(input(name).value) === null) put(name);
      const whole = canonical.tile && !input("tile").value ? format(parse(canonical.hand + canonical.tile)) : "";
      if (whole && [whole, canonical.hand].includes(format(parse(input("hand").value) ?? []))) {
        put("hand"); // the winning tile was taken from the hand
        put("tile");
      }
      const found = changed ? read() : null;
      if (found) {
        state = found;
        draw();
      }
    });

    board.hidden = false;
    form.classList.add("has-keyboard");
    const entry = editor?.querySelector("[data-text-entry]");
    state = read() ?? { hand: [], tile: "", melds: [], flowers: [], wild: [] };
    if (entry && read()) entry.open = false;
    draw();
  };

  const startAll = (root) =>
    root.querySelectorAll("[data-tile-keyboard][hidden]").forEach((board) => {
      if (board.closest("form")) start(board);
    });
  startAll(document);
  document.addEventListener("htmx:afterSettle", (event) => startAll(event.detail.target?.parentNode ?? document));
  document.addEventListener("click", (event) => {
    const wait = event.target.closest?.("[data-wait]");
    const tile = wait?.closest("form")?.querySelector('[data-hand-editor] [name$="tile"]');
    if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    tile.value = wait.dataset.wait;
    tile.dispatchEvent(new Event("input", { bubbles: true }));
    tile.form.dispatchEvent(new Event("tiles", { bubbles: true }));
  });
  window.tileKeyboard = { start };
})();
