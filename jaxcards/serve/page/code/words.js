// The language of the page: what it says itself, what views say, and games, presets and rules by name.

import { recall, remember } from "./memory.js";
import { worn } from "./packs.js";
import { speaker } from "./render.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

/** Seconds that a trick stays on the table, as the server has it. */
export let trickStays = 1.5;

let words = speaker({}, "en");
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
  words = speaker(found.texts, language);
  games = found.games;
  if (wanted) remember("language", wanted);
  document.documentElement.lang = language;
}

/**
 * Returns a text of the page; {name} in it is replaced.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return words({ key, args: values });
}

/** Returns two texts, the first of which names the second. @param {string} label @param {string} [text] */
export function pair(label, text = "") {
  return t("pair", { label, text });
}

/** Returns the name of a kind of player, or of people. @param {string} kind */
export function describePlayer(kind) {
  const name = kind.split(":")[0];
  return ["champion", "heuristic", "people", "random", "search"].includes(name) ? t(`player.${name}`, { number: 1 }) : kind;
}

/** Returns a text of a view in words. @param {import("./types.d.ts").Text} text @param {import("./types.d.ts").View} view */
export function say(text, view) {
  return words(text, view.faces.map(worn), view.seats.map((seat) => seat.name));
}

/** Returns the name of a game, of its id with or without a preset. @param {string} id */
export function gameName(id) {
  return id[0].toUpperCase() + id.slice(1).split("/")[0];
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
