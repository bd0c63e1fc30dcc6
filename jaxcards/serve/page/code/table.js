// A table: hears what happens, shows one thing after the other, and sends what is chosen.
//
// A chosen card is shown on the table before the server answers. A complete trick stays for a while,
// then its cards move to the winner. Only cards that are new on the felt move when they are drawn.

import { Advisor } from "./advice.js";
import { ask, listen } from "./api.js";
import { announce, el, toast } from "./dom.js";
import { felt } from "./felt.js";
import { hand } from "./hand.js";
import { onKey } from "./keys.js";
import { lobby, tellArrivals } from "./lobby.js";
import { forgetSeat, keepSeat, recall, remember, seats } from "./memory.js";
import { afterPlaying } from "./playing.js";
import { showReview } from "./review.js";
import { side, strip } from "./side.js";
import { pair, say, t, tableName, trickStays } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */

const GATHER = 320; // milliseconds in which a trick moves to its winner

/**
 * Shows a table; with `review` the deal is reviewed as soon as it is over.
 * @param {HTMLElement} main @param {string} id @param {boolean} [review] @returns {() => void} stops it
 */
export function showTable(main, id, review = false) {
  const seat = seats()[id];
  if (!seat) {
    main.append(el("div", { class: "panel" }, el("p", {}, t("table.none")), el("a", { href: "#/" }, t("setup.title"))));
    return () => {};
  }
  const table = new TablePage(main, id, seat.token);
  table.toReview = review;
  return () => table.stop();
}

class TablePage {
  /** @param {HTMLElement} main @param {string} id @param {string} token */
  constructor(main, id, token) {
    this.main = main;
    this.id = id;
    this.token = token;
    /** @type {TableState | null} */
    this.state = null;
    /** @type {TableState[]} */
    this.waiting = [];
    this.fresh = false; // whether the last trick has just been completed
    /** @type {Set<string>} */
    this.landed = new Set(); // the cards on the felt when it was last drawn
    this.lookBack = false;
    this.busy = false;
    this.acted = -1; // the last turn that this page has answered
    /** @type {{ mode?: string, level?: string }} */
    this.bid = {}; // the parts of a bid that are chosen, before it is made
    this.handRows = 1; // rows of the hand that this deal has needed
    this.connected = true;
    this.lost = new AbortController(); // ends what is asked of a server that is lost
    this.atCard = -1; // where in the hand the focus was last, or -1
    this.toReview = false; // whether the deal is reviewed as soon as it is over
    /** @type {number | undefined} */
    this.timer = undefined;
    this.advisor = new Advisor(this);
    this.main.append(el("div", { class: "panel wait", role: "status" }, t("table.connecting")));
    this.stopListening = listen(id, token, (state) => this.hear(state), (on) => this.connection(on), (error) => {
      forgetSeat(id);
      this.main.replaceChildren(el("div", { class: "panel" }, el("p", {}, error.message), el("a", { href: "#/" }, t("setup.title"))));
    });
    this.onKey = (/** @type {KeyboardEvent} */ event) => onKey(event, this);
    addEventListener("keydown", this.onKey);
    this.onResize = () => {
      this.handRows = 1;
      this.draw();
    };
    addEventListener("resize", this.onResize);
  }

  stop() {
    this.stopListening();
    clearTimeout(this.timer);
    removeEventListener("keydown", this.onKey);
    removeEventListener("resize", this.onResize);
    document.querySelector("dialog")?.close();
  }

  /** @param {boolean} on */
  connection(on) {
    if (!on) {
      this.lost.abort(new Error(t("table.lost")));
      this.lost = new AbortController();
      toast(t(navigator.onLine ? "table.lost" : "offline"), Infinity);
    } else if (!this.connected) toast("");
    this.connected = on;
    this.main.classList.toggle("lost", !on);
  }

  /** Shows what has happened, after what is still to be looked at. @param {TableState} state */
  hear(state) {
    this.waiting.push(state);
    if (this.timer === undefined) this.next();
  }

  next() {
    const state = this.waiting.shift();
    this.timer = undefined;
    if (!state) return;
    const before = this.state;
    this.state = state;
    const trick = JSON.stringify(state.view?.last_trick);
    this.fresh = Boolean(before?.view && state.view?.last_trick && trick !== JSON.stringify(before.view.last_trick));
    if (before && before.turn !== state.turn) {
      this.lookBack = false;
      this.bid = {};
      if (before.number !== state.number) this.handRows = 1;
      this.advisor.forget();
    }
    this.tell(before);
    this.draw();
    if (this.fresh) this.timer = window.setTimeout(() => this.gather(), 1000 * trickStays);
    else this.timer = window.setTimeout(() => this.next(), before && before.turn !== state.turn ? Math.min(250, 170 * trickStays) : 0);
    this.advisor.turn();
    if (this.toReview && state.status.includes("over")) {
      this.toReview = false;
      this.review();
    }
  }

  /** Moves the complete trick to its winner, then shows what follows. */
  gather() {
    this.main.querySelector(".trick")?.classList.add("gathered");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.timer = window.setTimeout(() => this.clear(), calm ? 0 : Math.min(GATHER, 1000 * trickStays));
  }

  /** Takes the complete trick off the felt. */
  clear() {
    this.fresh = false;
    if (!this.waiting.length) this.draw();
    this.next();
  }

