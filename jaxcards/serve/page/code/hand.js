// The own hand: cards that can be played light up, the others say why they cannot.

import { picture, spoken, still } from "./cards.js";
import { el, toast } from "./dom.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */

const TARGET = 47, CARD = .17; // pixels of a card that can be touched; a card as a share of a phone

/** @param {import("./table.js").TablePage} page @param {TableState} state */
export function hand(page, state) {
  const view = /** @type {import("./types.d.ts").View} */ (state.view);
  // Who plays two hands, or the dummy of a partner, acts with the one whose turn it is.
  const mine = view.seats.filter((seat) => seat.player === view.player);
  const turn = view.seats.find((seat) => seat.seat === view.to_act && (view.choices.length || mine.includes(seat)));
  const seat = turn ?? mine[0];
  const cards = seat?.hand ?? [];
  const byCard = new Map(view.choices.filter((choice) => choice.card !== null && cards.includes(choice.card))
    .map((choice) => [choice.card, choice]));
  const dummy = seat !== mine[0];
  const made = el("section", { class: `hand ${byCard.size ? "choose" : ""} ${view.to_act === null ? "over" : ""}`, tabindex: -1, "aria-label": dummy ? t("hand.dummy") : t("hand") },
    dummy ? el("p", { class: "whose" }, t("hand.dummy")) : null,
    rows(page, cards).map((row) => el("div", { class: "cards" }, row.map((card) => {
      const choice = byCard.get(card);
      const name = spoken(view.faces[card]);
      const button = el("button", {
        class: `card ${choice ? (choice.forbidden ? "illegal" : "legal") : ""}`,
        "data-face": view.faces[card],
        "data-action": choice && !choice.forbidden ? choice.action : undefined,
        "aria-disabled": choice && !choice.forbidden ? undefined : "true",
        "aria-label": choice?.forbidden ? pair(name, say(choice.forbidden, view)) : name,
        title: choice?.forbidden ? say(choice.forbidden, view) : undefined,
        tabindex: choice ? undefined : -1,
        onclick: () => (choice ? page.choose(choice.action) : toast(t("turn.wait"))),
      });
      button.append(picture(view.faces[card]));
      const note = choice ? page.advisor.note(choice.action) : null;
      if (note) button.append(note);
      return button;
    }))),
    dummy ? el("div", { class: "row other-hand" }, el("span", {}, t("hand")), el("div", { class: "open" }, (mine[0].hand ?? []).map((card) => still(view.faces[card], "small")))) : null,
    seat?.aside.length ? el("p", { class: "whose" }, aside(view, seat.aside)) : null);
  made.style.setProperty("--rows", String(page.handRows));
  return made;
}

/** Returns the cards that a seat has laid aside, or chosen to pass on. @param {import("./types.d.ts").View} view @param {number[]} cards */
function aside(view, cards) {
  return say(view.phase.key === "ask.pass" ? { key: "aside.pass", args: { cards } } : { key: "aside", args: { cards } }, view);
}

/**
 * Returns the cards in rows, so that enough of each can be touched. The room that a deal has needed stays, so
 * that the felt keeps its size.
 * @param {import("./table.js").TablePage} page @param {number[]} cards
 */
function rows(page, cards) {
  const room = innerWidth < 700 ? innerWidth : 700;
  const number = Math.max(1, Math.ceil(((cards.length - 1) * TARGET) / (room * (1 - CARD))));
  page.handRows = Math.max(page.handRows, number);
  const each = Math.ceil(cards.length / number);
  return Array.from({ length: number }, (_, n) => cards.slice(n * each, (n + 1) * each));
}
