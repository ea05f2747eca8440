// The tile keyboard: writes tile texts into the fields of its form, and shows them as tiles on the felt.
// Fields: hand, tile, melds, flowers, wild inside [data-hand-editor]; any input with data-tile-field while it has the focus
// (tile-fields.js).
// After each change the form hears the event "tiles".
"use strict";

(() => {
  const { parse, sorted, format, parseMelds, formatMelds, draw: drawTile } = window.tileNotation;
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

    // --- the felt ---------------------------------------------------------------------------------
    const svg = (tile, classes = "") => drawTile(sprite, tile, classes);
    const tileButton = (tile, label, action, classes = "") => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `felt-tile ${classes}`.trim();
      button.setAttribute("aria-label", label);
      button.append(svg(tile, state.wild.includes(tile) ? "wild" : ""));
      button.addEventListener("click", action);
      return button;
    };
    const removing = (tile) => `${nameOf[tile] ?? tile}, ${board.dataset.sayRemove}`;
    const group = (classes) => {
      const element = document.createElement("div");
      element.className = classes;
      return element;
    };
    const take = (change) => () => {
      remember();
      change();
      write();
    };
    const draw = () => {
      if (!editor) return refresh();
      const felt = editor.querySelector("[data-felt]");
      const old = felt.querySelector(".on-felt");
      const board_ = group("on-felt");
      const row = group("felt-row");
      if (state.melds.length) {
        const melds = group("felt-melds");
        state.melds.forEach((meld, index) => {
          const button = document.createElement("button");
          button.type = "button";
          button.className = "felt-meld";
          button.setAttribute("aria-pressed", String(chosenMeld === index));
          button.setAttribute("aria-label", [meld.by, ...meld.tiles.map((tile) => nameOf[tile] ?? tile)].filter(Boolean).join(" "));
          meld.tiles.forEach((tile, at) => {
            const hidden = meld.by === "concealed" && (at === 0 || at === 3);
            button.append(svg(hidden ? "back" : tile));
          });
          button.addEventListener("click", () => {
            chosenMeld = chosenMeld === index ? null : index;
            draw();
          });
          melds.append(button);
        });
        board_.append(melds);
      }
      const hand = group("felt-hand");
      sorted(state.hand).forEach((tile) =>
        hand.append(
          tileButton(tile, removing(tile), take(() => state.hand.splice(state.hand.indexOf(tile), 1)))
        )
      );
      if (!state.hand.length && !state.melds.length) {
        const hint = document.createElement("p");
        hint.className = "muted";
        hint.textContent = board.dataset.sayEmpty;
        hand.append(hint);
      }
      row.append(hand);
      const win = group("felt-win");
      if (state.tile) win.append(tileButton(state.tile, `${board.dataset.sayWin}: ${removing(state.tile)}`, take(() => (state.tile = "")), "winning"));
      else win.append(placeButton());
      row.append(win);
      board_.append(row);
      if (chosenMeld !== null && state.melds[chosenMeld]) board_.append(meldMenu(state.melds[chosenMeld]));
      const foot = group("felt-foot");
      const count = document.createElement("span");
      count.textContent = `${board.dataset.sayCount} ${state.hand.length}/${Math.max(wanted(), 0)}`;
      foot.append(count);
      if (state.hand.length || state.melds.length || state.tile || state.flowers.length) foot.append(clearButton());
      if (state.flowers.length) {
        const flowers = group("felt-flowers");
        sorted(state.flowers).forEach((tile) => flowers.append(tileButton(tile, removing(tile), take(() => state.flowers.splice(state.flowers.indexOf(tile), 1)), "small")));
        foot.append(flowers);
      }
      if (state.wild.length) {
        const wild = group("felt-wild");
        wild.append(`${board.dataset.sayWild} `);
        state.wild.forEach((tile) => wild.append(tileButton(tile, removing(tile), take(() => state.wild.splice(state.wild.indexOf(tile), 1)), "small")));
        foot.append(wild);
      }
      board_.append(foot);
      const hadFocus = old.contains(document.activeElement);
      old.replaceWith(board_);
      if (hadFocus) (board_.querySelector("button") ?? keys[0])?.focus({ preventScroll: true });
      refresh();
    };
    // The place of the winning tile: tapped first, it takes the next key, whatever the hand lacks.
    const placeButton = () => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "felt-place";
      button.setAttribute("aria-label", board.dataset.sayWin);
      button.setAttribute("aria-pressed", String(mode === "tile"));
      button.addEventListener("click", () => {
        field = null;
        mode = mode === "tile" ? "hand" : "tile";
        draw();
      });
      return button;
    };
    const clearButton = () => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "felt-clear";
      button.textContent = board.dataset.sayClear;
      button.addEventListener("click", take(() => {
        state = { hand: [], tile: "", melds: [], flowers: [], wild: state.wild };
        mode = "hand";
        chosenMeld = null;
      }));
      return button;
    };
    const meldMenu = (meld) => {
      const menu = group("meld-menu");
      const add = (label, action, pressed) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
        button.addEventListener("click", take(action));
        menu.append(button);
      };
      const winner = form.querySelector('[name="seat"]:checked')?.value;
      if (meld.by !== "concealed")
        seats.filter((seat) => seat.value !== winner).forEach((seat) => add(`← ${seat.label}`, () => (meld.from = meld.from === seat.value ? "" : seat.value), meld.from === seat.value));
      if (meld.by)
        board.querySelectorAll('[data-mode^="kong-"]').forEach((button) => {
          const kind = button.dataset.mode.slice(5);
          add(button.textContent, () => { meld.by = kind; if (kind === "concealed") meld.from = ""; }, meld.by === kind);
        });
      add(`✕ ${board.dataset.sayRemove}`, () => {
        state.melds.splice(state.melds.indexOf(meld), 1);
        chosenMeld = null;
      });
      return menu;
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
      if (field) return fields.press(field, tile, refresh);
      if (!state) return undefined;
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
      if (!state) return;
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
