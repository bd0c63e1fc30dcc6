// The middle of the table: seats around the trick, the piles, what can be said, and how a deal has ended.

import { still } from "./cards.js";
import { choices } from "./choices.js";
import { el } from "./dom.js";
import { cardPlace, side } from "./places.js";
import { describePlayer, pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").Seat} Seat */
/** @typedef {import("./types.d.ts").Trick} Trick */
/** @typedef {import("./types.d.ts").Score} Score */
/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{ state: TableState | null, landed: Set<string> }} Lying the table, and its cards on the felt when it was last drawn */

/** @param {Page} page @param {TableState} state */
export function felt(page, state) {
  const view = /** @type {View} */ (state.view);
  const over = view.to_act === null;
  const back = page.lookBack && view.last_trick;
  const trick = view.trick.plays.length && !back ? view.trick : view.last_trick;
  const old = trick === view.last_trick && !page.fresh;
  const shown = trick && (!old || back) && !(over && !page.fresh && !back) ? trick : null;
  const won = page.fresh && shown?.winner != null ? el("p", { class: "status" }, say({ key: "log.wins", args: { seat: shown.winner } }, view)) : null;
  const said = won ?? (over ? null : status(view, state));
  return round(page, state, shown, said, { back: Boolean(back) }, choices(page, state),
    over && !page.fresh && !back ? ending(page, state, view) : null);
}

/** The same with all hands open, at a moment of a deal that is over. @param {Lying} page @param {TableState} state */
export function openFelt(page, state) {
  const view = /** @type {View} */ (state.view);
  return round(page, state, view.trick.plays.length ? view.trick : view.last_trick, null, { open: true });
}

/**
 * Seats around a trick, or around the piles.
 * @param {Lying} page @param {TableState} state @param {Trick | null} trick @param {HTMLElement | null} said
 * @param {{ back?: boolean, open?: boolean }} how @param {(HTMLElement | null)[]} more
 */
function round(page, state, trick, said, { back = false, open = false }, ...more) {
  const view = /** @type {View} */ (state.view);
  const me = view.seats.find((seat) => seat.player === view.player) ?? view.seats[0];
  const others = [...view.seats.slice(me.seat + 1), ...view.seats.slice(0, me.seat)];
  const shown = (/** @type {Seat} */ seat) => plate(view, state, seat, trick?.winner === seat.seat, open);
  const at = (/** @type {string} */ where) => el("div", { class: `at-${where}` }, others.filter((seat) => side(view, seat.seat) === where).map(shown));
  return el("section", { class: `felt seats-${view.seats.length}`, tabindex: -1, "aria-label": t("table") },
    el("div", { class: "others" }, at("left"), at("top"), at("right")),
    trick ? onTable(page, view, trick, back) : el("div", { class: "middle" }, view.to_act === null ? null : [piles(view), auction(view, state)]),
    el("div", { class: "foot" }, shown(me), said), ...more);
}

/** Whether a seat plays with the player who looks. @param {View} view @param {Seat} seat */
function ours(view, seat) {
  const seats = view.scores.find((score) => score.seats.includes(seat.seat))?.seats ?? [];
  return seat.player !== view.player && seats.some((other) => view.seats[other].player === view.player);
}

/** What a seat has won, beside its bid if it has made one. @param {View} view @param {Seat} seat */
function taken(view, seat) {
  const own = view.scores.find((score) => score.seats.length === 1 && score.seats[0] === seat.seat);
  const points = view.unit !== "tricks" ? own?.points : null;
  const [key, bid] = [seat.bid?.key, seat.bid?.args.number];
  const won = t("count.tricks", { number: seat.tricks });
  const tricks = key === "bid.tricks" ? t("count.tricks_of", { won: seat.tricks, number: bid }) : seat.bid && key !== "bid.predicted" ? `${say(seat.bid, view)}, ${won}` : won;
  if (points === null || points === undefined) return tricks;
  return `${tricks}, ${key === "bid.predicted" ? t("count.points_of", { won: points, number: bid }) : t("count.points", { number: points })}`;
}

