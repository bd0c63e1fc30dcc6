"""The inputs of networks from an observation of Skat: features, all of them bits.

Seats are relative: "left 1" plays next.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, field, named_seats, places_after, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.skat import play
from jaxcards.games.skat.calls import auction_of
from jaxcards.games.skat.play import CLASSES, DECK, SEATS, Observation, SkatGame
from jaxcards.games.skat.rules import VALUES
from jaxcards.games.skat.score import matadors, trick_points

_POINTS = (1, 10, 20, 30, 31, 40, 50, 60, 61, 75, 90)
_LEVELS = (*range(1, 16), 18, 21, 24, 28, 34, 42, 52)  # how many values have been bid
_PHASES = ("bid", "declare", "first discard", "second discard", "announce", "level", "kontra", "re")
_GAMES = ("diamonds", "hearts", "spades", "clubs", "grand", "null", "ramsch")


def write_features(game: SkatGame, observation: Observation) -> BitWriter:
    seen, public, out = observation, observation.public, BitWriter()
    me = seen.player.astype(jnp.uint32)
    out.cards("hand", seen.hand)
    out.cards("buried", seen.buried)
    out.cards("open", seen.open)
    points = trick_points(public)
    auction, forehand = auction_of(public), seat_after(public.dealer, 1, SEATS)
    for name, seat in named_seats(me, SEATS):
        out.cards(f"played by {name}", by_seat(seen.played_by, seat))
        if name != "me":
            out.bits(f"classes that {name} lacks", field(public.lacks, seat, CLASSES), CLASSES)
        out.levels(f"points of {name}", by_seat(points, seat), _POINTS)
        out.flag(f"{name} has a trick", public.has_trick(seat))
        out.flag(f"{name} dealt", public.dealer == seat)
        out.flag(f"{name} declares", public.declarer == seat)
        out.flag(f"{name} has passed", (auction.passed >> places_after(forehand, seat, SEATS)) & 1 == 1)
    out.levels("values bid", auction.level, _LEVELS)
    out.flag("answers a bid", auction.answers == 1)
    for number, name in enumerate(_PHASES):
        out.flag(f"phase {name}", public.phase == number)
    for number, name in enumerate(_GAMES):
        out.flag(f"game {name}", public.game == number)
    out.flag("hand game", public.hand)
    out.one_hot("announced", public.level, 4)
    out.levels("doubled", public.doubled, (1, 2))
    mine = (seen.hand | seen.buried | by_seat(seen.played_by, me)).words[0]
    # Clubs stand for all suit games, because the first four matadors are the jacks.
    for name, kind in (("a suit game", jnp.uint32(3)), ("Grand", jnp.uint32(play.GRAND))):
        out.levels(f"matadors in {name}", matadors(kind, mine), range(2, 6))
    _write_trick(out, seen, me)
    return out


def _write_trick(out: BitWriter, seen: Observation, me: jax.Array) -> None:
    """Write the trick on the table, and facts that follow from the game."""
    public, trick = seen.public, seen.public.trick
    out.cards("on the table", public.table_cards(DECK, SEATS))
    out.one_hot("led", trick.led, CLASSES)
    # On an empty table, a number outside the seats sets no bit.
    winner = jnp.where(trick.best == 0, NO_SUIT, places_after(me, jnp.minimum(trick.winner, 2), SEATS))
    out.one_hot("winner so far", winner, SEATS)
    out.levels("points on the table", trick.points, (1, 4, 10, 14, 20))
    out.one_hot("place in the trick", public.num_played % SEATS, SEATS)
    trumps = CardSet(DECK, [play.trumps_of(public.game)])
    out.cards("trumps in hand", seen.hand & trumps)
    out.levels("trumps unseen", (seen.unseen & trumps).count(), range(1, 12))


assert len(VALUES) < 64  # six bits of the auction
