// The first page: a game begins with one click, or with other rules and players; and going back to a table.

import { ask } from "./api.js";
import { el, toast } from "./dom.js";
import { forgetSeat, keepSeat, recall, remember, seats } from "./memory.js";
import { PACKS, pack, wear } from "./packs.js";
import { openFile } from "./records.js";
import { ruleControl } from "./rules.js";
import { describeLevel, describePlayer, describePreset, gameName, pair, t, tableName } from "./words.js";

/** @typedef {import("./types.d.ts").Catalogue} Catalogue */
/** @typedef {import("./types.d.ts").Game} Game */

const GAMES = { jass: "♥", belote: "♦", euchre: "♣", rikiki: "♠", sheepshead: "♥", hearts: "♥", spades: "♠", skat: "♣", bridge: "♠" };

/** @param {HTMLElement} main */
export async function showSetup(main) {
  const catalogue = /** @type {Catalogue} */ (await ask("GET", "api/games"));
  const form = new Setup(catalogue);
  main.append(el("h1", { class: "welcome" }, t("setup.title")), form.element, openTables() ?? "", openFile());
  await form.check();
}

/** Returns the tables where this browser sits. */
function openTables() {
  const mine = Object.entries(seats());
  if (!mine.length) return null;
  return el("section", { class: "panel mine", "aria-label": t("setup.mine") },
    el("h2", {}, t("setup.mine")),
    el("ul", {}, mine.slice(-6).reverse().map(([id, seat]) => el("li", {},
      el("a", { href: `#/table/${id}` }, tableName(seat.game)), " ",
      el("button", { class: "plain", "aria-label": t("leave"), title: t("leave"), onclick: () => leave(id, seat.token) }, "✕")))));
}