/** @param {View} view @param {TableState} state @param {Seat} seat @param {boolean} winner @param {boolean} open whether all hands are */
function plate(view, state, seat, winner, open) {
  const acting = seat.seat === view.to_act;
  const me = seat.player === view.player && !view.seats.slice(0, seat.seat).some((other) => other.player === seat.player);
  const { kind } = state.seats[seat.player];
  const level = kind === "person" ? "" : pair(t("level"), describePlayer(kind));
  const partner = ours(view, seat);
  const said = [...seat.roles, ...(seat.roles.length ? [] : seat.calls.slice(-1))].map((text) => say(text, view));
  return el("div", { class: `plate ${acting ? "acting" : ""} ${me ? "me" : ""} ${partner ? "ours" : ""} ${winner ? "winner" : ""}`, role: "group", "aria-label": [say(seat.name, view), level].filter(Boolean).join(", "), title: level || null },
    el("div", { class: "name" },
      acting ? el("span", { class: "turn", title: t("turn") }, "▶") : null,
      el("b", {}, say(seat.name, view)),
      seat.seat === view.dealer ? el("span", { class: "dealer", title: t("dealer"), role: "img", "aria-label": t("dealer") }, "D") : null),
    partner ? el("div", { class: "partner" }, t("partner.yours")) : null,
    said.length ? el("div", { class: "said" }, said.join(" · ")) : null,
    el("div", { class: "count" }, taken(view, seat)),
    seat.melds.length ? el("div", { class: "melds" }, seat.melds.map((meld) => `${say(meld.text, view)} (${meld.points})`).join(", ")) : null,
    ...(open || !(me || view.to_act === null) ? cards(view, seat) : []));
}

/** The number of cards for those who listen, and the cards. @param {View} view @param {Seat} seat */
function cards(view, seat) {
  const number = el("span", { class: "unseen" }, t("count.cards", { number: seat.num_cards }));
  if (seat.hand) return [number, el("div", { class: "open" }, seat.hand.map((card) => still(view.faces[card], "small")))];
  const backs = Array.from({ length: Math.min(seat.num_cards, 13) }, () => still(null, "tiny"));
  return [number, el("div", { class: "backs", "aria-hidden": "true" }, backs)];
}

/** @param {Lying} page @param {View} view @param {Trick} trick @param {boolean} back whether the trick before is looked at */
function onTable(page, view, trick, back) {
  const made = el("div", { class: `trick ${back ? "back" : ""}`, role: "group", "aria-label": back ? t("trick.last") : t("trick") },
    trick.plays.map((play) => played(page, view, trick, play)));
  if (trick.winner !== null) {
    const { right, down, row } = cardPlace(view, trick.winner);
    made.style.setProperty("--winner-right", String(right));
    made.style.setProperty("--winner-down", String(down));
    made.style.setProperty("--winner-row", String(row));
  }
  return made;
}

/** @param {Lying} page @param {View} view @param {Trick} trick @param {import("./types.d.ts").Play} play */
function played(page, view, trick, { seat, card }) {
  const led = trick.plays[0].seat === seat;
  const key = `${page.state?.number} ${seat} ${card}`;
  const style = `played ${trick.winner === seat ? "winner" : ""} ${page.landed.has(key) ? "" : "lands"}`;
  const made = still(card === null ? null : view.faces[card], style);
  made.dataset.play = key;
  const { right, down, row } = cardPlace(view, seat);
  made.style.setProperty("--right", String(right));
  made.style.setProperty("--down", String(down));
  made.style.setProperty("--row", String(row));
  made.style.setProperty("--tilt", `${(((seat * 7) % 5) - 2) * .8}deg`);
  if (led) made.append(el("span", { class: "led" }, t("led")));
  return made;
}

/** @param {View} view */
function piles(view) {
  if (!view.piles.length) return null;
  return el("div", { class: "piles" }, view.piles.map((pile) => el("figure", {},
    el("div", { class: "pile" }, pile.cards.map((card) => still(card === null ? null : view.faces[card], pile.cards.length > 3 ? "small" : ""))),
    el("figcaption", {}, say(pile.name, view)))));
}

