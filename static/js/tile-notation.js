// Tiles as texts and as drawings: "123m4p" <-> ["1m", "2m", "3m", "4p"], "222s, 5555p concealed" <-> melds.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const ORDER = "mpszf";
  const KONGS = ["concealed", "exposed", "added"];

  // null for a notation that only the server reads
  const parse = (text) => {
    const found = [];
    let ranks = "";
    for (const sign of text) {
      if (/[1-9]/.test(sign)) ranks += sign;
      else if (ORDER.includes(sign)) {
        if (!ranks) return null;
        for (const rank of ranks) found.push(rank + sign);
        ranks = "";
      } else if (!/[\s,]/.test(sign)) return null;
    }
    return ranks ? null : found;
  };
  const place = (tile) => ORDER.indexOf(tile[1]) * 10 + Number(tile[0]);
  const sorted = (tiles) => [...tiles].sort((a, b) => place(a) - place(b));
  const format = (tiles) => {
    let text = "";
    sorted(tiles).forEach((tile, index, all) => {
      text += tile[0];
      if (index + 1 === all.length || all[index + 1][1] !== tile[1]) text += tile[1];
    });
    return text;
  };
  const parseMelds = (text) => {
    const melds = [];
    for (const part of text.split(/[,;\n]/)) {
      if (!part.trim()) continue;
      const words = part.trim().split(/\s+/);
      const from = words.indexOf("from") >= 0 ? words[words.indexOf("from") + 1] : "";
      const by = words.find((word) => KONGS.includes(word)) || "";
      const rest = words.filter((word, index) => word !== by && word !== "from" && words[index - 1] !== "from");
      const tiles = parse(rest[rest.length - 1] || "");
      if (!tiles || !tiles.length || rest.length > 2) return null;
      melds.push({ name: rest.length === 2 ? rest[0] : "", tiles: sorted(tiles), by, from });
    }
    return melds;
  };
  const formatMelds = (melds) =>
    melds.map((meld) => [meld.name, format(meld.tiles), meld.by, meld.from && `from ${meld.from}`].filter(Boolean).join(" ")).join(", ");

  const draw = (sprite, tile, classes = "") => {
    const image = document.createElementNS(SVG, "svg");
    image.setAttribute("class", `tile ${classes}`.trim());
    image.setAttribute("viewBox", "0 0 60 80");
    image.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sprite}#t-${tile}`);
    image.append(use);
    return image;
  };

  window.tileNotation = { parse, sorted, format, parseMelds, formatMelds, draw };
})();
