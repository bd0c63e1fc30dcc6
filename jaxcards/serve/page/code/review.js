// The deal that is over, all hands open, move by move; and what a move was worth.

import { summary } from "./advice.js";
import { still } from "./cards.js";
import { el, toast } from "./dom.js";
import { openRecord } from "./records.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").Review} Review */

/** Returns the name of a player. @param {import("./types.d.ts").View} view @param {number} player */
function who(view, player) {
  const seat = view.seats.find((other) => other.player === player);
  return seat ? say(seat.name, view) : "";
}

/** @param {import("./table.js").TablePage} page @param {Review} review */
export function showReview(page, review) {
  const dialog = el("dialog", { class: "review", "aria-label": t("review") });
  let place = 0;
  /** @type {Map<number, any>} */
  const known = new Map();
  const why = async () => {
    try {
      known.set(place, await page.post("why", { move: place }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    draw();
  };
  /** @type {any} what every move cost, once it has been asked for */
  let costs = null;
  let counting = false;
  const count = async () => {
    counting = true;
    draw();
    try {
      costs = await page.post("costs");
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    counting = false;
    draw();
  };
  const worst = () => el("div", { class: "advice" }, el("b", {}, t("costs.worst")),
    costs.worst.length ? el("ol", {}, costs.worst.map((/** @type {number} */ number) => {
      const made = costs.moves[number];
      const view = review.views[number];
      const name = (/** @type {number} */ action) => {
        const choice = view.choices.find((other) => other.action === action);
        return choice ? say(choice.text, view) : "";
      };
      const text = t("costs.move", { who: who(view, made.player), played: name(made.played), better: name(made.choice), cost: made.cost.toFixed(1), error: made.cost_error.toFixed(1) });
      return el("li", {}, el("button", { class: "plain", onclick: () => go(number) }, text));
    })) : el("p", {}, t("costs.none")));
  const go = (/** @type {number} */ to) => {
    place = Math.max(0, Math.min(review.moves.length, to));
    draw();
  };
  /** The same deal again, from the move that is shown. */
  const playOn = () => void page.attempt(async () => {
    const player = Number(/** @type {HTMLSelectElement} */ (document.getElementById("review-seat")).value);
    const others = page.state?.seats.find((seat) => seat.kind !== "person")?.kind;
    await openRecord(await page.record(), { move: place, player, others });
    dialog.close();
  });
  let seat = page.state?.player ?? 0;
  const playFrom = () => el("div", { class: "row" },
    el("label", { for: "review-seat" }, t("from.as")),
    el("select", { id: "review-seat", onchange: (/** @type {Event} */ event) => (seat = Number(/** @type {HTMLSelectElement} */ (event.target).value)) },
      review.dealt.seats.map((other) => el("option", { value: other.player, selected: other.player === seat }, say(other.name, review.dealt)))),
    el("button", { id: "review-play", disabled: place === review.moves.length, onclick: playOn }, t("from.here")));
  const draw = () => {
    const view = review.views[place];
    const move = review.moves[place];
    const current = document.activeElement?.id;
    dialog.replaceChildren(
      el("div", { class: "row" }, el("h2", {}, t("review")),
        el("button", { id: "review-close", onclick: () => dialog.close() }, t("close"))),
      el("div", { class: "review-hands" }, view.seats.map((seat) => el("div", { class: move?.player === seat.player ? "acting" : "" },
        el("b", {}, say(seat.name, view)), el("div", { class: "fan" }, (seat.hand ?? []).map((card) => still(view.faces[card], "small")))))),
      el("p", {}, el("b", {}, `${place}/${review.moves.length} `), move ? pair(who(view, move.player), say(move.text, view)) : view.result.map((line) => say(line, view)).join("; ")),
      el("div", { class: "fan" }, view.trick.plays.map((play) => still(play.card === null ? null : view.faces[play.card], "small"))),
      el("div", { class: "row" },
        el("button", { id: "review-first", onclick: () => go(0), "aria-label": t("first") }, "◀◀"),
        el("button", { id: "review-back", onclick: () => go(place - 1), "aria-label": t("back") }, "◀"),
        el("button", { id: "review-on", class: "main", onclick: () => go(place + 1), "aria-label": t("on") }, "▶"),
        el("button", { id: "review-why", disabled: !move, onclick: why }, t("why"))),
      playFrom(),
      known.has(place) ? summary(known.get(place), view) : "",
      costs ? worst() : el("button", { id: "review-costs", disabled: counting, onclick: count }, t(counting ? "costs.counting" : "costs")));
    if (current) document.getElementById(current)?.focus();
  };
  dialog.addEventListener("close", () => dialog.remove());
  draw();
  document.body.append(dialog);
  dialog.showModal();
}
