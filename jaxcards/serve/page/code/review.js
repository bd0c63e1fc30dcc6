// The deal that is over on a table with all hands open, move by move; what a move was worth, and what it cost.

import { summary } from "./advice.js";
import { Costs } from "./costs.js";
import { el, toast } from "./dom.js";
import { openFelt, outcome } from "./felt.js";
import { openRecord } from "./records.js";
import { strip } from "./side.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").View} View */

/** How far keys go through the moves. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** @param {import("./table.js").TablePage} page @param {import("./types.d.ts").Review} review */
export function showReview(page, review) {
  new Review(page, review).open();
}

class Review {
  /** @param {import("./table.js").TablePage} page @param {import("./types.d.ts").Review} review */
  constructor(page, review) {
    this.page = page;
    this.review = review;
    this.ended = /** @type {TableState} */ (page.state); // as it was when the deal was over
    this.place = 0;
    /** @type {Set<string>} */
    this.landed = new Set();
    /** @type {Map<number, import("./types.d.ts").Advice>} */
    this.known = new Map();
    this.costs = new Costs(this);
    this.board = el("div", { class: "review-board" });
    this.number = el("span", { class: "number" });
    this.move = el("div", { class: "review-move", "aria-live": "polite" });
    this.worth = el("div", { class: "review-worth" });
    this.panel = el("div", { class: "review-panel" }, this.move, this.worth, this.costs.element, this.playFrom());
    const step = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ by) =>
      el("button", { id: `review-${name}`, class: name === "on" ? "main" : "", "aria-label": label, autofocus: name === "on", onclick: () => this.go(this.place + by) }, sign);
    this.dialog = el("dialog", { class: "review", "aria-label": t("review"), onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event), onclose: () => this.dialog.remove() },
      this.board,
      el("div", { class: "review-head" }, el("h2", {}, t("review")), el("button", { id: "review-close", "aria-label": t("close"), title: t("close"), onclick: () => this.dialog.close() }, "✕")),
      el("div", { class: "review-steps" },
        step("first", t("first"), "◀◀", -Infinity), step("back", t("back"), "◀", -1), this.number, step("on", t("on"), "▶", 1), step("last", t("last"), "▶▶", Infinity)),
      this.panel);
  }

  open() {
    document.body.append(this.dialog);
    this.draw();
    this.dialog.showModal();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("select") || !(event.key in STEPS)) return;
    event.preventDefault();
    this.go(this.place + STEPS[event.key]);
  }

  /** @param {number} place */
  go(place) {
    this.place = Math.max(0, Math.min(this.review.moves.length, place));
    this.panel.scrollTop = 0;
    this.draw();
  }

  /** Returns what the player who looks sees at a place, all hands open. @param {number} place @returns {View} */
  view(place) {
    const { views, result, outcome, verdict, scores } = this.review;
    const view = { ...views[place], player: this.ended.player };
    return place < this.review.moves.length ? view : { ...view, result, outcome, verdict, scores };
  }

  draw() {
    const view = this.view(this.place);
    const state = { ...this.ended, view, log: this.ended.log.slice(0, this.place) };
    this.board.replaceChildren(strip(state), openFelt({ state, landed: this.landed }, state));
    this.landed = new Set([...this.board.querySelectorAll(".played")].map((card) => /** @type {HTMLElement} */ (card).dataset.play ?? ""));
    this.number.textContent = `${this.place} / ${this.review.moves.length}`;
    const move = this.review.moves[this.place];
    const seat = view.trick.plays.length ? null : view.last_trick?.winner ?? null;
    const won = seat === null ? null : el("p", {}, say({ key: "log.wins", args: { seat } }, view));
    const next = move ? [el("p", {}, el("b", {}, pair(this.who(this.place), say(told(view, move.action), view))))] : outcome(view);
    this.move.replaceChildren(...[won, ...next].filter((part) => part !== null));
    this.worth.replaceChildren(...(move ? [this.advice(view)] : []));
    if (move) this.mark(view, move.action, "made");
    const better = this.costs.better(this.place);
    if (better !== null) this.mark(view, better, "better");
    this.costs.current();
  }

  /** What is known of the choices at a move. @param {View} view */
  advice(view) {
    const advice = this.costs.advice(this.place, view) ?? this.known.get(this.place);
    return advice ? summary(advice, view) : el("button", { id: "review-why", onclick: () => this.why() }, t("why"));
  }

  /** Marks the card of an action in the hand of the player to act. @param {View} view @param {number} action @param {string} style */
  mark(view, action, style) {
    const card = view.choices.find((choice) => choice.action === action)?.card ?? null;
    if (card !== null) this.board.querySelector(`.plate.acting .open [data-face="${view.faces[card]}"]`)?.classList.add(style);
  }

  /** Returns the name of the seat that is to act at a place. @param {number} place */
  who(place) {
    const view = this.view(place);
    return say(view.seats[view.to_act ?? 0].name, view);
  }

  async why() {
    const { place } = this;
    try {
      this.known.set(place, await this.page.post("why", { move: place }));
      this.draw();
      document.getElementById("review-on")?.focus();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** The same deal again, from the move that is shown, in a seat that is chosen. */
  playFrom() {
    const { dealt } = this.review;
    const seat = el("select", { id: "review-seat" }, dealt.seats.map((other) =>
      el("option", { value: other.player, selected: other.player === this.ended.player }, say(other.name, dealt))));
    const play = () => void this.page.attempt(async () => {
      const others = this.ended.seats.find((other) => other.kind !== "person")?.kind;
      await openRecord(await this.page.record(), { move: this.place, player: Number(seat.value), others });
      this.dialog.close();
    });
    return el("div", { class: "row" }, el("label", { for: "review-seat" }, t("from.as")), seat,
      el("button", { id: "review-play", onclick: play }, t("from.here")));
  }
}

/** Returns what an action is called: a card that is played by its face alone. @param {View} view @param {number} action */
export function told(view, action) {
  const choice = view.choices.find((other) => other.action === action);
  if (choice?.kind === "play" && choice.card !== null) return { key: "{card}", args: { card: choice.card } };
  return choice?.text ?? { key: String(action), args: {} };
}

export { Review };
