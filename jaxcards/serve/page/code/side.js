// Beside the table: score, trumps and other facts, what has been said, and the tools.

import { el } from "./dom.js";
import { recall, remember } from "./memory.js";
import { describePlayer, nameOf, pair, say, t, tableName } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./table.js").TablePage} Page */

/** @param {Page} page @param {TableState} state */
export function side(page, state) {
  const view = /** @type {View} */ (state.view);
  return el("aside", { class: "side", "aria-label": t("side") },
    el("h1", {}, tableName(state.game)),
    score(view),
    levels(state),
    tools(page, view),
    page.advisor.panel(),
    log(state));
}

/** Trumps, facts and score in one bar above the felt. @param {TableState} state */
export function strip(state) {
  const view = /** @type {View} */ (state.view);
  const own = (/** @type {import("./types.d.ts").Score} */ item) => item.seats.some((seat) => view.seats[seat].player === view.player);
  const shown = view.scores.length > 2 ? view.scores.filter(own) : view.scores; // seats have their own counts
  const extras = shown.map((item) => besides(item).reduce((sum, line) => sum + (line.args.points ?? 0), 0));
  const counts = shown.map((item, n) => {
    const extra = extras[n];
    const points = `${item.result ?? item.points ?? "–"}${extra ? `+${extra}` : ""}${item.total === null ? "" : ` (${item.total})`}`;
    return own(item) ? `${t("seat.you")} ${points}` : points;
  });
  const unit = t(view.to_act === null ? "deal.this" : `unit.${view.unit}`);
  const label = [unit, extras.some(Boolean) ? `+ ${t("strip.extra")}` : "", shown.some((item) => item.total !== null) ? `(${t("total")})` : ""].filter(Boolean).join(" ");
  const named = view.trump ? say(view.trump, view) : "";
  const trump = ["trump.none", "mode.sheepshead"].includes(view.trump?.key ?? "") ? pair(t("trump"), named) : named;
  return el("div", { class: "strip", role: "group", "aria-label": t("score") },
    trump ? el("b", {}, trump) : null,
    ...view.facts.map((fact) => el("span", { class: fact.key === "fact.target" ? "target" : "" }, `${t(`${fact.key}.label`)} `, el("b", {}, say(fact, view)))),
    el("span", { class: "counts", title: pair(label, counts.join(" : ")) }, el("span", { class: "unit" }, `${pair(label)} `), counts.join(" : ")));
}

/** What a deal has brought so far besides cards and tricks. @param {import("./types.d.ts").Score} score */
function besides(score) {
  if (score.result !== null) return [];
  return score.lines.filter((line) => !["line.cards", "line.last_trick", "line.times"].includes(line.key));
}

/** @param {View} view */
function score(view) {
  const totals = view.scores.some((item) => item.total !== null);
  return el("table", { class: "score" },
    el("caption", {}, t("score")),
    el("thead", {}, el("tr", {}, el("th", {}, t("who")), el("th", {}, t(`unit.${view.unit}`)), totals ? el("th", {}, t("total")) : null)),
    el("tbody", {}, view.scores.map((item) => {
      const mine = item.seats.some((seat) => view.seats[seat].player === view.player);
      const names = item.seats.map((seat) => say(view.seats[seat].name, view));
      return el("tr", { class: mine ? "mine" : "" }, el("th", { scope: "row" }, names.join(" + "),
        besides(item).map((line) => el("div", { class: "line" }, `${t(line.key)} ${line.args.points}`))),
        el("td", {}, item.points === null ? "–" : String(item.points)),
        totals ? el("td", {}, item.total === null ? "–" : String(item.total)) : null);
    })));
}

/** The level of each player. @param {TableState} state */
function levels(state) {
  const players = state.seats.filter((place) => place.kind !== "person");
  const kinds = [...new Set(players.map((place) => place.kind))];
  return el("div", { class: "strengths" }, kinds.map((kind) => el("div", {}, el("span", {}, describePlayer(kind)),
    el("b", {}, players.filter((place) => place.kind === kind).map(nameOf).join(", ")))));
}

/** @param {Page} page @param {View} view */
function tools(page, view) {
  return el("div", { class: "tools row" },
    page.advisor.button(),
    el("button", { id: "last-trick", disabled: !view.last_trick, "aria-pressed": String(page.lookBack), onclick: () => page.toggleLastTrick() }, t("trick.last")),
    el("button", { id: "leave", onclick: () => page.leave() }, t("leave")));
}

/** @param {TableState} state */
function log(state) {
  const list = el("ol", { class: "log", tabindex: 0, "aria-label": t("log") },
    state.log.flat().map((line) => el("li", {}, say(line, /** @type {View} */ (state.view)))));
  requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  const details = el("details", { class: "history", open: recall("log", true) }, el("summary", {}, t("log")), list);
  details.addEventListener("toggle", () => remember("log", details.open));
  return details;
}
