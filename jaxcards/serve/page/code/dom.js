// Elements in one line, texts with coloured suits, and messages to whoever looks or listens.

import { pack } from "./packs.js";
import { t } from "./words.js";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Names that begin with "on" are listeners, "class" and others are attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [given] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in made) /** @type {any} */ (made).value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "string" ? rich(child) : /** @type {Node} */ (child))));
  return made;
}

const SUITS = { "♥": "hearts", "♦": "diamonds", "♣": "clubs", "♠": "spades" };

/** Returns the name of a suit's symbol. @param {string} symbol */
export function suitName(symbol) {
  return SUITS[/** @type {keyof typeof SUITS} */ (symbol)] ?? "";
}

/** Returns a text whose suits are those of the pack, and have their colours. @param {string} text */
export function rich(text) {
  const whole = document.createDocumentFragment();
  const [first, ...parts] = text.split(/([♥♦♣♠])/);
  whole.append(first);
  for (let n = 0; n < parts.length; n += 2) {
    const suit = document.createElement("span");
    suit.className = `suit ${suitName(parts[n])}`;
    if (pack() === "french") suit.textContent = `${parts[n]}\uFE0E`; // as a letter, not as a picture
    else suit.append(drawn(suitName(parts[n])));
    whole.append(suit, parts[n + 1]);
  }
  return whole;
}

/** Returns a suit as the pack draws it. @param {string} name */
function drawn(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t(`suit.${pack()}.${name}`));
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#s-${name}`);
  svg.append(use);
  return svg;
}

/** Tells something to those who hear the page. @param {string} text */
export function announce(text) {
  const news = document.getElementById("news");
  if (news) news.textContent = text;
}

/** @type {number | undefined} */
let hiding;

/** Shows a line for some seconds; an empty one shows nothing. @param {string} text @param {number} [seconds] */
export function toast(text, seconds = 4.5) {
  const place = document.getElementById("toast");
  if (!place) return;
  place.replaceChildren(rich(text));
  place.className = text && "shown";
  clearTimeout(hiding);
  if (seconds < Infinity) hiding = window.setTimeout(() => (place.className = ""), 1000 * seconds);
}

/** Returns an element that must be there. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}
