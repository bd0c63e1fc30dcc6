// What the moves of a deal cost: the server counts them, the costliest are listed, and each move has its own.

import { el, toast } from "./dom.js";
import { told } from "./review.js";
import { say, t } from "./words.js";

/** @typedef {import("./types.d.ts").View} View */

export class Costs {
  /** @param {import("./review.js").Review} review */
  constructor(review) {
    this.review = review;
    /** @type {import("./types.d.ts").Costs | null} what every move cost, once all of them are counted */
    this.found = null;
    this.element = el("section", { class: "review-costs", tabindex: -1, "aria-label": t("costs") },
      el("button", { id: "review-costs", onclick: () => this.count() }, t("costs")));
  }

  /** Asks until the server has counted all moves. */
  async count() {
    const said = el("p", { role: "status" }, t("costs.begin"));
    const bar = el("progress", { "aria-label": t("costs") });
    const button = [...this.element.children];
    this.element.replaceChildren(said, bar);
    this.element.focus();
    try {
      while (!this.found && this.review.dialog.open) {
        const told = await this.review.page.post("costs");
        if (told.moves) this.found = told;
        if (!told.done) continue;
        [bar.max, bar.value] = [told.all, told.done];
        said.textContent = t("costs.counting", { done: told.done, all: told.all });
      }
      if (this.found) this.list();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      this.element.replaceChildren(...button);
    }
  }

  /** Lists the moves that were clearly worse than the choice, the costliest first. */
  list() {
    const { moves: all, by, worlds } = /** @type {import("./types.d.ts").Costs} */ (this.found);
    const moves = all.filter((move) => move.cost >= .05 && isClear(move, 1)).sort((a, b) => b.cost - a.cost);
    const item = (/** @type {import("./types.d.ts").CostMove} */ move) => {
      const unit = t(`unit.${gainUnit(this.review.view(move.number))}`);
      const text = t("costs.move", { who: this.review.who(move.number), played: this.name(move, move.played), better: this.name(move, move.choice), unit, ...amount(move) });
      return el("li", {}, el("button", { class: "plain", "data-move": move.number, onclick: () => this.review.go(move.number) }, text));
    };
    this.element.replaceChildren(el("h3", {}, t("costs.worst", { player: say(by, this.review.view(0)), worlds })),
      moves.length ? el("ol", {}, moves.map(item)) : el("p", {}, t("costs.none")));
    this.review.draw();
  }

  /** Marks the move that is shown in the list. */
  current() {
    for (const button of this.element.querySelectorAll("[data-move]")) {
      if (/** @type {HTMLElement} */ (button).dataset.move === String(this.review.place)) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Returns the action that would have been better than the one of a move, or null. @param {number} place */
  better(place) {
    const move = this.found?.moves[place];
    return move && isClear(move, 1) ? move.choice : null;
  }

  /** Returns a move as advice on it, or null while it is not counted. @param {number} place @param {View} view */
  advice(place, view) {
    const move = this.found?.moves[place];
    if (!this.found || !move) return null;
    const verdict = move.played === move.choice ? "same" : isClear(move, 1) ? "better" : isClear(move, -1) ? "worse" : "close";
    const unit = gainUnit(view);
    const { by, worlds } = this.found;
    const args = { player: by, worlds, played: told(view, move.played), unit: { key: `unit.${unit}`, args: {} }, ...amount(move) };
    const choices = move.options.map(({ action, policy, cost, cost_error: error }) => (
      { action, text: told(view, action), policy, value: action === move.choice ? null : -cost, error }));
    return {
      best: move.choice, reason: { key: move.forced ? "hint.only" : `costs.${verdict}`, args }, worlds, unit, gains: true,
      played: move.played, choices: choices.sort((a, b) => Number(b.action === move.choice) - Number(a.action === move.choice)),
    };
  }

  /** @param {import("./types.d.ts").CostMove} move @param {number} action */
  name(move, action) {
    const view = this.review.view(move.number);
    return say(told(view, action), view);
  }
}

/** @param {import("./types.d.ts").CostMove} move */
function amount(move) {
  return { cost: Math.abs(move.cost).toFixed(1), error: move.cost_error.toFixed(1) };
}

/** Whether a move cost something, or gained with a sign of -1, by two standard errors. @param {import("./types.d.ts").CostMove} move @param {number} sign */
function isClear(move, sign) {
  return sign * move.cost > 2 * move.cost_error;
}

/** Returns the unit of the difference of two results; see `View.gain_unit`. @param {View} view */
function gainUnit(view) {
  return view.deal_unit === "points_ahead" ? "points" : view.deal_unit;
}
