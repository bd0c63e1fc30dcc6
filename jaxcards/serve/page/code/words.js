// The language of the page: its own texts by key, what the server says by phrases and patterns, and
// games, presets and rules by name. Where a language lacks something, what the server says stays.

import { recall, remember } from "./memory.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

/** Seconds that a trick stays on the table, as the server has it. */
export let trickStays = 1.5;

/** @type {Record<string, string>} */
let texts = {};
/** @type {Record<string, string>} */
let phrases = {};
/** @type {[RegExp, string][]} */
let patterns = [];
/** @type {Record<string, import("./types.d.ts").GameTexts>} */
let games = {};

/** Loads the texts of a language, or of the one that this browser wants. @param {string} [wanted] */
export async function speak(wanted) {
  const known = Object.keys(LANGUAGES);
  const server = await fetch("settings.json").then((answer) => answer.json()).catch(() => ({}));
  trickStays = server.trick_stays ?? trickStays;
  const own = navigator.languages.map((name) => name.slice(0, 2)).find((name) => known.includes(name));
  const language = wanted ?? recall("language", own ?? server.language ?? "en");
  const found = await fetch(`texts/${language}.json`).then((answer) => answer.json());
  ({ texts, phrases, games } = found);
  patterns = found.patterns.map((/** @type {[string, string]} */ [from, to]) => [new RegExp(from, "u"), to]);
  if (wanted) remember("language", wanted);
  document.documentElement.lang = language;
}

/**
 * Returns a text of the page; {name} in it is replaced.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Returns what the server says, in the language of the page. @param {string} text @returns {string} */
export function say(text) {
  if (text in phrases) return phrases[text];
  for (const [from, to] of patterns) {
    if (from.test(text)) {
      return text.replace(from, (...found) => to.replace(/\$(\d)/g, (_, n) => say(found[Number(n)] ?? "")));
    }
  }
  return text;
}

/** Returns what a game is. @param {import("./types.d.ts").Game} game */
export function describeGame(game) {
  return games[game.name]?.description ?? game.description;
}

/** Returns what a preset is. @param {string} game @param {import("./types.d.ts").Preset} preset */
export function describePreset(game, preset) {
  return games[game]?.presets[preset.name] ?? preset.description;
}

/**
 * Returns what a rule is called, what it says, and a name for each of its choices.
 * @param {string} game @param {import("./types.d.ts").Rule} rule
 */
export function describeRule(game, rule) {
  const found = games[game]?.rules[rule.name];
  return {
    label: found?.label ?? rule.name.replaceAll("_", " "),
    help: found?.help ?? rule.help,
    choices: rule.choices.map((choice) => found?.choices?.[String(choice)] ?? String(choice).replaceAll("_", " ")),
  };
}
