// A table before its first card: who has come, invitations for the others, and players that fill the seats.

import { announce, el } from "./dom.js";
import { describePlayer, nameOf, pair, t, tableAbout, tableName } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").Place} Place */

/** @param {import("./table.js").TablePage} page @param {TableState} state */
export function lobby(page, state) {
  const host = state.seats.some((place) => place.invitation);
  return el("div", { class: "panel lobby" },
    el("h1", {}, tableName(state.game)), el("p", { class: "hint" }, tableAbout(state.game)),
    el("h2", {}, t("lobby")), el("ul", { class: "guests" }, state.seats.map((place, n) => guest(page, place, n === state.player))),
    el("p", { role: "status" }, t(host ? "lobby.host" : "lobby.guest")),
    el("div", { class: "row" },
      host ? el("button", { class: "main", id: "fill", onclick: () => page.attempt(() => page.post("fill")) }, t("lobby.fill")) : null,
      el("button", { id: "leave", onclick: () => page.leave() }, t("leave"))));
}

/** @param {import("./table.js").TablePage} page @param {Place} place @param {boolean} mine */
function guest(page, place, mine) {
  const name = mine ? pair(t("seat.you"), place.name) : nameOf(place);
  const said = place.free ? t("seat.free") : place.kind === "person" ? t("lobby.here") : describePlayer(place.kind);
  return el("li", { class: place.free ? "free" : "" },
    el("b", {}, name), el("span", {}, said), place.invitation ? invitation(page, place) : null);
}

/** @param {import("./table.js").TablePage} page @param {Place} place */
function invitation(page, place) {
  const link = el("input", {
    readonly: true, class: "link", "aria-label": t("invite.link"),
    value: `${location.origin}${location.pathname}#/join/${page.id}/${place.invitation}`,
  });
  const copy = () => {
    link.select();
    document.execCommand("copy"); // the clipboard of the browser needs TLS
    button.textContent = t("invite.copied");
  };
  const button = el("button", { type: "button", onclick: copy }, t("invite.copy"));
  return el("div", { class: "row" }, link, button);
}

/** Reads out who has come. @param {TableState} before @param {TableState} state */
export function tellArrivals(before, state) {
  const come = state.seats.filter((place, n) => before.seats[n].free && !place.free && place.kind === "person");
  if (come.length) announce(come.map((place) => t("lobby.come", { name: nameOf(place) })).join(". "));
}
