// What a view becomes when its player plays a card, until the server has answered.

/** @typedef {import("./types.d.ts").View} View */

/** @param {View} view @param {import("./types.d.ts").Choice} choice @returns {View} */
export function afterPlaying(view, choice) {
  const { card } = choice;
  const acting = view.seats.find((seat) => seat.seat === view.to_act);
  if (card === null || !acting?.hand?.includes(card)) return view;
  const hand = acting.hand.filter((other) => other !== card);
  const seats = view.seats.map((seat) => (seat === acting ? { ...seat, hand, num_cards: hand.length } : seat));
  const plays = choice.kind === "play" ? [...view.trick.plays, { seat: acting.seat, card }] : view.trick.plays;
  return { ...view, seats, choices: [], trick: { plays, winner: null } };
}
