// The felt of a hand: melds, tiles, the place of the winning tile, flowers and wild tiles, each to be tapped.
"use strict";

(() => {
  const { sorted, draw } = window.tileNotation;

  const group = (classes) => {
    const element = document.createElement("div");
    element.className = classes;
    return element;
  };
  const button = (classes, action, { text = "", label = "", pressed } = {}) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = classes;
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", action);
    return made;
  };

  // state: hand, tile, melds, flowers, wild; act: what a tap does; others: the seats that may have given a tile.
  const paint = ({ editor, board, sprite, nameOf, state, act, chosenMeld, others, wanted, isAimed }) => {
    const say = board.dataset;
    const removing = (tile) => `${nameOf[tile] ?? tile}, ${say.sayRemove}`;
    const kongWords = (kind) => board.querySelector(`[data-mode="kong-${kind}"]`)?.textContent ?? kind;
    const tileButton = (tile, action, { label = removing(tile), classes = "" } = {}) => {
      const made = button(`felt-tile ${classes}`.trim(), act.take(action), { label });
      made.append(draw(sprite, tile, state.wild.includes(tile) ? "wild" : ""));
      return made;
    };
    const removable = (tiles, classes) => sorted(tiles).map((tile) => tileButton(tile, () => tiles.splice(tiles.indexOf(tile), 1), { classes }));

    const meldButton = (meld, index) => {
      const words = [meld.by && kongWords(meld.by), ...meld.tiles.map((tile) => nameOf[tile] ?? tile)].filter(Boolean);
      const made = button("felt-meld", () => act.choose(index), { label: words.join(" "), pressed: chosenMeld === index });
      meld.tiles.forEach((tile, at) => made.append(draw(sprite, meld.by === "concealed" && (at === 0 || at === 3) ? "back" : tile)));
      return made;
    };
    const meldMenu = (meld) => {
      const menu = group("meld-menu");
      const add = (text, action, pressed) => menu.append(button("", act.take(action), { text, pressed }));
      if (meld.by !== "concealed")
        others.forEach((seat) => add(`← ${seat.label}`, () => (meld.from = meld.from === seat.value ? "" : seat.value), meld.from === seat.value));
      if (meld.by)
        board.querySelectorAll('[data-mode^="kong-"]').forEach((mode) => {
          const kind = mode.dataset.mode.slice(5);
          add(mode.textContent, () => { meld.by = kind; if (kind === "concealed") meld.from = ""; }, meld.by === kind);
        });
      add(`✕ ${say.sayRemove}`, () => act.drop(meld));
      return menu;
    };

    const felt = group("on-felt");
    if (state.melds.length) {
      const melds = group("felt-melds");
      melds.append(...state.melds.map(meldButton));
      felt.append(melds);
    }
    const hand = group("felt-hand");
    hand.append(...removable(state.hand));
    if (!state.hand.length && !state.melds.length) {
      const hint = document.createElement("p");
      hint.className = "muted";
      hint.textContent = say.sayEmpty;
      hand.append(hint);
    }
    const win = group("felt-win");
    // The place of the winning tile: tapped first, it takes the next key, whatever the hand lacks.
    if (state.tile) win.append(tileButton(state.tile, () => (state.tile = ""), { label: `${say.sayWin}: ${removing(state.tile)}`, classes: "winning" }));
    else win.append(button("felt-place", act.aim, { label: say.sayWin, pressed: isAimed }));
    const row = group("felt-row");
    row.append(hand, win);
    felt.append(row);
    if (chosenMeld !== null && state.melds[chosenMeld]) felt.append(meldMenu(state.melds[chosenMeld]));

    const foot = group("felt-foot");
    const count = document.createElement("span");
    count.textContent = `${say.sayCount} ${state.hand.length}/${Math.max(wanted, 0)}`;
    foot.append(count);
    if (state.hand.length || state.melds.length || state.tile || state.flowers.length) foot.append(button("felt-clear", act.take(act.clear), { text: say.sayClear }));
    if (state.flowers.length) {
      const flowers = group("felt-flowers");
      flowers.append(...removable(state.flowers, "small"));
      foot.append(flowers);
    }
    if (state.wild.length) {
      const wild = group("felt-wild");
      wild.append(`${say.sayWild} `, ...removable(state.wild, "small"));
      foot.append(wild);
    }
    felt.append(foot);

    const old = editor.querySelector("[data-felt] .on-felt");
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(felt);
    if (hadFocus) (felt.querySelector("button") ?? board.querySelector("[data-key]"))?.focus({ preventScroll: true });
  };

  window.tileFelt = { paint };
})();
