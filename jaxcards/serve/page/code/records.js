// Saved deals: a file is chosen, one of its deals opened, looked at again or played on from a move.

import { ask } from "./api.js";
import { el, toast } from "./dom.js";
import { keepSeat, recall, remember } from "./memory.js";
import { t } from "./words.js";

/**
 * Opens a table at a move of a record, and goes there.
 * @param {string} record @param {{move?: number, player?: number, others?: string}} from @param {string} [then]
 */
export async function openRecord(record, from, then = "") {
  const wanted = { record, ...from, name: recall("name", "") || t("guest"), person: recall("person", undefined) };
  const seated = await ask("POST", "api/records", wanted);
  remember("person", seated.person);
  keepSeat(seated.id, { token: seated.token, game: seated.table.game });
  location.hash = `#/table/${seated.id}${then}`;
}

/** Returns the deals of a file of records, each as a line of its own. @param {string} text @returns {string[]} */
export function dealsOf(text) {
  return text.split("\n").filter((line) => line.trim()).flatMap((line) => {
    const { deals, winners, ...common } = JSON.parse(line);
    if (common.record !== "match") return [line];
    return deals.map((/** @type {object} */ deal) => JSON.stringify({ ...common, record: "deal", ...deal }));
  });
}

/** Returns the part of the first page that opens a file. */
export function openFile() {
  const number = el("input", { id: "record-number", type: "number", min: 1, value: 1, "aria-label": t("record.number") });
  const which = el("span", { class: "row", hidden: true });
  /** @type {string[]} */
  let deals = [];
  const open = async () => {
    try {
      await openRecord(deals[Number(number.value) - 1] ?? deals[0], {}, "/review");
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  };
  const choose = async (/** @type {Event} */ event) => {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    if (!file) return;
    try {
      deals = dealsOf(await file.text());
      if (!deals.length) throw new Error();
    } catch {
      toast(t("record.wrong"));
      return;
    }
    number.max = String(deals.length);
    which.hidden = deals.length === 1;
    which.replaceChildren(t("record.of", { number: deals.length }), number, el("button", { type: "button", id: "record-open", onclick: open }, t("record.show")));
    if (deals.length === 1) await open();
  };
  return el("section", { class: "panel saved", "aria-label": t("record.open") },
    el("label", { for: "record-file" }, el("b", {}, t("record.open")), el("br"), el("small", {}, t("record.help"))),
    el("input", { id: "record-file", type: "file", accept: ".jsonl,.json", onchange: choose }), which);
}