  /** Reads out what is new. @param {TableState | null} before */
  tell(before) {
    const { state } = this;
    if (state) document.title = `${tableName(state.game)} – jaxcards`;
    if (state && before) tellArrivals(before, state);
    if (!state?.view) return;
    const known = before?.number === state.number ? before.log.length : 0;
    const { view } = state;
    const asked = view.choices.length ? [view.phase] : [];
    const mine = asked.length ? [t("turn.yours")] : [];
    const told = [...state.log.slice(known).flat(), ...asked, ...view.result].map((text) => say(text, view));
    announce([...mine, ...told].join(". "));
    if (mine.length) document.title = `● ${t("turn.yours")}`;
  }

  draw() {
    const { state } = this;
    if (!state) return;
    const refocus = this.focused(state);
    this.main.classList.toggle("sent", state.turn === this.acted);
    this.main.replaceChildren(...(state.view ? this.parts(state) : [this.unready(state)]));
    this.landed = new Set([...this.main.querySelectorAll(".played")].map((card) => /** @type {HTMLElement} */ (card).dataset.play ?? ""));
    refocus();
  }

  /**
   * Returns what focuses the same control when the page is drawn again, or what can be played. After a play that is
   * the next card of the hand, and after the last one how the deal has ended.
   * @param {TableState} state
   */
  focused(state) {
    const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
    const cards = () => /** @type {HTMLElement[]} */ ([...this.main.querySelectorAll(".hand .cards .card")]);
    if (!active.matches("body, .felt")) this.atCard = active.closest(".hand, .choices") ? Math.max(0, cards().indexOf(active)) : -1;
    const { id, dataset: { action } } = active;
    return () => {
      const find = (/** @type {string} */ what) => /** @type {HTMLElement | null} */ (this.main.querySelector(what));
      const same = find(action !== undefined ? `[data-action="${action}"]` : id ? `#${id}` : "#none");
      const legal = state.view?.choices.length ? find("[data-action]:not([aria-disabled])") : null;
      const next = this.atCard < 0 ? null : find(".ending") ?? cards()[this.atCard] ?? cards().at(-1) ?? find(".hand:not(.over)") ?? find(".felt");
      (same ?? legal ?? next)?.focus({ preventScroll: true });
    };
  }

  /** @param {TableState} state */
  parts(state) {
    const board = el("div", { class: "board" }, strip(state), felt(this, state), hand(this, state));
    return [board, side(this, state)];
  }

  /** @param {TableState} state */
  unready(state) {
    if (state.failure) return el("div", { class: "panel problem" }, el("h1", {}, t("table.failed")), el("p", {}, t(state.failure.key, state.failure.args)), el("a", { href: "#/" }, t("setup.title")));
    if (state.seats.some((seat) => seat.free)) return lobby(this, state);
    return el("div", { class: "panel wait", role: "status" }, el("div", { class: "spinner" }), el("h1", {}, t("table.ready")), el("p", {}, t("table.ready.why")));
  }

  /** Does something on the server; an error is shown, and the table stays as it is. @param {() => Promise<any>} what */
  async attempt(what) {
    if (this.busy) return;
    this.busy = true;
    try {
      await what();
    } catch (error) {
      toast(/** @type {Error} */ (error).message, this.connected ? undefined : Infinity);
    } finally {
      this.busy = false;
    }
  }

  /** @param {number} action */
  choose(action) {
    const view = this.state?.view;
    const choice = view?.choices.find((other) => other.action === action);
    if (!view || !choice) return;
    if (choice.forbidden) return toast(pair(say(choice.text, view), say(choice.forbidden, view)));
    const before = /** @type {TableState} */ (this.state);
    const turn = before.turn;
    if (turn === this.acted) return;
    void this.attempt(async () => {
      this.acted = turn;
      if (this.fresh) clearTimeout(this.timer); // the trick before makes room
      if (this.fresh) this.timer = undefined;
      this.fresh = false;
      this.state = { ...before, view: afterPlaying(view, choice) };
      this.draw();
      try {
        await this.post("actions", { turn, action });
      } catch (error) {
        this.acted = -1;
        if (this.state?.turn === turn) this.state = before;
        this.draw();
        throw error;
      }
    });
    if (this.timer === undefined) this.next();
  }

  deal() {
    void this.attempt(() => this.post("deals", { turn: this.state?.turn }));
  }

  again() {
    const wanted = recall(`again.${this.id}`, null);
    if (!wanted) location.hash = "#/";
    else void this.attempt(async () => {
      const seated = await ask("POST", "api/tables", { ...wanted, person: recall("person", undefined) });
      keepSeat(seated.id, { token: seated.token, game: seated.table.game });
      remember(`again.${seated.id}`, wanted);
      location.hash = `#/table/${seated.id}`;
    });
  }

  leave() {
    if (!confirm(t("leave.sure"))) return;
    void this.attempt(async () => {
      await this.post("leave");
      forgetSeat(this.id);
      location.hash = "#/";
    });
  }

  review() {
    void this.attempt(async () => showReview(this, await ask("GET", `api/tables/${this.id}/review`, undefined, this.token)));
  }

  /** Returns the deal that is over as a line of JSON. @returns {Promise<string>} */
  record() {
    return ask("GET", `api/tables/${this.id}/record`, undefined, this.token);
  }

  async save() {
    const line = await this.record();
    const link = el("a", { href: URL.createObjectURL(new Blob([line])), download: `${this.state?.game.replaceAll("/", "-")}-${this.id}.jsonl` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  toggleLastTrick() {
    this.lookBack = !this.lookBack;
    this.draw();
  }

  /** @param {string} what @param {unknown} [body] */
  post(what, body) {
    return ask("POST", `api/tables/${this.id}/${what}`, body, this.token, this.lost.signal);
  }
}

/** @typedef {TablePage} Page */
export { TablePage };
