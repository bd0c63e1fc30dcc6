// One rule of a game, with its help, as a control of a form.

import { el, toast } from "./dom.js";
import { describeRule, t } from "./words.js";

/** @typedef {import("./types.d.ts").Rule} Rule */

/**
 * @param {string} game @param {Rule} rule @param {unknown} value @param {(value: unknown) => void} change
 */
export function ruleControl(game, rule, value, change) {
  const [id, told] = [`rule-${rule.name}`, describeRule(game, rule)];
  return el("div", { class: "rule" },
    el("label", { for: id }, told.label),
    control(rule, told.choices, id, value, change),
    el("p", { class: "hint", id: `${id}-help` }, told.help));
}

/**
 * @param {Rule} rule @param {string[]} choices @param {string} id @param {any} value
 * @param {(value: unknown) => void} change
 */
function control(rule, choices, id, value, change) {
  const described = { id, "aria-describedby": `${id}-help` };
  const typed = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  if (rule.kind === "bool") {
    return el("input", { ...described, type: "checkbox", checked: Boolean(value), onchange: (/** @type {Event} */ e) => change(typed(e).checked) });
  }
  if (rule.kind === "choice") {
    return el("select", { ...described, onchange: (/** @type {Event} */ e) => change(rule.choices[Number(typed(e).value)]) },
      rule.choices.map((choice, n) => el("option", { value: n, selected: choice === value }, choices[n])));
  }
  if (rule.kind === "int") {
    return el("input", {
      ...described, type: "number", value, min: rule.minimum, max: rule.maximum, step: 1,
      onchange: (/** @type {Event} */ e) => change(Math.trunc(Number(typed(e).value))),
    });
  }
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return el("input", {
    ...described, value: text,
    onchange: (/** @type {Event} */ e) => {
      const parts = typed(e).value.split(",").map((part) => part.trim()).filter(Boolean);
      const read = rule.kind === "list" ? parts.map((part) => (/^-?\d+$/.test(part) ? Number(part) : part)) : typed(e).value;
      if (rule.kind === "list" && !parts.length) toast(t("setup.list"));
      else change(read);
    },
  });
}
