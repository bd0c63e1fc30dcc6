"""The value of a game, and the score of a deal (docs/skat.md, 6)."""

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, vector
from jaxcards.games.skat import play
from jaxcards.games.skat.calls import bid_of
from jaxcards.games.skat.play import GRAND, JACK, NULL, SEATS, Public, SkatGame, State
from jaxcards.games.skat.rules import BASES, NULL_VALUES
from jaxcards.xla.lookup import lookup


def matadors(game: jax.Array, cards: jax.Array) -> jax.Array:
    """Return the matadors that a declarer plays with or without: int32 (docs/skat.md, 6).

    Args:
      game: uint32, a suit or Grand.
      cards: uint32, the declarer's cards with the skat.
    """
    # top: the jacks held, from J♦ in bit 0 to J♣ in bit 3.
    top = jnp.uint32(0)
    for suit in range(4):
        top = top | ((cards >> (8 * suit + JACK)) & 1) << suit
    # lane: the seven other cards of the suit, which rank below the jacks, the ace in the highest bit.
    lane = (cards >> (8 * (game & 3))) & ((1 << JACK) - 1)
    is_suit = game < GRAND
    # row: all trumps in order, J♣ in the highest of its bits.
    row = jnp.where(is_suit, top << JACK | lane, top)
    size = jnp.where(is_suit, 4 + JACK, 4)
    full = (jnp.uint32(1) << size) - 1
    has_first = (row >> (size - 1)) & 1 == 1
    # With J♣, invert: then the zeros above the highest set bit are the matadors in both cases.
    row = jnp.where(has_first, row ^ full, row)
    return (jax.lax.clz(row) - (32 - size)).astype(jnp.int32)


def base_of(game: jax.Array) -> jax.Array:
    return lookup(BASES, jnp.minimum(game, GRAND)).astype(jnp.int32)


def declared(state: State) -> tuple[jax.Array, jax.Array]:
    """Return the value of the declarer's game as it was played, and whether it is won: int32, bool."""
    public = state.public
    game, level = public.game, public.level.astype(jnp.int32)
    declarer = jnp.minimum(public.declarer, SEATS - 1)
    cards = by_seat([hand.words[0] for hand in state.hands], declarer) | state.skat.words[0]
    points = by_seat([public.points_of(seat) for seat in range(SEATS)], declarer)
    points = points + state.aside.points(play.POINTS).astype(jnp.int32)
    has_trick, others = public.has_trick(declarer), public.with_trick & ~(1 << declarer) != 0
    schneider, schwarz = (points >= 90) | (points <= 30), ~has_trick | ~others
    # What is announced counts twice: once as if it were reached. Both levels below count with it.
    times = matadors(game, cards) + 1 + public.hand.astype(jnp.int32)
    times = times + jnp.where(level == 3, 5, 2 * level)
    # Schneider and Schwarz that were reached, but not announced.
    reached = (level < 1) & schneider, (level < 2) & schwarz
    times = sum((one.astype(jnp.int32) for one in reached), times)
    base, bid = base_of(game), bid_of(public).astype(jnp.int32)
    value = base * times
    won = jnp.where(level >= 2, ~others, points >= jnp.where(level == 1, 90, 61)) & (value >= bid)
    # An overbid game costs the smallest multiple of its base that reaches the bid.
    value = jnp.maximum(value, jax.lax.div(bid + base - 1, base) * base)
    is_null, kind = game == NULL, public.hand.astype(jnp.uint32)
    kind = kind + 2 * (public.level == play.OUVERT).astype(jnp.uint32)
    null_value = lookup(NULL_VALUES, kind).astype(jnp.int32)
    return jnp.where(is_null, null_value, value), jnp.where(is_null, ~has_trick, won)


def ramsch(state: State) -> list[jax.Array]:
    """Return the score of each seat after Ramsch: int32."""
    public, skat = state.public, state.skat.points(play.POINTS).astype(jnp.int32)
    # The winner of the last trick is to act.
    counts = [
        public.points_of(seat) + jnp.where(public.current_player == seat, skat, 0)
        for seat in range(SEATS)
    ]
    most = jnp.maximum(jnp.maximum(counts[0], counts[1]), counts[2])
    without = SEATS - jax.lax.population_count(public.with_trick)
    found = []
    for seat, points in enumerate(counts):
        lost = jnp.where(points == most, -points, 0)
        # One player without a trick (Jungfrau) doubles the loss; with two, the third has won them all.
        lost = jnp.where(without == 1, 2 * lost, lost)
        found.append(jnp.where(without == 2, jnp.where(public.has_trick(seat), 120, 0), lost))
    return found


def deal_points(game: SkatGame, state: State) -> jax.Array:
    """Return int32[3], the score of a finished deal (docs/skat.md, 6)."""
    rules, public = game.rules, state.public
    value, won = declared(state)
    if rules.kontra:
        # Kontra and Re double the value each.
        value = value << public.doubled.astype(jnp.int32)
    own = jnp.where(won, value, -2 * value)
    other = jnp.int32(0)
    if rules.seeger_fabian:
        own = own + jnp.where(won, 50, -50)
        other = jnp.where(won, 0, 40)
    played = public.game < play.RAMSCH
    found = [jnp.where(public.declarer == seat, own, other) for seat in range(SEATS)]
    found = [jnp.where(played, points, 0) for points in found]
    if rules.all_pass == "ramsch":
        is_ramsch = public.game == play.RAMSCH
        pairs = zip(ramsch(state), found, strict=True)
        found = [jnp.where(is_ramsch, alone, points) for alone, points in pairs]
    return vector(found)


def trick_points(public: Public) -> list[jax.Array]:
    """Return the card points that the side of each seat has in tricks: int32."""
    own = [public.points_of(seat) for seat in range(SEATS)]
    total, declared = own[0] + own[1] + own[2], public.declarer != play.NO_SEAT
    ours = total - by_seat(own, jnp.minimum(public.declarer, SEATS - 1))
    return [
        jnp.where(declared & (public.declarer != seat), ours, points) for seat, points in enumerate(own)
    ]
