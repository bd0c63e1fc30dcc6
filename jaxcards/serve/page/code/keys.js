// The keyboard: arrows go through the choices, numbers choose, letters are tools.

import { toast } from "./dom.js";
import { t } from "./words.js";

/** @param {KeyboardEvent} event @param {import("./table.js").TablePage} page */
export function onKey(event, page) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const all = /** @type {HTMLElement[]} */ ([...page.main.querySelectorAll("[data-action]")]);
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    if (!all.length) return;
    const step = event.key === "ArrowRight" ? 1 : -1;
    all[at < 0 ? 0 : (at + step + all.length) % all.length].focus();
  } else if (/^[1-9]$/.test(event.key)) {
    const chosen = all[Number(event.key) - 1];
    if (chosen) page.choose(Number(chosen.dataset.action));
  } else if (event.key === "h") page.advisor.toggle();
  else if (event.key === "l") page.toggleLastTrick();
  else if (event.key === "n") page.deal();
  else if (event.key === "?") toast(t("keys.help"));
  else return;
  event.preventDefault();
}
