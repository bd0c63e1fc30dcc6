"""Score a deal of Sheepshead (docs/sheepshead.md, 5 and 6)."""

import functools

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import vector
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.play import Observation, Public, SheepsheadGame, State
from jaxcards.games.sheepshead.rules import SheepsheadRules


def picker_seats(rules: SheepsheadRules, state: State) -> list[jax.Array]:
    """Return for each seat whether it counts as the picker: bool (docs/sheepshead.md, 8.2)."""
    if rules.picks:
        return [state.public.picker == seat for seat, _ in enumerate(state.hands)]
    return [hand.words[0] & (1 << play.QUEEN_OF_CLUBS) != 0 for hand in state.hands]


def partner_seats(rules: SheepsheadRules, state: State) -> list[jax.Array]:
    """Return for each seat whether it is the picker's partner: bool."""
    if not rules.picks:
        # A seat with both black queens plays alone.
        queens = [hand.words[0] & play.BLACK_QUEENS for hand in state.hands]
        return [cards == 1 << play.QUEEN_OF_SPADES for cards in queens]
    if state.public.called is None:
        return [jnp.zeros((), bool) for _ in state.hands]
    card = play.single(state.public.called)
    return [
        (hand.words[0] & card != 0)
        & (state.public.picker != seat)
        & (state.public.picker != play.NO_SEAT)
        for seat, hand in enumerate(state.hands)
    ]


NEEDED = 61  # card points of the picking side
PICKER_SHARE = {3: 1, 4: 1, 5: 2, 6: 3}  # of the unit that each defender pays, with a partner


def stakes_of(queue: jax.Array) -> jax.Array:
    """Return the stakes of a deal while `queue` doubled ones are to come, it included: uint32."""
    return jnp.where(queue > 0, jnp.uint32(2), jnp.uint32(1))


def next_stakes(rules: SheepsheadRules, state: State) -> tuple[jax.Array, jax.Array]:
    """Return the stakes of the next deal, and the doubled deals to come (docs/sheepshead.md, 7)."""
    public = state.public
    if rules.no_pick != "doubler":
        return jnp.uint32(1), jnp.uint32(0)
    void = public.picker == play.NO_SEAT
    if public.queue is None:
        doubled = jnp.minimum(2 * public.stakes, jnp.uint32(rules.doubler_cap))
        return jnp.where(void, doubled, jnp.uint32(1)), jnp.uint32(0)
    # A deal that is played uses up a doubled one; a deal that is thrown in adds one.
    shorter = jnp.where(public.queue > 0, public.queue - 1, 0)
    queue = jnp.where(void, public.queue + 1, shorter)
    return stakes_of(queue), queue


def is_leaster(public: Public) -> jax.Array:
    """Return whether the cards are (or were) played because all passed: bool."""
    return (public.picker == play.NO_SEAT) & (public.num_played > 0)


