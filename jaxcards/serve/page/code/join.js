// Taking a seat by invitation.

import { ask } from "./api.js";
import { el, toast } from "./dom.js";
import { keepSeat, recall, remember, seats } from "./memory.js";
import { t, tableAbout, tableName } from "./words.js";

/** @param {HTMLElement} main @param {string} id @param {string} code */
export async function showJoin(main, id, code) {
  if (seats()[id]) {
    location.hash = `#/table/${id}`;
    return;
  }
  const invited = await ask("POST", `api/tables/${id}/invitation`, { invitation: code }).catch(() => null);
  if (!invited) {
    main.append(el("div", { class: "panel" }, el("p", {}, t("join.taken")), el("a", { href: "#/" }, t("setup.title"))));
    return;
  }
  const name = el("input", { id: "name", value: recall("name", ""), maxlength: 24, required: true, autocomplete: "nickname" });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    remember("name", name.value);
    try {
      const person = recall("person", undefined);
      const seated = await ask("POST", `api/tables/${id}/join`, { invitation: code, name: name.value, person });
      remember("person", seated.person);
      keepSeat(id, { token: seated.token, game: seated.table.game });
      location.hash = `#/table/${id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  };
  main.append(el("form", { class: "panel", onsubmit: join },
    el("h1", {}, t("join.title", { name: invited.host, game: tableName(invited.game) })),
    el("p", {}, tableAbout(invited.game)),
    el("label", { for: "name" }, t("name")), name,
    el("button", { class: "main" }, t("join.sit"))));
}
