"""The inputs of networks from an observation of Spades: features, all of them bits.

Seats are relative: "left 1" plays next.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, named_seats
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.spades.calls import covered, is_blind
from jaxcards.games.spades.play import DECK, Observation, SpadesGame, spades
from jaxcards.games.spades.score import bags_before, needed

_MISSING = (10, 30, 50, 70, 100, 130, 160, 200, 250, 300, 400, 500, 600, 700)


def write_features(game: SpadesGame, observation: Observation) -> BitWriter:
    seen, public, rules, out = observation, observation.public, game.rules, BitWriter()
    game.write_tricks(out, seen, strengths=TRUMP + len(DECK.ranks))
    size, me = game.hand_size, seen.player.astype(jnp.uint32)
    for name, seat in named_seats(me, game.num_players):
        out.one_hot(f"bid of {name}", public.bid_of(seat), size + 1)
        out.levels(f"tricks of {name}", public.won_by(seat), range(1, size + 1))
        out.flag(f"{name} dealt", public.dealer == seat)
        if public.blind is not None:
            out.flag(f"{name} bid nil blind", is_blind(public, seat))
            out.flag(f"{name} may bid nil blind", covered(rules, public, seat))
    for name, side in _sides(game, me):
        short = by_seat([needed(rules, public, n) for n in range(rules.num_sides)], side)
        out.levels(f"tricks needed by {name}", short, range(-5, size + 1))
        bags = by_seat([bags_before(public, n) for n in range(rules.num_sides)], side)
        out.levels(f"bags of {name}", bags, range(1, 10))
    out.flag("spades broken", (seen.played & spades()).any())
    return out


def write_standing(game: SpadesGame, out: BitWriter, observation: Observation) -> None:
    """Write how many points each side is short of the end of the match."""
    for name, side in _sides(game, observation.player.astype(jnp.uint32)):
        missing = game.rules.target - by_seat(observation.public.totals, side)
        out.levels(f"points missing of {name}", missing, _MISSING)


def _sides(game: SpadesGame, me: jax.Array) -> list[tuple[str, jax.Array]]:
    """Return the name and the number of each side, the player's own first."""
    if game.rules.partners:
        return [("own side", me & 1), ("other side", 1 - (me & 1))]
    seats = enumerate(named_seats(me, game.num_players))
    return [(f"side {places}", seat) for places, (_, seat) in seats]
