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

/** Returns a text of the page, or something else if no language file has it. @param {string} key @param {string} otherwise */
function known(key, otherwise) {
  const text = t(key);
  return text === key ? otherwise : text;
}

/** Returns the level of a kind of player, or the word for people. @param {string} kind */
export function describePlayer(kind) {
  return known(`player.${kind.split(":")[0]}`, kind);
}

/** Returns a text of a view in words. @param {import("./types.d.ts").Text} text @param {import("./types.d.ts").View} view */
export function say(text, view) {
  return words(text, view.faces.map(worn), view.seats.map((seat) => seat.name));
}

/** Returns the name of the player at a place. @param {import("./types.d.ts").Place} place */
export function nameOf({ shown }) {
  return t(shown.key, shown.args);
}

/** Returns the level of a kind of player, and how it plays. @param {string} kind */
export function describeLevel(kind) {
  const [name, worlds = ""] = kind.split(":");
  const key = `setup.player.${name}`;
  return t(key) === key ? kind : t(key, { worlds });
}

/** Returns the name of a game. @param {string} game */
export function gameName(game) {
  return known(`game.${game}`, game[0].toUpperCase() + game.slice(1));
}

/** Returns the name of a preset, and what it is. @param {string} game @param {string} preset @param {string} [about] */
export function describePreset(game, preset, about = "") {
  const key = `preset.${game}.${preset}`;
  return { name: known(key, preset), about: known(`${key}.about`, about) };
}

/** Returns the game, the preset and the changed rules of an id such as "euchre/british (target=5)". @param {string} id */
export function tableName(id) {
  const [whole, ...changed] = id.split(" (");
  const [game, preset] = whole.split("/");
  const name = `${gameName(game)}, ${describePreset(game, preset).name}`;
  return changed.length ? `${name} (${describeChanges(game, changed.join(" (").slice(0, -1))})` : name;
}

/** Returns what the game and the preset of an id are. @param {string} id */
export function tableAbout(id) {
  const [game, preset] = id.split(" ")[0].split("/");
  return describePreset(game, preset).about;
}

/** Returns changed rules as people read them. @param {string} game @param {string} changes as Python writes them */
function describeChanges(game, changes) {
  const pairs = changes.matchAll(/(\w+)=([[(].*?[\])]|'.*?'|[^,]+)/g);
  return [...pairs].map(([, rule, written]) => {
    const found = games[game]?.rules[rule];
    const value = written.replace(/^['[(]|['\])]$/g, "");
    const shown = value === "True" ? "✓" : value === "False" ? "✗" : found?.choices?.[value] ?? value;
    return pair(found?.label ?? rule.replaceAll("_", " "), shown);
  }).join("; ");
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