/** @param {string} id @param {string} token */
async function leave(id, token) {
  try {
    await ask("POST", `api/tables/${id}/leave`, undefined, token);
  } catch {
    // the table has gone already
  }
  forgetSeat(id);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Returns the preset with which a game begins. @param {Game} game */
function usual(game) {
  return /** @type {import("./types.d.ts").Preset} */ (game.presets.find((preset) => preset.name === game.default));
}

class Setup {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.catalogue = catalogue;
    const last = recall("setup", {});
    this.game = catalogue.games.find((game) => game.name === last.game) ?? catalogue.games[0];
    this.preset = this.game.presets.find((preset) => preset.name === last.preset) ?? usual(this.game);
    /** @type {Record<string, unknown>} */
    this.changed = {};
    this.match = last.match ?? true;
    /** Points before the match and deals played, as typed. */
    this.standing = { totals: "", deals: "" };
    this.first = "";
    /** @type {string[]} */
    this.seats = last.seats ?? [];
    this.players = 4;
    /** @type {number[] | null} */
    this.teams = null;
    this.matches = true;
    this.problem = "";
    this.changing = false; // whether rules and players are shown
    this.element = el("form", { class: "setup-form", onsubmit: (/** @type {Event} */ event) => this.sit(event) });
  }

  /** Asks the server whether the rules are allowed and for how many they are, and draws the form. */
  async check() {
    const before = this.first;
    const question = { game: `${this.game.name}/${this.preset.name}`, rules: this.changed };
    try {
      const found = await ask("POST", "api/games/check", question);
      [this.players, this.teams, this.matches, this.problem] = [found.players, found.teams, found.matches, ""];
      this.first = found.player; // the strongest that knows the game
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    const { first } = this;
    const known = ["person", ...this.known()];
    const others = Array.from({ length: this.players }, (_, n) => this.seats[n] ?? first);
    this.seats = others.map((who, n) => (n === 0 ? "you" : who === before || !known.includes(who) ? first : who));
    this.draw();
  }

  /** Return the players that know the game: the offered ones from the strongest of them on. */
  known() {
    const { players } = this.catalogue;
    return players.slice(Math.max(0, players.indexOf(this.first)));
  }

  draw() {
    const open = this.element.querySelector("details")?.open ?? false;
    const focused = document.activeElement?.id;
    this.element.replaceChildren(this.games(), ...(this.changing ? [this.presets(), this.rules(open), this.table(), this.start()] : []));
    if (focused) document.getElementById(focused)?.focus();
  }

  games() {
    return el("div", { class: "games" }, this.catalogue.games.map((game) => {
      const [name, open] = [gameName(game.name), this.changing && game === this.game];
      const preset = describePreset(game.name, game.default, usual(game).description);
      return el("section", { class: `tile ${open ? "chosen" : ""}`, "aria-label": name },
        el("h2", {}, el("span", { class: "tile-face" }, GAMES[/** @type {keyof typeof GAMES} */ (game.name)] ?? "♠"), " ", name),
        el("b", {}, preset.name), el("small", {}, preset.about),
        open ? null : el("button", { type: "button", class: "main", id: `play-${game.name}`, "aria-label": pair(t("setup.play"), name), onclick: () => this.play(game) }, t("setup.play")),
        el("button", {
          type: "button", class: "plain", id: `game-${game.name}`, "aria-expanded": String(open), "aria-label": pair(t("setup.change"), name),
          onclick: () => this.change(game, !open),
        }, t("setup.change")));
    }));
  }

  /** Begins a match of a game with its usual rules against its strongest player. @param {Game} game */
  async play(game) {
    this.choose(game);
    [this.seats, this.match] = [[], true];
    await this.check();
    await this.open();
  }

  /** Shows rules and players of a game. @param {Game} game @param {boolean} open */
  async change(game, open) {
    if (game !== this.game) this.choose(game);
    this.changing = open;
    await this.check();
    if (open) this.element.querySelector(".panel")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Game} game */
  choose(game) {
    this.game = game;
    this.preset = usual(this.game);
    this.changed = {};
  }

  presets() {
    const choose = (/** @type {Event} */ event) => {
      const name = /** @type {HTMLSelectElement} */ (event.target).value;
      this.preset = this.game.presets.find((preset) => preset.name === name) ?? this.preset;
      this.changed = {};
      void this.check();
    };
    return el("div", { class: "panel" },
      el("label", { for: "preset" }, t("setup.preset")),
      el("select", { id: "preset", onchange: choose }, this.game.presets.map((preset) =>
        el("option", { value: preset.name, selected: preset === this.preset }, describePreset(this.game.name, preset.name).name))),
      el("p", { class: "hint" }, describePreset(this.game.name, this.preset.name, this.preset.description).about));
  }

  /** @param {boolean} open */
  rules(open) {
    const number = Object.keys(this.changed).length;
    return el("details", { class: "panel rules", open },
      el("summary", {}, number ? t("setup.rules.changed", { number }) : t("setup.rules")),
      this.game.rules.map((rule) => ruleControl(this.game.name, rule, this.changed[rule.name] ?? this.preset.rules[rule.name], (value) => {
        if (JSON.stringify(value) === JSON.stringify(this.preset.rules[rule.name])) delete this.changed[rule.name];
        else this.changed[rule.name] = value;
        void this.check();
      })));
  }

  table() {
    const offered = this.known();
    const alike = (/** @type {string} */ kind) => offered.filter((other) => describePlayer(other) === describePlayer(kind)).length > 1;
    const levels = t("setup.levels", { levels: offered.map(describeLevel).join(", ") });
    const called = (/** @type {number} */ n) => {
      const name = this.seats[n] === "person" ? t("guest") : this.catalogue.bots[n];
      return this.teams && this.teams[n] === this.teams[0] ? `${name}, ${t("partner.yours")}` : name;
    };
    const change = (/** @type {number} */ n, /** @type {Event} */ event) => {
      this.seats[n] = /** @type {HTMLSelectElement} */ (event.target).value;
      this.draw();
    };
    const seat = (/** @type {number} */ n) => el("li", {}, n === 0 ? el("b", {}, t("seat.you")) : [
      el("label", { for: `seat-${n}` }, called(n)),
      el("select", { id: `seat-${n}`, onchange: (/** @type {Event} */ event) => change(n, event) },
        ["person", ...offered].map((kind) => el("option", { value: kind, selected: this.seats[n] === kind }, alike(kind) ? describeLevel(kind) : describePlayer(kind))))]);
    const side = this.matches ? el("fieldset", { class: "sides" },
      el("legend", {}, t("setup.length")),
      [false, true].map((match) => el("label", {},
        el("input", { type: "radio", name: "match", id: `match-${match}`, checked: match === this.match, onchange: () => { this.match = match; this.draw(); } }),
        t(match ? "setup.match" : "setup.deals"))), this.match ? this.beginning() : null) : null;
    const cards = el("p", { class: "row" }, el("label", { for: "pack" }, t("pack")),
      el("select", { id: "pack", onchange: (/** @type {Event} */ event) => wear(/** @type {HTMLSelectElement} */ (event.target).value) },
        PACKS.map((name) => el("option", { value: name, selected: name === pack() }, t(`pack.${name}`)))));
    return el("div", { class: "panel" }, el("h2", {}, t("setup.seats")),
      el("ol", { class: "seats" }, this.seats.map((_, n) => seat(n))), el("p", { class: "hint" }, levels), side, cards);
  }

  /** The standing at which a match begins. */
  beginning() {
    const field = (/** @type {"totals" | "deals"} */ name, /** @type {string} */ label, /** @type {string} */ example) => el("label", {},
      label, el("input", {
        id: `standing-${name}`, value: this.standing[name], placeholder: example, maxlength: 60,
        onchange: (/** @type {Event} */ event) => (this.standing[name] = /** @type {HTMLInputElement} */ (event.target).value),
      }));
    return el("details", { class: "standing", open: Boolean(this.standing.totals || this.standing.deals) },
      el("summary", {}, t("setup.standing")),
      field("totals", t("setup.standing.totals"), "9, 7"), field("deals", t("setup.standing.deals"), "0"));
  }

  start() {
    const name = el("input", {
      id: "name", value: recall("name", ""), maxlength: 24, placeholder: t("guest"), autocomplete: "nickname",
      onchange: () => remember("name", name.value.trim()),
    });
    return el("div", { class: "panel start" },
      el("label", { for: "name" }, t("name")), name,
      this.problem ? el("p", { class: "problem", role: "alert" }, this.problem) : null,
      el("button", { class: "main", disabled: Boolean(this.problem) }, t("setup.play")));
  }

  /** @param {Event} event */
  sit(event) {
    event.preventDefault();
    void this.open();
  }

  async open() {
    const [game, preset, seating] = [this.game.name, this.preset.name, this.seats];
    const match = this.match && this.matches;
    remember("setup", { game, preset, match, seats: seating });
    const numbers = (/** @type {string} */ text) => (text.trim() ? text.split(",").map(Number) : []);
    const begun = match ? { totals: numbers(this.standing.totals), deals_before: Number(this.standing.deals) } : {};
    if (match && [...begun.totals ?? [], begun.deals_before].some((number) => !Number.isInteger(number))) {
      toast(t("setup.standing.problem"));
      return;
    }
    const wanted = {
      game: `${game}/${preset}`, rules: this.changed, match, ...begun, seats: seating,
      name: recall("name", "") || t("guest"), person: recall("person", undefined),
    };
    try {
      const seated = await ask("POST", "api/tables", wanted);
      remember("person", seated.person);
      keepSeat(seated.id, { token: seated.token, game: seated.table.game });
      remember(`again.${seated.id}`, wanted);
      location.hash = `#/table/${seated.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }
}
