"""The score of a deal of Bridge (docs/bridge.md, 5, 6 and 7.1)."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.sets import CardSet
from jaxcards.games.bridge.play import DECK, DONE, PLAY, Public, State
from jaxcards.games.bridge.rules import BridgeRules
from jaxcards.xla.lookup import lookup

_FACTORS = (1, 2, 4)  # plain, doubled, redoubled
_SLAMS = (0, 0, 0, 0, 0, 0, 500, 1000)  # by level, if not vulnerable
# By strain: the five highest trumps, or the four aces without trumps.
_HONOURS = (*(range(13 * suit + 8, 13 * suit + 13) for suit in range(4)), range(12, 52, 13))


def trick_score(level: jax.Array, strain: jax.Array, doubled: jax.Array) -> tuple[jax.Array, ...]:
    """Return the worth of a trick, the factor of doubles, and the score of the tricks bid: int32."""
    worth, level = jnp.where(strain < 2, 20, 30), level.astype(jnp.int32)
    factor = lookup(_FACTORS, doubled).astype(jnp.int32)
    return worth, factor, (worth * level + jnp.where(strain == 4, 10, 0)) * factor


def made_score(level: jax.Array, strain: jax.Array, doubled: jax.Array, vulnerable: jax.Array,
               overtricks: jax.Array, rubber: bool = False) -> jax.Array:  # fmt: skip
    """Return the score of a contract made: int32.

    Args:
      level: uint32, 1 to 7.
      strain: uint32, 0 to 4.
      doubled: uint32, 0 to 2.
      vulnerable: bool.
      overtricks: int32, 0 or more.
      rubber: leave out the bonus of a part score or a game.
    """
    worth, factor, tricks = trick_score(level, strain, doubled)
    bonus = 0 if rubber else jnp.where(tricks >= 100, jnp.where(vulnerable, 500, 300), 50)
    slam = lookup(_SLAMS, level).astype(jnp.int32)
    slam = jnp.where(vulnerable, slam + jax.lax.div(slam, jnp.int32(2)), slam)
    # A doubled overtrick scores 100, vulnerable 200; redoubled twice as much.
    each = jnp.where(doubled == 0, worth, jnp.where(vulnerable, 100, 50) * factor)
    insult = jax.lax.div(factor, jnp.int32(2)) * 50
    return tricks + bonus + slam + insult + each * overtricks


def down_score(doubled: jax.Array, vulnerable: jax.Array, short: jax.Array) -> jax.Array:
    """Return the score of the opponents of a contract that failed: int32.

    Args:
      doubled: uint32, 0 to 2.
      vulnerable: bool.
      short: int32, missing tricks, 1 or more.
    """
    plain = jnp.where(vulnerable, 100, 50) * short
    # 100, 200, 200, then 300 each; vulnerable 200, then 300 each.
    few = jnp.where(vulnerable, 300 * short - 100, 200 * short - 100)
    many = jnp.where(vulnerable, 0, 100 * jnp.maximum(short - 3, 0))
    return jnp.where(doubled == 0, plain, (few + many) << jnp.maximum(doubled.astype(jnp.int32) - 1, 0))


def below_the_line(public: Public) -> tuple[tuple[jax.Array, jax.Array], jax.Array, jax.Array]:
    """Return the standing of a rubber after a deal; before the end of the deal as before it.

    Returns:
      The part score of each side in tens; bits of the sides with a game; and the bit of the side that
      has just won its second game, 0 without one: all uint32.
    """
    declares = public.declarer & 1
    _, _, points = trick_score(public.level, public.strain, public.doubled)
    made = public.won_by(declares) >= 6 + public.level.astype(jnp.int32)
    made = made & (public.phase == DONE) & (public.num_bids > 0)
    tens = jnp.where(made, jax.lax.div(points, jnp.int32(10)), 0).astype(jnp.uint32)
    first, second = (
        before + jnp.where(declares == side, tens, 0) for side, before in enumerate(public.part_scores)
    )
    # A game wipes both part scores.
    games = (first >= 10).astype(jnp.uint32) | (second >= 10).astype(jnp.uint32) << 1
    left = jnp.where(games == 0, first, 0), jnp.where(games == 0, second, 0)
    return left, public.vulnerability | games, public.vulnerability & games


def honours(strain: jax.Array, hands: Sequence[CardSet]) -> list[jax.Array]:
    """Return the score of the honours of each hand as dealt: int32."""
    wanted = CardSet.of(DECK, _HONOURS[-1])
    for suit in range(4):
        wanted = sets.select(strain == suit, CardSet.of(DECK, _HONOURS[suit]), wanted)
    held, four = [(hand & wanted).count() for hand in hands], jnp.where(strain == 4, 150, 100)
    return [jnp.where(number == 4, four, jnp.where(number == 5, 150, 0)) for number in held]


def tiny_score(level: jax.Array, strain: jax.Array, doubled: jax.Array, over: jax.Array) -> jax.Array:
    """Return the score of the declarer's side in the tiny game: int32; less than 0 if it is down."""
    bonus = jnp.where(level == 2, jnp.where(strain == 4, 15, 10), 0)
    made = 10 * (level.astype(jnp.int32) + over) + bonus
    return jnp.where(over < 0, 20 * over, made) * lookup(_FACTORS, doubled).astype(jnp.int32)


def side_points(rules: BridgeRules, state: State) -> tuple[jax.Array, jax.Array]:
    """Return the scores of both sides of a finished deal: int32; one of them is 0 without honours."""
    public, rubber = state.public, rules.vulnerability == "rubber"
    declares = public.declarer & 1
    vulnerable = (public.vulnerability >> declares) & 1 == 1
    over = public.won_by(declares) - rules.book - public.level.astype(jnp.int32)
    contract = public.level, public.strain, public.doubled, vulnerable
    if rules.tiny:
        made = tiny_score(*contract[:3], over)
        down = -made
    else:
        made = made_score(*contract, jnp.maximum(over, 0), rubber)
        down = down_score(public.doubled, vulnerable, jnp.maximum(-over, 1))
    played = (public.phase >= PLAY) & (public.num_bids > 0)
    own = jnp.where(played & (over >= 0), made, 0)
    other = jnp.where(played & (over < 0), down, 0)
    first, second = jnp.where(declares == 0, own, other), jnp.where(declares == 0, other, own)
    if not rubber:
        return first, second
    _, games, ended = below_the_line(public)
    bonus = [jnp.where((ended >> side) & 1 == 1, jnp.where(games == 3, 500, 700), 0) for side in (0, 1)]
    scored = played & (public.phase == DONE)
    held = [jnp.where(scored, number, 0) for number in honours(public.strain, state.hands)]
    return first + bonus[0] + held[0] + held[2], second + bonus[1] + held[1] + held[3]
