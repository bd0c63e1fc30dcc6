// The pack of cards that this browser likes: French, Swiss-German or German suits.

import { recall, remember } from "./memory.js";

export const PACKS = ["french", "swiss", "german"];

/** What stands on a rank in place of its own name. @type {Record<string, Record<string, string>>} */
const LETTERS = { french: {}, swiss: { J: "U", Q: "O", 10: "B" }, german: { J: "U", Q: "O" } };

/** The name of the pack. */
export function pack() {
  const liked = recall("pack", "french");
  return PACKS.includes(liked) ? liked : "french";
}

/** Returns what stands on a card of a rank. @param {string} rank */
export function letter(rank) {
  return LETTERS[pack()][rank] ?? rank;
}

/** Returns the text of a card, with the letter that stands on it. @param {string} face */
export function worn(face) {
  return face[0] + letter(face.slice(1));
}

/** Puts the sheet of all cards into the page, in place of another one. */
export async function loadCards() {
  const text = await fetch(`cards.svg?pack=${pack()}`).then((answer) => answer.text());
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sheet.setAttribute("class", "sheet");
  sheet.setAttribute("aria-hidden", "true");
  document.querySelector("svg.sheet")?.remove();
  document.body.prepend(document.importNode(sheet, true));
}

/** @param {string} name */
export async function wear(name) {
  remember("pack", name);
  await loadCards();
}
