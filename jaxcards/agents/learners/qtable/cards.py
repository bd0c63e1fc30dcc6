"""The description of card play for a table, in any game: leading to a trick, and following.

Features are in the words of players: who wins so far, who is still to play, whether trumps are out. An
action stands for one card at most: the cheapest that wins, the highest trump, an unbeatable plain card.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import Outlook
from jaxcards.agents.learners.qtable.decision import Found, Options, bucket
from jaxcards.agents.learners.qtable.layout import Feature, Situation

COUNT = ("none", "one", "two", "three or more")
YES = ("no", "yes")

LEADS = (
    "lead the highest trump",
    "lead the lowest trump",
    "lead a plain card that nobody beats in its suit",
    "lead another plain card, the highest",
    "lead a plain card, the lowest",
    "lead a lone plain card that others beat",
)
FOLLOWS = (
    "win in the suit led, as cheaply as possible",
    "win in the suit led with the highest card",
    "ruff with the lowest trump that wins",
    "throw the least, without winning",
    "throw the most, without winning",
)

_NEVER = -10_000


def situations(
    own: Sequence[Feature], left: Sequence[int], alone: bool = False, points: Sequence[int] = ()
) -> tuple[Situation, Situation]:
    """Return the situations "leading" and "following".

    Args:
      own: additional features of a game, such as the role of the player.
      left: limits of the classes of cards in hand.
      alone: every player plays alone, so the player has no partner to throw points to.
      points: limits of the classes of points on the table; empty if tricks are counted.
    """
    # Features come in the same order as their values in `found`.
    shared = (*own, Feature("cards in hand", _classes(left)))
    leading = Situation(
        "leading",
        (
            *shared,
            Feature("own trumps", COUNT),
            Feature("the highest trump", YES),
            Feature("trumps of others", ("none", "one or two", "three or more")),
            Feature("plain cards that nobody beats in their suit", COUNT[:2] + ("two or more",)),
        ),
        LEADS,
    )
    standing = Feature("own side wins so far", ("no", "yes, but a card out beats it", "yes, for good"))
    kind = Feature("", (
        "trumps led", "plain suit led and held", "plain suit led, may ruff", "can only throw away",
    ))  # fmt: skip
    following = Situation(
        "following",
        (
            *shared,
            Feature("players behind", ("none", "one", "more")),
            kind,
            Feature("could win", ("no", "yes, unless beaten later", "yes, for good")),
            *(() if alone else (standing,)),
            *((Feature("points on the table", _classes(points)),) if points else ()),
        ),
        FOLLOWS,
    )
    return leading, following


def _classes(limits: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the classes between limits: `bucket` has their numbers."""
    pairs = zip(limits, limits[1:], strict=False)
    inner = [str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairs]
    return (f"fewer than {limits[0]}", *inner, f"{limits[-1]} or more")


