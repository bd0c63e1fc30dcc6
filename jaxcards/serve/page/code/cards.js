// Cards, drawn from the sheet of symbols that the server draws.

import { suitName } from "./dom.js";
import { letter, pack } from "./packs.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** Returns the picture of a card; null is one that lies face down. @param {string | null} face */
export function picture(face) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 70 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol(face)}`);
  svg.append(use);
  return svg;
}

/** @param {string | null} face */
function symbol(face) {
  if (face === null) return "s-back";
  const suit = suitName(face[0]);
  return suit ? `card-${suit}-${face.slice(1)}` : "card-joker";
}

/** Returns a card in words. @param {string | null} face */
export function spoken(face) {
  if (face === null) return t("card.hidden");
  const suit = suitName(face[0]);
  if (!suit) return t("card.joker");
  const rank = letter(face.slice(1));
  const name = "JQKAUOB".includes(rank) ? t(`rank.${rank}`) : rank;
  return t("card.of", { rank: name, suit: suitWord(suit) });
}

/** Returns the name of a suit in the pack that is worn. @param {string} suit */
function suitWord(suit) {
  return pack() === "french" ? t(`suit.${suit}`) : t(`suit.${pack()}.${suit}`);
}

/** Returns a card that is only looked at. @param {string | null} face @param {string} [style] */
export function still(face, style = "") {
  const card = document.createElement("span");
  card.className = `card ${style}`;
  card.setAttribute("role", "img");
  card.setAttribute("aria-label", spoken(face));
  if (face !== null) card.dataset.face = face;
  card.append(picture(face));
  return card;
}
