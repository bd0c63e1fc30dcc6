// The API as a page: every path of /openapi.json with what it takes and answers.

import { byId, el } from "./dom.js";

const schema = await fetch("openapi.json").then((answer) => answer.json());

/** Returns the name of a form that a part of the schema refers to. @param {any} part @returns {string} */
function form(part) {
  if (!part) return "";
  if (part.$ref) return part.$ref.split("/").at(-1);
  if (part.type === "array") return `list of ${form(part.items)}`;
  if (part.anyOf) return part.anyOf.map(form).filter(Boolean).join(" or ");
  return part.type ?? "anything";
}

/** @param {any} content */
function body(content) {
  const [kind, found] = Object.entries(content ?? {})[0] ?? [];
  return kind ? `${form(/** @type {any} */ (found).schema)} (${kind})` : "nothing";
}

byId("main").append(
  el("p", {}, schema.info.description, " ", el("a", { href: "openapi.json" }, "openapi.json")),
  el("section", { class: "panel" }, Object.entries(schema.paths).flatMap(([path, methods]) =>
    Object.entries(/** @type {any} */ (methods)).map(([method, call]) => el("div", { class: "endpoint" },
      el("div", {}, el("code", {}, `${method.toUpperCase()} ${path}`), ` – ${call.summary ?? ""}`),
      el("p", { class: "hint" }, call.description ?? ""),
      call.requestBody ? el("p", {}, `takes ${body(call.requestBody.content)}`) : null,
      el("p", {}, Object.entries(call.responses).map(([status, answer]) =>
        `${status}: ${status[0] === "2" ? body(/** @type {any} */ (answer).content) : /** @type {any} */ (answer).description}`).join("; ")))))),
  el("section", { class: "panel" }, Object.entries(schema.components.schemas).map(([name, made]) => el("div", { class: "endpoint" },
    el("h2", {}, name), el("p", { class: "hint" }, /** @type {any} */ (made).description ?? ""),
    el("ul", {}, Object.entries(/** @type {any} */ (made).properties ?? {}).map(([field, part]) =>
      el("li", {}, el("code", {}, field), `: ${form(part)}. ${/** @type {any} */ (part).description ?? ""}`)))))),
);
