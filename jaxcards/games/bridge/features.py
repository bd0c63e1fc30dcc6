"""The inputs of networks from an observation of Bridge: features, all of them bits.

Seats are relative: "left 1" plays next.
"""

import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import named_seats
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.bridge import play
from jaxcards.games.bridge.calls import NAMES, bidders_of
from jaxcards.games.bridge.play import DECK, HAND, SEATS, BridgeGame, Observation

_POINTS = (0,) * 9 + (1, 2, 3, 4)  # high card points of each rank


def write_features(game: BridgeGame, observation: Observation) -> BitWriter:
    seen, public, out = observation, observation.public, BitWriter()
    me = seen.player.astype(jnp.uint32)
    game.write_tricks(out, seen, strengths=TRUMP + len(DECK.ranks))
    out.cards("dummy", seen.dummy)
    bidders, any_bid = bidders_of(public), public.num_bids > 0
    for name, seat in named_seats(me, SEATS):
        made = bidders == seat.astype(jnp.int32)
        for number in range(play.NUM_BIDS):
            out.flag(f"{name} {NAMES[3 + number]}", made[number])
        out.flag(f"{name} dealt", public.dealer == seat)
        out.flag(f"{name} declares", any_bid & (public.phase >= play.PLAY) & (public.declarer == seat))
        out.flag(f"{name} plays next", public.current_player.astype(jnp.uint32) == seat)
    out.one_hot("level", public.level - 1, 7)
    out.one_hot("strain", jnp.where(any_bid, public.strain, 7), play.STRAINS)
    out.levels("doubled", public.doubled, (1, 2))
    out.levels("passes", public.passes, (1, 2, 3))
    out.flag("cards are played", public.phase >= play.PLAY)
    for name, side in (("own side", me & 1), ("other side", 1 - (me & 1))):
        out.flag(f"{name} vulnerable", (public.vulnerability >> side) & 1 == 1)
        out.levels(f"tricks of {name}", public.won_by(side), range(1, HAND + 1))
        if game.rules.vulnerability == "rubber":
            first, second = public.part_scores
            tens = jnp.where(side == 0, first, second)
            out.levels(f"tens of {name} below the line", tens, range(2, 10))
    held, points = seen.hand.mask().reshape(4, HAND), jnp.array([_POINTS])
    out.levels("high card points", jnp.where(held, points, 0).sum(), range(4, 25))
    for suit, name in enumerate(("clubs", "diamonds", "hearts", "spades")):
        out.levels(f"length of {name}", held[suit].sum(), range(1, 9))
    return out