def found(
    here: jax.Array,
    look: Outlook,
    own: Sequence[Any],
    left: Sequence[int],
    value: Any = 0,
    on_table: Any = None,
    points: Sequence[int] = (),
    named: Callable[[jax.Array], jax.Array] = lambda card: card,
) -> list[Found]:
    """Return the situations of `situations`.

    Args:
      here: bool, whether a card is to be played.
      look: the trick.
      own: values of the game's additional features.
      left, points: as for `situations`.
      value: float32[num_cards], points of each card; 0 if tricks are counted.
      on_table: float32, points on the table.
      named: from a card of the outlook, int32[...], to the action that plays it.
    """
    hand, legal = look.hand.mask(), look.legal.mask()
    trump = look.suit == look.trump
    # Cards that no unseen card beats in their suit.
    best = look.rivals == 0
    worth = keys(look, value)
    shared = [*own, bucket(look.hand.count(), left)]
    lone = own_number(look) == 1
    # Leading: how many trumps and unbeaten cards the hand has, and a card for each option.
    leading = Found(
        here & look.leading,
        [
            *shared,
            _count(hand & trump),
            # An own trump that no unseen one beats is the highest.
            (hand & trump & best).any(),
            bucket(_count(look.unseen.mask() & trump), (1, 3)),
            _count(hand & ~trump & best),
        ],
        pick(
            worth,
            # The options in the order of `LEADS`.
            [
                (legal & trump, 1),
                (legal & trump, -1),
                (legal & ~trump & best, 1),
                (legal & ~trump & ~best, 1),
                (legal & ~trump, -1),
                (legal & ~trump & ~best & lone, -1),
            ],
            named,
        ),
    )
    # Following: how many players are still to come.
    behind = sum((jnp.asarray(seat.plays).astype(jnp.int32) for seat in look.seats), jnp.int32(0))
    wins, led = legal & look.wins, look.suit == look.led
    # The kind of trick: 0 trumps led, 1 suit held, 2 may ruff, 3 discard only.
    kind = jnp.where((legal & trump).any(), 2, 3)
    kind = jnp.where((legal & led).any(), 1, kind)
    kind = jnp.where(look.led == look.trump, 0, kind)
    # A card wins for good if it is unbeaten in its suit, or the player is last.
    for_good = wins & (best | (behind == 0))
    ally = look.winner_ally > 0.5
    # The winning card stands if no unseen card beats it, or the player is the last.
    safe = ~(look.best_above & look.unseen).any() | (behind == 0)
    standing = jnp.where(ally, jnp.where(safe, 2, 1), 0)
    following = Found(
        here & ~look.leading,
        [
            *shared,
            behind,
            kind,
            jnp.where(for_good.any(), 2, wins.any()),
            *([] if look.alone else [standing]),
            *([bucket(on_table, points)] if points else []),
        ],
        pick(
            worth,
            # The options in the order of `FOLLOWS`.
            [
                (wins & led, -1),
                (wins & led, 1),
                (wins & trump & ~led, -1),
                (legal & ~look.wins, -1),
                (legal & ~look.wins, 1),
            ],
            named,
        ),
    )
    return [leading, following]


def keys(look: Outlook, value: Any = 0) -> jax.Array:
    """Return the value of each card to its player, for comparisons: int32[num_cards].

    Cards are compared by points, then by rank; a trump counts as eight points more.

    Args:
      look: the trick.
      value: float32[num_cards], points of each card.
    """
    # The fewer cards stand above it, the higher the rank.
    above = sum(jax.lax.population_count(jnp.asarray(word)).astype(jnp.int32) for word in look.above)
    # Points count double, so this is eight points.
    trump = jnp.where(look.suit == look.trump, 16, 0)
    return 2 * jnp.asarray(value).astype(jnp.int32) + trump - above


def own_number(look: Outlook) -> jax.Array:
    """Return the number of own cards in the class of each card: int32[num_cards]."""
    hand, number = look.hand.mask(), jnp.int32(0)
    # `void` has an entry for each class of cards, and so tells the number of classes.
    for suit in range(len(look.seats[0].void)):
        own = look.suit == suit
        number = jnp.where(own, _count(hand & own), number)
    return number


def pick(
    worth: jax.Array,
    choices: Sequence[tuple[jax.Array, int]],
    named: Callable[[jax.Array], jax.Array] = lambda card: card,
) -> Options:
    """Return options that each stand for a card.

    Args:
      worth: int32[num_cards], by which cards are compared; the lowest number wins a tie.
      choices: for each option bool[num_cards], the cards to choose from, and 1 for the greatest worth
        or -1 for the least.
      named: from a card, int32[...], to the action that plays it.
    """
    among = jnp.stack([cards for cards, _ in choices])
    scores = jnp.stack([jnp.where(cards, sign * worth, _NEVER) for cards, sign in choices])
    return Options(among.any(-1), named(scores.argmax(-1).astype(jnp.int32)))


def _count(cards: jax.Array) -> jax.Array:
    return cards.sum(dtype=jnp.int32)