/** The calls of this deal in order, until the first trick. @param {View} view @param {TableState} state */
function auction(view, state) {
  if (view.last_trick) return null;
  const calls = state.log.flat().filter((line) => line.key === "log.passes" || (line.key === "log.said" && line.args.said[0].key !== "said.passes_card"));
  if (!calls.length) return null;
  const list = el("ol", { class: "auction", tabindex: 0, "aria-label": t("auction") }, calls.map((line) => el("li", {}, say(line, view))));
  requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  return list;
}

/** Whose turn it is. @param {View} view @param {TableState} state */
function status(view, state) {
  const mine = view.choices.length > 0;
  const seat = view.seats[view.to_act ?? 0];
  const text = mine ? say(view.phase, view) : t("turn.other", { name: say(seat.name, view) });
  return el("p", { class: `status ${mine ? "mine" : ""}` }, mine ? el("b", {}, pair(t("turn.yours"))) : null, text);
}

/** @param {Page} page @param {TableState} state @param {View} view */
function ending(page, state, view) {
  const last = state.status === "over";
  return el("div", { class: "ending", role: "group", "aria-label": t("ask.over"), tabindex: -1 },
    ...outcome(view),
    el("div", { class: "row" },
      last ? el("button", { class: "main", id: "again", onclick: () => page.again() }, t("again"))
        : el("button", { class: "main", id: "next", onclick: () => page.deal() }, t("deal.next")),
      el("button", { id: "review", onclick: () => page.review() }, t("review")),
      el("button", { id: "save", onclick: () => page.attempt(() => page.save()) }, t("record.save"))));
}

/** How the deal has ended for the player who looks. @param {View} view */
export function outcome(view) {
  const mine = view.scores.find((score) => score.seats.some((seat) => view.seats[seat].player === view.player));
  const [other] = view.scores.filter((score) => score !== mine);
  // The table below has the points of each side.
  const two = mine && view.scores.length === 2;
  return [
    el("h2", { class: view.outcome }, view.verdict ? say(view.verdict, view) : null),
    two ? el("p", { class: "big" }, `${mine.result} : ${other.result}`) : null,
    el("ul", {}, view.result.filter((line) => !["result.score", "result.chips", "result.penalty"].includes(line.key)).map((line) => el("li", {}, say(line, view)))),
    two ? account([mine, other]) : standing(view),
  ];
}

/** What the deal has brought two sides, line by line. @param {Score[]} scores of the own side and the other */
function account(scores) {
  const longest = [...scores].sort((a, b) => b.lines.length - a.lines.length);
  const keys = new Set(longest.flatMap((score) => score.lines.map((line) => line.key)));
  const row = (/** @type {string} */ name, /** @type {(string | number)[]} */ cells, kind = "") =>
    el("tr", { class: kind }, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, String(cell))));
  const cell = (/** @type {Score} */ score, /** @type {string} */ key) => {
    const line = score.lines.find((other) => other.key === key);
    return line ? line.args.points ?? `× ${line.args.number}` : "";
  };
  return el("table", { class: "score account" },
    el("thead", {}, el("tr", {}, el("th", {}), el("th", {}, t("side.ours")), el("th", {}, t("side.theirs")))),
    el("tbody", {}, [...keys].map((key) => row(t(key), scores.map((score) => cell(score, key)))),
      row(t("deal.this"), scores.map((score) => score.result ?? ""), "mine"),
      row(t("total"), scores.map((score) => score.total ?? ""))));
}

/** The points of the deal and of all deals, side by side. @param {View} view */
function standing(view) {
  const counts = `${t("deal.this")}, ${t(`unit.${view.deal_unit}`)}`;
  return el("table", { class: "score" },
    el("thead", {}, el("tr", {}, el("th", {}, t("who")), el("th", {}, counts), el("th", {}, t("total")))),
    el("tbody", {}, view.scores.map((score) => el("tr", { class: score.seats.some((seat) => view.seats[seat].player === view.player) ? "mine" : "" },
      el("th", { scope: "row" }, score.seats.map((seat) => say(view.seats[seat].name, view)).join(" + ")),
      el("td", {}, String(score.result)), el("td", {}, String(score.total))))));
}
