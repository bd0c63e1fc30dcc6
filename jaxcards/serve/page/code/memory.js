// What this browser remembers: seats with their tokens, and how its owner likes the page.

/** @param {string} name @param {any} otherwise @returns {any} */
export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(`jaxcards.${name}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise; // a browser that forbids storage, or what somebody has put there
  }
}

/** @param {string} name @param {unknown} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`jaxcards.${name}`, JSON.stringify(value));
  } catch {
    // Nothing is kept; the page works as long as it is open.
  }
}

/** @typedef {{token: string, game: string}} OwnSeat */

/** Returns the seats of this browser by the id of their table. @returns {Record<string, OwnSeat>} */
export function seats() {
  return recall("seats", {});
}

/** @param {string} table @param {OwnSeat} seat */
export function keepSeat(table, seat) {
  remember("seats", { ...seats(), [table]: seat });
}

/** @param {string} table */
export function forgetSeat(table) {
  const rest = seats();
  delete rest[table];
  remember("seats", rest);
}