def public_points(rules: SheepsheadRules, seen: State | Observation) -> list[jax.Array]:
    """Return the card points of each seat's tricks, as far as all can count them: uint32.

    Until the deal is over, the unknown and the blind of a leaster count 0.
    """
    public = seen.public
    over = public.phase == play.DONE
    words = list(public.points)

    def give(seat: jax.Array, points: jax.Array) -> None:
        for w in range(len(words)):
            # The field of the seat in its word; before the end nothing is added.
            here = over & (seat // play.SEATS_PER_WORD == w)
            shift = (seat % play.SEATS_PER_WORD) * play.POINTS_BITS
            words[w] = words[w] + jnp.where(here, points << shift, 0)

    if seen.unknown is not None and public.unknown_taker is not None:
        known = jnp.where(seen.unknown < play.NO_CARD, play.card_points(seen.unknown), 0)
        give(public.unknown_taker, known)
    if rules.no_pick == "leaster" and rules.leaster_blind != "none":
        # The trick that takes the blind.
        trick = rules.hand_size - 1 if rules.leaster_blind == "last_trick" else 0
        blind = jnp.where(is_leaster(public), seen.blind.points(play.POINTS), 0)
        give(play.trick_winner(public.winners, trick), blind)
    return [play.seat_points(tuple(words), seat) for seat in range(rules.num_players)]


def tricks_won(rules: SheepsheadRules, state: State) -> list[jax.Array]:
    """Return the number of complete tricks that each seat has won: uint32."""
    public = state.public
    # ones: bit 0 of each trick's field; complete: all bits of the tricks that are over.
    ones = sum(1 << (play.WINNER_BITS * trick) for trick in range(rules.hand_size))
    complete = (jnp.uint32(1) << (play.WINNER_BITS * (public.num_played // rules.num_players))) - 1
    counts = []
    for seat in range(rules.num_players):
        # A trick belongs to the seat if all three bits of its winner agree.
        other = public.winners ^ jnp.uint32(ones * seat)
        same = ~(other | other >> 1 | other >> 2) & jnp.uint32(ones) & complete
        counts.append(jax.lax.population_count(same))
    return counts


def chips(game: SheepsheadGame, state: State) -> jax.Array:
    """Return int32[num_players]: chips of a finished deal, together 0 (docs/sheepshead.md, 6)."""
    rules, public = game.rules, state.public
    totals = [points.astype(jnp.int32) for points in public_points(rules, state)]
    tricks = [count.astype(jnp.int32) for count in tricks_won(rules, state)]
    picked = picked_chips(rules, state, totals, tricks)
    if not rules.picks:
        return vector(picked)
    if rules.no_pick != "leaster":
        return vector([jnp.where(public.picker == play.NO_SEAT, 0, x) for x in picked])
    pairs = zip(leaster_chips(rules, state, totals, tricks), picked, strict=True)
    return vector([jnp.where(public.picker == play.NO_SEAT, a, b) for a, b in pairs])


def sides_of(game: SheepsheadGame, state: State) -> jax.Array:
    """See `Game.sides_of`: 0 for picker and partner, 1 for defenders; a leaster has none."""
    rules = game.rules
    pairs = zip(picker_seats(rules, state), partner_seats(rules, state), strict=True)
    found = vector([jnp.where(picks | helps, 0, 1) for picks, helps in pairs])
    return jnp.where(state.public.picker == play.NO_SEAT, -1, found) if rules.picks else found


def leaster_chips(
    rules: SheepsheadRules, state: State, totals: list[jax.Array], tricks: list[jax.Array]
) -> list[jax.Array]:
    """Return the chips of a leaster (docs/sheepshead.md, 5)."""
    no_trick = 255  # above all points
    # A seat without a trick cannot win.
    counted = [jnp.where(t > 0, p, no_trick) for p, t in zip(totals, tricks, strict=True)]
    lowest = functools.reduce(jnp.minimum, counted)
    wins = [points == lowest for points in counted]
    unique = sum(w.astype(jnp.int32) for w in wins) == 1
    # A tie pays nothing.
    unit = jnp.where(unique & (lowest < no_trick), state.public.stakes.astype(jnp.int32), 0)
    return [jnp.where(w, (rules.num_players - 1) * unit, -unit) for w in wins]


def magnitude(rules: SheepsheadRules, points: jax.Array, tricks: jax.Array) -> jax.Array:
    """Return the margin of the picking side: 1 to 3 if it won, -1 to -3 if it lost: int32."""
    # Later lines override earlier ones: tricks come before points.
    m = jnp.where(points >= NEEDED, 1, -1)
    m = jnp.where(points >= 91, 2, m)
    m = jnp.where(points <= 30, -2, m)
    m = jnp.where(tricks == 0, -3, m)
    return jnp.where(tricks == rules.hand_size, 3, m)


def picked_chips(
    rules: SheepsheadRules, state: State, totals: list[jax.Array], tricks: list[jax.Array]
) -> list[jax.Array]:
    """Return the chips of a deal with a picker (docs/sheepshead.md, 6)."""
    public = state.public
    n = rules.num_players
    picks = picker_seats(rules, state)
    helps = partner_seats(rules, state)
    side = [p | h for p, h in zip(picks, helps, strict=True)]
    points = state.buried.points(play.POINTS).astype(jnp.int32)
    points = points + sum(jnp.where(s, p, 0) for s, p in zip(side, totals, strict=True))
    taken = sum((jnp.where(s, t, 0) for s, t in zip(side, tricks, strict=True)), jnp.int32(0))
    m = magnitude(rules, points, taken)
    unit = m * public.stakes.astype(jnp.int32) * _crack_factor(public)
    if rules.double_on_bump:
        unit = jnp.where(m < 0, 2 * unit, unit)
    if rules.partner == "none":
        return [jnp.where(p, (n - 1) * unit, -unit) for p in picks]
    # A picker that has the partner card itself, or named none, plays alone.
    alone = ~functools.reduce(jnp.logical_or, helps)
    share, partner = jnp.where(alone, n - 1, PICKER_SHARE[n]), unit
    if rules.partner_off_hook:
        off = (taken == 0) & ~alone
        # Without the partner, the picker pays each defender.
        share, partner = jnp.where(off, n - 2, share), jnp.where(off, 0, unit)
    return [
        jnp.where(p, share * unit, jnp.where(h, partner, -unit))
        for p, h in zip(picks, helps, strict=True)
    ]


def _crack_factor(public: Public) -> jax.Array:
    """Return 1, or 2 after a crack, or 4 if it was answered; twice that after a blitz: int32."""
    factor = jnp.int32(1)
    if public.cracker is not None:
        factor = jnp.where(public.cracker != play.NO_SEAT, 2, factor)
    if public.recracked is not None:
        factor = jnp.where(public.recracked, 4, factor)
    if public.blitzer is not None:
        factor = jnp.where(public.blitzer != play.NO_SEAT, 2 * factor, factor)
    return factor
