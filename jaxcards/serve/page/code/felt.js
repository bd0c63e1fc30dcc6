// The middle of the table: seats around the trick, the piles, and how a deal has ended.

import { still } from "./cards.js";
import { el } from "./dom.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").Seat} Seat */
/** @typedef {import("./types.d.ts").Trick} Trick */

/** @param {import("./table.js").TablePage} page @param {TableState} state */
export function felt(page, state) {
  const view = /** @type {View} */ (state.view);
  const over = view.to_act === null;
  const back = page.lookBack && view.last_trick;
  const trick = view.trick.plays.length && !back ? view.trick : view.last_trick;
  const old = trick === view.last_trick && !page.fresh;
  const shown = trick && (!old || back) && !(over && !page.fresh && !back);
  const made = el("section", { class: `felt seats-${view.seats.length}`, "aria-label": t("table") },
    view.seats.map((seat) => plate(view, state, seat, Boolean(shown && trick?.winner === seat.seat))),
    el("div", { class: `trick ${back ? "back" : ""}`, role: "group", "aria-label": back ? t("trick.last") : t("trick") },
      shown && trick ? trick.plays.map((play) => played(page, view, trick, play)) : null,
      !shown && !over ? piles(view) : null,
      over && !page.fresh && !back ? ending(page, state, view) : null),
    page.fresh && trick?.winner != null ? el("p", { class: "status" }, say({ key: "log.wins", args: { seat: trick.winner } }, view))
      : view.to_act !== null ? status(view, state) : null);
  if (trick?.winner != null) {
    const turn = angle(view, trick.winner);
    made.style.setProperty("--winner-right", Math.cos(turn).toFixed(3));
    made.style.setProperty("--winner-down", Math.sin(turn).toFixed(3));
  }
  return made;
}

/** Returns where a seat is, from the one who looks below, clockwise. @param {View} view @param {number} seat */
function angle(view, seat) {
  const number = view.seats.length;
  const me = view.seats.find((other) => other.player === view.player)?.seat ?? 0;
  return Math.PI / 2 + (2 * Math.PI * ((seat - me + number) % number)) / number;
}

/** @template {HTMLElement} T @param {T} element @param {View} view @param {number} seat */
function place(element, view, seat) {
  const turn = angle(view, seat);
  element.style.setProperty("--right", Math.cos(turn).toFixed(3));
  element.style.setProperty("--down", Math.sin(turn).toFixed(3));
  return element;
}

/** @param {View} view @param {TableState} state @param {Seat} seat @param {boolean} winner */
function plate(view, state, seat, winner) {
  const acting = seat.seat === view.to_act;
  const me = seat.player === view.player && !view.seats.slice(0, seat.seat).some((other) => other.player === seat.player);
  const own = view.scores.find((score) => score.seats.length === 1 && score.seats[0] === seat.seat);
  const free = state.seats[seat.player]?.free;
  const points = own && own.points !== null && view.unit !== "tricks" ? `, ${t("count.points", { number: own.points })}` : "";
  const said = [...seat.roles, ...(seat.bid ? [seat.bid] : []), ...(seat.roles.length ? [] : seat.calls.slice(-1))].map((text) => say(text, view));
  const made = el("div", { class: `plate ${acting ? "acting" : ""} ${me ? "me" : ""} ${winner ? "winner" : ""}`, role: "group", "aria-label": say(seat.name, view) },
    el("div", { class: "name" },
      acting ? el("span", { class: "turn", title: t("turn") }, "▶") : null,
      el("b", {}, say(seat.name, view)),
      seat.seat === view.dealer ? el("span", { class: "dealer", title: t("dealer"), role: "img", "aria-label": t("dealer") }, "D") : null),
    said.length ? el("div", { class: "said" }, said.join(" · ")) : null,
    el("div", { class: "count" }, t("count.tricks", { number: seat.tricks }) + points),
    seat.melds.length ? el("div", { class: "melds" }, seat.melds.map((meld) => `${say(meld.text, view)} (${meld.points})`).join(", ")) : null,
    free ? el("div", { class: "said" }, t("seat.free")) : null,
    me || view.to_act === null ? null : backs(view, seat));
  return place(made, view, seat.seat);
}

/** @param {View} view @param {Seat} seat */
function backs(view, seat) {
  const cards = seat.hand ? seat.hand.map((card) => still(view.faces[card], "small")) : Array.from({ length: Math.min(seat.num_cards, 13) }, () => still(null, "tiny"));
  return el("div", { class: seat.hand ? "open" : "backs", role: "img", "aria-label": t("count.cards", { number: seat.num_cards }) }, cards);
}

/** @param {import("./table.js").TablePage} page @param {View} view @param {Trick} trick @param {import("./types.d.ts").Play} play */
function played(page, view, trick, { seat, card }) {
  const led = trick.plays[0].seat === seat;
  const key = `${page.state?.number} ${seat} ${card}`;
  const style = `played ${trick.winner === seat ? "winner" : ""} ${page.landed.has(key) ? "" : "lands"}`;
  const made = still(card === null ? null : view.faces[card], style);
  made.dataset.play = key;
  made.style.setProperty("--tilt", `${(((seat * 7) % 5) - 2) * 1.7}deg`);
  if (led) made.append(el("span", { class: "led" }, t("led")));
  return place(made, view, seat);
}

/** @param {View} view */
function piles(view) {
  if (!view.piles.length) return null;
  return el("div", { class: "piles" }, view.piles.map((pile) => el("figure", {},
    el("div", { class: "pile" }, pile.cards.map((card) => still(card === null ? null : view.faces[card], pile.cards.length > 3 ? "small" : ""))),
    el("figcaption", {}, say(pile.name, view)))));
}

/** Whose turn it is, below the trick. @param {View} view @param {TableState} state */
function status(view, state) {
  const mine = view.choices.length > 0;
  const seat = view.seats[view.to_act ?? 0];
  const free = state.seats[seat.player]?.free;
  const text = mine ? say(view.phase, view) : t(free ? "turn.free" : "turn.other", { name: say(seat.name, view) });
  return el("p", { class: `status ${mine ? "mine" : ""}` }, mine ? el("b", {}, pair(t("turn.yours"))) : null, text);
}

/** @param {import("./table.js").TablePage} page @param {TableState} state @param {View} view */
function ending(page, state, view) {
  const last = state.status === "over";
  const mine = view.scores.find((score) => score.seats.some((seat) => view.seats[seat].player === view.player));
  const number = mine?.result ?? null;
  return el("div", { class: "ending", role: "group", "aria-label": t("ask.over") },
    el("h2", {}, last ? t("match.over") : t("ask.over")),
    number === null ? null : el("p", { class: "big" }, number > 0 ? `+${number}` : String(number)),
    el("ul", {}, view.result.map((line) => el("li", {}, say(line, view)))),
    el("div", { class: "row" },
      last ? el("button", { class: "main", id: "again", onclick: () => page.again() }, t("again"))
        : el("button", { class: "main", id: "next", onclick: () => page.deal() }, t("deal.next")),
      el("button", { id: "review", onclick: () => page.review() }, t("review")),
      el("button", { id: "save", onclick: () => page.attempt(() => page.save()) }, t("record.save"))));
}
