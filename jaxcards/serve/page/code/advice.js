// Hint and why: the policy's probabilities and the expected points, as bars on the choices.

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
    const wait = this.thinking ? el("p", { role: "status" }, el("span", { class: "spinner small" }), t("hint.thinking")) : null;
    if (!this.advice && wait) return el("div", { class: "advice" }, wait);
    if (!this.advice) return el("div", { class: "advice" }, t("hint.wait"));
    return el("div", { class: "advice" }, wait, summary(this.advice, /** @type {View} */ (this.page.state?.view)));
  }
}

/** @param {Advice} advice @param {import("./types.d.ts").Worth} worth */
function note(advice, worth) {
  const bar = el("span", { class: "bar" });
  bar.style.setProperty("--share", `${Math.round(worth.policy * 100)}%`);
  const best = worth.action === advice.best;
  const share = Math.round(worth.policy * 100);
  const label = worth.value === null ? t("hint.label_policy", { share }) : t("hint.label", { share, value: signed(worth.value) });
  const value = worth.value === null ? [`${share} %`]
    : [el("span", { class: "value" }, signed(worth.value)), el("span", { class: "error" }, `±${(worth.error ?? 0).toFixed(1)}`)];
  return el("span", { class: `note ${best ? "best" : ""}`, role: "img", "aria-label": label }, bar, ...value);
}

/** What is best, why, and all choices in a table. @param {Advice} advice @param {View} view of the player who chooses */
export function summary(advice, view) {
  const best = advice.choices.find((worth) => worth.action === advice.best);
  return el("div", {},
    el("p", {}, el("b", {}, pair(best ? say(best.text, view) : "")), say(advice.reason, view)),
    el("table", { class: "worths" },
      el("thead", {}, el("tr", {}, el("th", {}, t("choice")), el("th", {}, t("policy")), el("th", {}, t(`unit.${advice.unit}`)))),
      el("tbody", {}, advice.choices.slice(0, 8).map((worth) => el("tr", { class: worth.action === advice.played ? "mine" : "" },
        el("th", { scope: "row" }, say(worth.text, view)), el("td", {}, `${Math.round(worth.policy * 100)} %`),
        el("td", {}, worth.value === null ? "–" : `${signed(worth.value)} ± ${(worth.error ?? 0).toFixed(1)}`))))));
}

/** @param {number | null} value */
function signed(value) {
  if (value === null) return "";
  return value > 0 ? `+${value.toFixed(1)}` : value.toFixed(1);
}
