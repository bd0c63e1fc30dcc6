"""The score of a deal of Euchre and the end of a match (docs/euchre.md, 8 and 9)."""

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import vector
from jaxcards.games.euchre.play import NOBODY, NUM_TRICKS, EuchreGame, Public, State
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of

_EVERY_TRICK = 0b01_01_01_01_01  # the lower bit of each trick in `winners`


def tricks_of(public: Public, seats: jax.Array) -> jax.Array:
    """Return the number of tricks that seats, given as bits, have won: uint32."""
    table = public.tricks
    low, high = table.winners, table.winners >> 1  # the winner's two bits, at the place of each trick
    won = jnp.uint32(0)
    for seat in range(4):
        # Set where both bits of the trick's winner are those of the seat.
        theirs = (low if seat & 1 else ~low) & (high if seat & 2 else ~high)
        won = won | jnp.where((seats >> seat) & 1 == 1, theirs, 0)
    complete = (jnp.uint32(1) << (2 * table.tricks)) - 1
    return jax.lax.population_count(won & complete & _EVERY_TRICK)


def makers(state: State) -> jax.Array:
    """Return the seats on the makers' side as bits: uint32."""
    maker = state.calls.maker
    return jnp.uint32(1) << maker | state.seating.partner_bit(maker)


def side_points(rules: EuchreRules, state: State) -> tuple[jax.Array, jax.Array]:
    """Return the points of makers and defenders: int32; 0 before the end, or if thrown in."""
    public = state.public
    call = state.calls
    won = tricks_of(public, makers(state))
    march = jnp.where(call.alone == 1, rules.points_alone_march, rules.points_march)
    made = jnp.where(won == NUM_TRICKS, march, rules.points_make)
    euchre = jnp.int32(rules.points_euchre)
    if rules.defend_alone != "never":
        euchre = jnp.where(call.defender != NOBODY, rules.points_lone_defence, euchre)
    # Otherwise a lone maker never pays more than another.
    if rules.points_lone_euchre > min(rules.points_euchre, rules.points_lone_defence):
        euchre = jnp.maximum(euchre, jnp.where(call.alone == 1, rules.points_lone_euchre, 0))
    euchre = jnp.where(won == 0, jnp.maximum(euchre, rules.points_super_euchre), euchre)
    over = public.tricks.tricks == NUM_TRICKS
    succeed = won >= 3
    return jnp.where(over & succeed, made, 0), jnp.where(over & ~succeed, euchre, 0)


def by_agent(rules: EuchreRules, state: State, of_makers: jax.Array, of_others: jax.Array) -> jax.Array:
    """Return int32[num_agents]: for each agent what its side gets."""
    seating = seating_of(rules)
    side = makers(state)
    return vector(
        [
            jnp.where((side >> seating.agents.index(agent)) & 1 == 1, of_makers, of_others)
            for agent in range(seating.num_agents)
        ]
    )


def points(game: EuchreGame, state: State) -> jax.Array:
    """Return int32[num_players]: what the deal brings the player's side (docs/euchre.md, 8)."""
    return by_agent(game.rules, state, *side_points(game.rules, state))


def sides_of(game: EuchreGame, state: State) -> jax.Array:
    """See `Game.sides_of`: the makers are 0, where everyone plays alone as well."""
    return by_agent(game.rules, state, jnp.int32(0), jnp.int32(1))


def progress(game: EuchreGame, state: State) -> jax.Array:
    """Return int32[num_players]: tricks that the player's side has won.

    Where everyone plays alone, the maker is one side, and the two others are the other one.
    """
    public = state.public
    of_makers = tricks_of(public, makers(state)).astype(jnp.int32)
    total = public.tricks.tricks.astype(jnp.int32)
    return by_agent(game.rules, state, of_makers, total - of_makers)


def longest_match(game: EuchreGame) -> int | None:
    """See `TrickGame.longest_match`: each deal has the least points; those thrown in bring nothing."""
    rules = game.rules
    if rules.farmers_hand or not rules.stick_dealer:
        return None
    smallest = min(
        rules.points_make, rules.points_march, rules.points_alone_march,
        rules.points_euchre, rules.points_lone_defence,
    )  # fmt: skip
    sides = 3 if seating_of(rules).teams is None else 2
    # Each side stays one deal short of the target; the next deal ends the match.
    return sides * (-(-rules.target // smallest) - 1) + 1


def match_over(
    game: EuchreGame, state: State, totals: jax.Array, num_deals: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """See `Game.match_over`: at the target the most points win (docs/euchre.md, 9)."""
    del state
    best = totals.max()
    over = best >= game.rules.target
    if game.match_bound is not None:
        over = over | (num_deals >= game.match_bound)
    return over, totals == best
