// Texts as codes with arguments, put into words by the same rules as in jaxcards/view/text.py.

/** @typedef {import("./types.d.ts").Text} Text */
/** @typedef {import("./types.d.ts").Template} Template */

/** How a number is written. @type {Record<string, (number: number) => string>} */
const FORMATS = {
  "+": (number) => (number > 0 ? `+${number}` : String(number)),
  ".1": (number) => number.toFixed(1),
};

/**
 * Returns the function that puts texts into words.
 * @param {Record<string, Template>} templates of a language, by key @param {string} language
 */
export function speaker(templates, language) {
  const plurals = new Intl.PluralRules(language);

  /** Returns a text in words. @param {Text} text @param {string[]} faces of all cards @param {Text[]} names of all seats */
  return function say(text, faces = [], names = []) {
    /** @param {Text} part @returns {string} */
    const words = (part) => say(part, faces, names);

    /** @param {string} name @param {string | undefined} form @param {any} value @returns {string} */
    const fill = (name, form, value) => {
      if (name === "card") return value === null ? words({ key: "card.hidden", args: {} }) : faces[value];
      if (name === "cards") return value.map((/** @type {number} */ card) => fill("card", form, card)).join(" ");
      if (name === "seat") return words(names[value]);
      if (name === "seats") return listed(value.map((/** @type {number} */ seat) => words(names[seat])));
      if (Array.isArray(value)) return value.map(words).join(", ");
      if (value?.key) return words(value);
      return form ? FORMATS[form](value) : String(value);
    };

    /** @param {string[]} parts */
    const listed = (parts) => {
      if (parts.length === 1) return parts[0];
      return words({ key: "list", args: { first: parts.slice(0, -1).join(", "), last: parts.at(-1) } });
    };

    const found = templates[text.key] ?? text.key;
    const template = typeof found === "string" ? found : found[form(text, found, names)];
    return template.replace(/\{(\w+)(?::([+.\d]+))?\}/g, (_, name, form) => fill(name, form, text.args[name]));
  };

  /** Which form fits: of the reader, of a single thing, or of all others. @param {Text} text @param {Record<string, string>} forms @param {Text[]} names */
  function form(text, forms, names) {
    if ("you" in forms && names[text.args.seat]?.key === "seat.you") return "you";
    return "one" in forms && plurals.select(text.args.number) === "one" ? "one" : "other";
  }
}
