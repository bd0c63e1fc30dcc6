// Where the seats and their cards are: clockwise, from the player who looks.

/** @typedef {import("./types.d.ts").View} View */

/**
 * The middle of each seat's card, in widths of a card from the middle of the trick. No two overlap.
 * @type {Record<number, [number, number][]>}
 */
const CARDS = {
  2: [[0, .78], [0, -.78]],
  3: [[0, .78], [-.6, -.78], [.6, -.78]],
  4: [[0, .78], [-1.1, 0], [0, -.78], [1.1, 0]],
  5: [[0, .78], [-1.1, .78], [-.6, -.78], [.6, -.78], [1.1, .78]],
  6: [[0, .78], [-1.1, .78], [-1.1, -.78], [0, -.78], [1.1, -.78], [1.1, .78]],
  7: [[0, .78], [-1.1, .78], [-1.65, -.78], [-.55, -.78], [.55, -.78], [1.65, -.78], [1.1, .78]],
};

/** Returns how many seats after the one who looks a seat comes. @param {View} view @param {number} seat */
export function after(view, seat) {
  const number = view.seats.length;
  const me = view.seats.find((other) => other.player === view.player)?.seat ?? 0;
  return (seat - me + number) % number;
}

/**
 * Returns where the card of a seat lies: in the round, and from left to right where all lie in a row.
 * @param {View} view @param {number} seat
 */
export function cardPlace(view, seat) {
  const all = CARDS[view.seats.length];
  const own = all[after(view, seat)];
  const row = [...all].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return { right: own[0], down: own[1], row: row.indexOf(own) - (all.length - 1) / 2 };
}

/** Returns the side of the felt where another seat is: "left", "top" or "right". @param {View} view @param {number} seat */
export function side(view, seat) {
  const number = view.seats.length;
  const place = after(view, seat);
  if (number === 2) return "top";
  return place === 1 ? "left" : place === number - 1 ? "right" : "top";
}
