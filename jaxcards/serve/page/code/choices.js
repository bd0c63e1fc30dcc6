// What is said and not played: calls as buttons, bids in two steps, numbers as a field.

import { picture, spoken } from "./cards.js";
import { el } from "./dom.js";
import { pair, say, t } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */
/** @typedef {import("./types.d.ts").Choice} Choice */
/** @typedef {import("./types.d.ts").Text} Text */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./table.js").TablePage} Page */

const MANY = 16;

/** @param {Page} page @param {TableState} state */
export function choices(page, state) {
  const view = /** @type {View} */ (state.view);
  const held = new Set(view.seats.filter((seat) => seat.player === view.player || seat.seat === view.to_act).flatMap((seat) => seat.hand ?? []));
  const calls = view.choices.filter((choice) => choice.card === null || !held.has(choice.card));
  const box = el("section", { class: "choices", "aria-label": t("choices") });
  if (!calls.length) return box;
  const bids = calls.filter((choice) => "level" in choice.text.args);
  const rest = calls.filter((choice) => !bids.includes(choice));
  const numbers = rest.filter((choice) => "number" in choice.text.args);
  if (bids.length > 6) box.append(bidding(page, view, bids, rest));
  if (numbers.length > MANY) box.append(field(page, numbers));
  const plain = rest.filter((choice) => !(numbers.length > MANY && numbers.includes(choice)));
  const shown = bids.length > 6 ? [] : [...bids, ...plain];
  if (shown.length) box.append(el("div", { class: "row" }, shown.map((choice) => button(page, view, choice))));
  const forbidden = shown.filter((choice) => choice.forbidden);
  const reasons = [...new Set(forbidden.map((choice) => pair(say(choice.text, view), say(/** @type {Text} */ (choice.forbidden), view))))];
  if (reasons.length) box.append(el("p", { class: "hint" }, reasons.slice(0, 2).join("; ")));
  return box;
}

/** @param {Page} page @param {View} view @param {Choice} choice */
function button(page, view, choice) {
  const card = choice.card !== null ? view.faces[choice.card] : null;
  const text = say(choice.text, view);
  const short = "level" in choice.text.args ? Object.values(bidParts(view, choice)).join(" ") : text;
  const made = el("button", {
    class: `call ${["pass", "push", "double"].includes(choice.kind) ? "quiet" : ""} ${card ? "with-card" : ""}`,
    "data-action": choice.forbidden ? undefined : choice.action,
    "aria-disabled": choice.forbidden ? "true" : undefined,
    "aria-label": card ? `${text}, ${spoken(card)}` : short === text ? undefined : text,
    title: choice.forbidden ? say(choice.forbidden, view) : undefined,
    onclick: () => page.choose(choice.action),
  }, card ? null : short);
  if (card) made.append(picture(card));
  const note = page.advisor.note(choice.action);
  if (note) made.append(note);
  return made;
}

/** Return the level and the suit of a bid in words. @param {View} view @param {Choice} choice */
function bidParts(view, choice) {
  const { level, mode } = choice.text.args;
  return { level: level.key ? say(level, view) : String(level), mode: say(mode, view) };
}

/**
 * An auction with levels and suits: a suit is chosen, then a level, then the bid is made.
 * @param {Page} page @param {View} view @param {Choice[]} bids @param {Choice[]} rest pass, double and so on
 */
function bidding(page, view, bids, rest) {
  const parts = bids.map((choice) => ({ choice, ...bidParts(view, choice) }));
  // The highest level has every suit, in order.
  const modes = [...new Set(parts.map((part) => part.mode).reverse())].reverse();
  const mode = page.bid.mode ?? (modes.length === 1 ? modes[0] : undefined);
  const levels = [...new Set(parts.filter((part) => !mode || part.mode === mode).map((part) => part.level))];
  const chosen = parts.find((part) => part.mode === mode && part.level === page.bid.level);
  const toggle = (/** @type {string} */ what, /** @type {string} */ value, /** @type {boolean} */ on) => el("button", {
    class: "part", "data-part": what, "aria-pressed": String(on),
    onclick: () => {
      page.bid = { ...page.bid, [what]: value };
      page.draw();
    },
  }, value);
  const made = el("button", {
    class: "call main", id: "bid", disabled: !chosen, "data-action": chosen?.choice.action,
    onclick: () => chosen && page.choose(chosen.choice.action),
  }, chosen ? say(chosen.choice.text, view) : t("bid.make"));
  const note = chosen && page.advisor.note(chosen.choice.action);
  if (note) made.append(note);
  return el("div", { class: "bidding" },
    el("div", { class: "row", role: "group", "aria-label": t("bid.mode") }, modes.map((one) => toggle("mode", one, one === mode))),
    el("div", { class: "row levels", role: "group", "aria-label": t("bids") }, levels.map((one) => toggle("level", one, one === page.bid.level))),
    el("div", { class: "row" }, rest.map((choice) => button(page, view, choice)), made));
}

/** A number that is typed, where there are too many for buttons. @param {Page} page @param {Choice[]} numbers */
function field(page, numbers) {
  const value = (/** @type {Choice} */ choice) => choice.text.args.number;
  const legal = numbers.filter((choice) => !choice.forbidden);
  const [low, high] = [Math.min(...legal.map(value)), Math.max(...legal.map(value))];
  const middle = Math.round((low + high) / 4);
  const text = el("input", { type: "number", id: "number", min: low, max: high, step: 1, value: middle, "aria-label": t("number") });
  const slider = el("input", { type: "range", min: low, max: high, value: middle, "aria-label": t("number") });
  slider.addEventListener("input", () => (text.value = slider.value));
  text.addEventListener("input", () => (slider.value = text.value));
  return el("form", {
    class: "number-field",
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const chosen = numbers.find((choice) => value(choice) === Number(text.value));
      if (chosen) page.choose(chosen.action);
    },
  }, slider, text, el("button", { class: "call main", id: "say-number" }, t("number.say")));
}
