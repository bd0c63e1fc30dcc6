// Hint and why: the probability and the expected result of each choice, as bars on the choices.

import { el, toast } from "./dom.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").Advice} Advice */
/** @typedef {import("./types.d.ts").View} View */

export class Advisor {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.thinking = false;
    /** @type {Advice | null} */
    this.advice = null;
  }

  forget() {
    this.advice = null;
  }

  /** Asks by itself at each turn while hints are on. */
  turn() {
    if (this.on && !this.advice && !this.thinking && this.page.state?.view?.choices.length) void this.ask();
  }

  toggle() {
    this.on = !this.on;
    this.forget();
    this.page.draw();
    this.turn();
  }

  async ask() {
    const turn = this.page.state?.turn;
    this.thinking = true;
    this.page.draw();
    try {
      for (const values of [false, true]) {
        const found = await this.page.post("hint", { turn, values });
        if (this.page.state?.turn !== turn) break;
        this.advice = found;
        this.page.draw();
      }
    } catch (error) {
      if (this.page.state?.turn === turn) toast(/** @type {Error} */ (error).message);
    } finally {
      this.thinking = false;
      this.page.draw();
      if (this.page.state?.turn !== turn) this.turn();
    }
  }

  button() {
    return el("button", { id: "hint", "aria-pressed": String(this.on), onclick: () => this.toggle() }, t("hint"));
  }

  /** Returns the bar of a choice, or null. @param {number} action */
  note(action) {
    const worth = this.advice?.choices.find((other) => other.action === action);
    if (!this.on || !this.advice || !worth) return null;
    return note(this.advice, worth);
  }

  panel() {
    if (!this.on) return null;
    const acts = this.page.state?.view?.choices.length;
    if (!acts || !(this.advice || this.thinking)) return el("div", { class: "advice" }, t("hint.wait"));
    const wait = this.thinking ? el("p", { role: "status" }, el("span", { class: "spinner small" }), t("hint.thinking")) : null;
    if (!this.advice) return el("div", { class: "advice" }, wait);
    return el("div", { class: "advice" }, wait, summary(this.advice, /** @type {View} */ (this.page.state?.view)));
  }
}

/** @param {Advice} advice @param {import("./types.d.ts").Worth} worth */
function note(advice, worth) {
  const bar = el("span", { class: "bar" });
  bar.style.setProperty("--share", `${Math.round(worth.policy * 100)}%`);
  const best = worth.action === advice.best;
  const share = Math.round(worth.policy * 100);
  const label = worth.value === null ? t("hint.label_policy", { share }) : t("hint.label", { share, value: shown(advice, worth) });
  const value = worth.value === null ? [`${share} %`]
    : [el("span", { class: "value" }, shown(advice, worth)), el("span", { class: "error" }, `±${(worth.error ?? 0).toFixed(1)}`)];
  return el("span", { class: `note ${best ? "best" : ""}`, role: "img", "aria-label": label }, bar, ...value);
}

/** What is best, why, and all choices in a table. @param {Advice} advice @param {View} view of the player who chooses */
export function summary(advice, view) {
  const best = advice.choices.find((worth) => worth.action === advice.best);
  const name = best ? say(best.text, view) : "";
  const unit = t(`unit.${advice.unit}`);
  return el("div", {},
    el("p", {}, el("b", {}, pair(name)), say(advice.reason, view)),
    el("table", { class: "worths" },
      el("thead", {}, el("tr", {}, el("th", {}, t("choice")), el("th", {}, t("probability")), el("th", {}, advice.gains ? t("costs.against", { unit, best: name }) : unit))),
      el("tbody", {}, advice.choices.filter((worth, n) => n < 8 || worth.action === advice.played).map((worth) => el("tr", { class: worth.action === advice.played ? "mine" : "" },
        el("th", { scope: "row" }, brief(worth.text, view)), el("td", {}, `${Math.round(worth.policy * 100)} %`),
        el("td", {}, worth.value === null ? "–" : `${shown(advice, worth)} ± ${(worth.error ?? 0).toFixed(1)}`))))));
}

/** Returns a choice in words, of a card that leaves the hand the card alone; see `View.short`. @param {import("./types.d.ts").Text} text @param {View} view */
function brief(text, view) {
  if (text.key === "do.contract") return say({ key: "bid.contract", args: text.args }, view);
  return say(["do.play", "do.pass_card", "do.bury", "do.discard"].includes(text.key) ? { key: "{card}", args: text.args } : text, view);
}

/** Returns the value of a choice; penalty points have no sign. @param {Advice} advice @param {import("./types.d.ts").Worth} worth */
function shown({ unit, gains }, { value }) {
  const number = Number((value ?? 0).toFixed(1)) || 0; // halves away from 0, as in the list of costs
  return `${number > 0 && (gains || unit !== "penalty_points") ? "+" : ""}${number.toFixed(1)}`;
}
