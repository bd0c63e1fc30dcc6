// Where the page begins: language, colours, cards; and which part of it is shown.

import { byId, el } from "./dom.js";
import { recall, remember } from "./memory.js";
import { loadCards } from "./packs.js";
import { showSetup } from "./setup.js";
import { showJoin } from "./join.js";
import { showStatistics } from "./statistics.js";
import { showTable } from "./table.js";
import { LANGUAGES, speak, t } from "./words.js";

/** @type {(() => void) | null} what the part that is shown has to stop */
let stop = null;

async function show() {
  stop?.();
  stop = null;
  const main = byId("main");
  const [, part = "", id = "", code = ""] = location.hash.split("/").map(decodeURIComponent);
  main.className = part || "setup";
  document.body.dataset.part = part || "setup";
  drawTop();
  main.replaceChildren();
  if (part === "table") stop = showTable(main, id, code === "review");
  else if (part === "join") await showJoin(main, id, code);
  else if (part === "statistics") await showStatistics(main);
  else await showSetup(main);
}

function drawTop() {
  const language = el("select", {
    "aria-label": t("language"),
    onchange: async (/** @type {Event} */ event) => {
      await speak(/** @type {HTMLSelectElement} */ (event.target).value);
      await show();
    },
  }, Object.entries(LANGUAGES).map(([code, name]) =>
    el("option", { value: code, selected: code === document.documentElement.lang }, name)));
  const theme = el("button", {
    class: "plain", "aria-label": t("theme"), title: t("theme"), onclick: () => setTheme(nextTheme()),
  }, "◐");
  byId("top").replaceChildren(
    el("a", { href: "#/", class: "brand" }, el("img", { src: "icon.svg", alt: "", width: 26, height: 26 }), el("span", {}, "jaxcards")),
    el("nav", { "aria-label": t("pages") },
      el("a", { href: "#/statistics" }, t("statistics")), el("a", { href: "api.html" }, "API"), language, theme),
  );
}

function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  return now === "dark" ? "light" : "dark";
}

/** @param {string | null} theme */
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

setTheme(recall("theme", null));
await Promise.all([speak(), loadCards()]);
addEventListener("hashchange", show);
await show();
