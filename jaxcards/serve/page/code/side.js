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
    el("div", { class: "facts" },
      el("div", { class: "trump" }, el("span", { class: "label" }, t("trump")), el("b", {}, view.trump ? say(view.trump, view) : t("trump.none"))),
      view.facts.map((fact) => el("div", {}, el("span", { class: "label" }, label(fact)), el("b", {}, say(fact, view))))),
    score(view),
    levels(state),
    tools(page, view),
    page.advisor.panel(),
    log(state));
}

/** @param {import("./types.d.ts").Text} fact */
function label(fact) {
  return t(`${fact.key}.label`);
}

/** The same in two lines, for narrow windows. @param {TableState} state */
export function strip(state) {
  const view = /** @type {View} */ (state.view);
  const own = (/** @type {import("./types.d.ts").Score} */ item) => item.seats.some((seat) => view.seats[seat].player === view.player);
  const shown = view.scores.length > 2 ? view.scores.filter(own) : view.scores; // seats have their own counts
  const counts = shown.map((item) => {
    const points = `${item.points ?? "–"}${item.total === null ? "" : ` (${item.total})`}`;
    return own(item) ? `${t("seat.you")} ${points}` : points;
  });
  const facts = view.facts.filter((fact) => fact.key !== "fact.target").map((fact) => `${label(fact)} ${say(fact, view)}`);
  return el("div", { class: "strip", "aria-hidden": "true" },
    el("b", {}, view.trump ? say(view.trump, view) : pair(t("trump"), t("trump.none"))),
    ...facts.map((fact) => el("span", {}, fact)),
    el("span", { class: "counts" }, pair(t(`unit.${view.unit}`), counts.join(" : "))));
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
      return el("tr", { class: mine ? "mine" : "" }, el("th", { scope: "row" }, names.join(" + ")),
        el("td", {}, item.points === null ? "–" : String(item.points)),
        totals ? el("td", {}, item.total === null ? "–" : String(item.total)) : null);
    })));
}

/** The level of each player. @param {TableState} state */
function levels(state) {
  const players = state.seats.filter((place) => place.kind !== "person");
  const kinds = [...new Set(players.map((place) => place.kind))];
  return el("div", { class: "facts" }, kinds.map((kind) => el("div", {}, el("span", { class: "label" }, describePlayer(kind)),
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
