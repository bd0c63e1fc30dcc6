"""The inputs of networks from an observation of Hearts: features, all of them bits.

Seats are relative: "left 1" plays next.
"""

import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.games.hearts.calls import num_passed_by
from jaxcards.games.hearts.play import (
    DECK,
    NUM_PASSED,
    POINTS_BITS,
    HeartsGame,
    Observation,
    all_passed,
    closed,
    penalties,
)

_POINTS = (1, 2, 3, 5, 8, 13, 14, 18, 22, 25, 26)
_MISSING = (1, 3, 6, 10, 13, 20, 26, 35, 50, 65, 80, 100)


def write_features(game: HeartsGame, observation: Observation) -> BitWriter:
    seen, public, rules, out = observation, observation.public, game.rules, BitWriter()
    game.write_tricks(out, seen, strengths=len(DECK.ranks))
    players, me = game.num_players, seen.player.astype(jnp.uint32)
    for places in range(players):
        name, seat = f"left {places}" if places else "me", seat_after(me, places, players)
        out.levels(f"points of {name}", field(public.taken, seat, POINTS_BITS), _POINTS)
        if rules.passes:
            number = num_passed_by(public, seat, players)
            out.levels(f"cards passed by {name}", number, range(1, NUM_PASSED + 1))
        if public.penalties_only is not None:
            out.flag(f"only penalty cards of {name}", (public.penalties_only >> seat) & 1 == 1)
        if public.with_trick is not None:
            out.flag(f"trick of {name}", (public.with_trick >> seat) & 1 == 1)
        if public.jack_taker is not None:
            out.flag(f"♦J of {name}", public.jack_taker == seat + 1)
    if rules.passes:
        out.one_hot("places that cards are passed", public.direction, players)
        out.flag("all cards passed", all_passed(public, players))
        out.cards("passed", seen.passed - seen.played)
        out.cards("received", seen.received - seen.played)
    out.levels("points on the table", public.trick.points & ((1 << POINTS_BITS) - 1), (1, 2, 3, 13))
    if public.jack_taker is not None:
        out.flag("♦J on the table", public.trick.points >> POINTS_BITS != 0)
    out.flag("hearts closed", closed(rules, seen.played).any())
    out.cards("penalty cards unseen", penalties() - seen.hand - seen.played)
    return out


def write_standing(game: HeartsGame, out: BitWriter, observation: Observation) -> None:
    """Write how many points each player is short of the end of the match."""
    players, me = game.num_players, observation.player.astype(jnp.uint32)
    for places in range(players):
        seat = seat_after(me, places, players)
        missing = game.rules.target - by_seat(observation.public.totals, seat)
        out.levels(f"points missing of {f'left {places}' if places else 'me'}", missing, _MISSING)
