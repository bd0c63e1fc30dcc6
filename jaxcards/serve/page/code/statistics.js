// What this browser has played: deals, matches and wins against each kind of opponent, with a plot.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { recall } from "./memory.js";
import { describePlayer, pair, t, tableName } from "./words.js";

/** @typedef {import("./types.d.ts").Group} Group */

const SVG = "http://www.w3.org/2000/svg";

/** @param {HTMLElement} main */
export async function showStatistics(main) {
  const person = recall("person", null);
  main.append(el("h1", {}, t("statistics")));
  const found = person ? await ask("GET", "api/statistics", undefined, person) : { groups: [], results: [] };
  if (!found.groups.length) {
    main.append(el("div", { class: "panel" }, el("p", {}, t("statistics.none")), el("a", { href: "#/" }, t("setup.title"))));
    return;
  }
  const file = URL.createObjectURL(new Blob([JSON.stringify(found.results, null, 1)], { type: "application/json" }));
  main.append(
    el("div", { class: "panel wide" }, el("table", { class: "score" },
      el("thead", {}, el("tr", {}, [t("setup.game"), t("opponents"), t("kind"), t("played"), t("won"), t("mean")].map((text) => el("th", {}, text)))),
      el("tbody", {}, found.groups.map((/** @type {Group} */ group) => el("tr", {},
        el("th", { scope: "row" }, tableName(group.game)), el("td", {}, opponents(group)), el("td", {}, t(`kind.${group.kind}`)),
        el("td", {}, String(group.played)), el("td", {}, `${Math.round((100 * group.won) / group.played)} %`),
        el("td", {}, group.points.toFixed(1))))))),
    ...found.groups.filter((/** @type {Group} */ group) => group.course.length > 1).map((/** @type {Group} */ group) =>
      el("figure", { class: "panel" }, el("figcaption", {}, pair(`${tableName(group.game)}, ${opponents(group)}, ${t(`kind.${group.kind}`)}`, t("sum"))), plot(group.course))),
    el("p", {}, el("a", { href: file, download: "jaxcards-results.json", class: "button" }, t("statistics.save"))));
}

/** @param {Group} group */
function opponents(group) {
  return group.opponents.split(", ").map(describePlayer).join(", ");
}

/** Draws the sum of points after each deal. @param {number[]} course */
function plot(course) {
  let sum = 0;
  const sums = [0, ...course.map((points) => (sum += points))];
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const y = (/** @type {number} */ value) => 110 - (100 * (value - low)) / (high - low || 1);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 400 120");
  svg.setAttribute("class", "plot");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t("plot", { number: course.length, sum: sum.toFixed(1) }));
  const points = sums.map((value, n) => `${(400 * n) / (sums.length - 1)},${y(value).toFixed(1)}`).join(" ");
  for (const [name, given] of /** @type {[string, Record<string, string>][]} */ ([
    ["line", { x1: "0", x2: "400", y1: y(0).toFixed(1), y2: y(0).toFixed(1), class: "zero" }],
    ["polyline", { points, class: "course" }],
  ])) {
    const part = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) part.setAttribute(key, value);
    svg.append(part);
  }
  return svg;
}
