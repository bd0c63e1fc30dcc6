// Cards, drawn from the sheet of symbols that the server draws.

import { suitName } from "./dom.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** Puts the sheet of all cards into the page, once. */
export async function loadCards() {
  const text = await fetch("cards.svg").then((answer) => answer.text());
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sheet.setAttribute("class", "sheet");
  sheet.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sheet, true));
}

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
  const rank = face.slice(1);
  const name = "JQKA".includes(rank) ? t(`rank.${rank}`) : rank;
  return t("card.of", { rank: name, suit: t(`suit.${suit}`) });
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
