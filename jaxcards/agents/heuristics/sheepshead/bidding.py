"""Picking, going alone and cracking at Sheepshead: the worth of a hand.

A hand is described by a few features that players count: its trumps by their place, points at risk,
aces, short suits. Linear regression on the chips of pickers in self-play found the worth of each.
Playing decisions both ways found the thresholds above which they pay.
`experiments/heuristics/sheepshead.py` repeats both.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.sheepshead.view import trump_places
from jaxcards.cards.seats import places_after
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.play import (
    CRACK,
    DECK,
    LONER,
    PICK,
    Observation,
    Public,
    fail_set,
    fails_of,
    rank_set,
    trump_set,
)
from jaxcards.games.sheepshead.rules import SheepsheadRules


class Part(NamedTuple):
    """A feature of a hand.

    Attributes:
      name: as players say it.
      worth: in hundredths of a chip.
    """

    name: str
    worth: float


PARTS = (
    Part("highest trump", 171),
    Part("second trump", 146),
    Part("third or fourth trump", 115),
    Part("fifth or sixth trump", 80),
    Part("seventh or eighth trump", 53),
    Part("lower trump", 48),
    Part("ace or ten of trumps", 33),
    Part("trump beyond the fourth", 30),
    Part("fail ace", 29),
    Part("fail ten", 21),
    Part("fail suit", -12),
    Part("first lead", -16),
)
_PLACES = (1, 2, 4, 6, 8, 14)  # boundaries between the classes of trumps above
_LONG = 4  # trumps


class Key(NamedTuple):
    """The conditions of a threshold: players, whether a partner helps, whether losses count double."""

    players: int
    partner: bool
    bump: bool


class Thresholds(NamedTuple):
    """Thresholds: the worth of a hand above which a decision pays, in hundredths of a chip.

    Attributes:
      pick: by the number of players who may still pick behind this one.
      alone: of the hand with the blind, to go alone when a partner is possible.
      crack: of a defender's hand; recrack: of the picker's after the bury.
    """

    pick: tuple[Any, ...]
    alone: Any
    crack: Any
    recrack: Any


_NEVER = 9999
THRESHOLDS: dict[Key, Thresholds] = {
    Key(3, False, False): Thresholds((482, 503, 476), _NEVER, 535, 607),
    Key(3, False, True): Thresholds((555, 585, 565), _NEVER, 449, 669),
    Key(4, False, False): Thresholds((266, 311, 327, 303), _NEVER, 462, 481),
    Key(4, False, True): Thresholds((332, 368, 396, 371), _NEVER, 415, 533),
    Key(4, True, False): Thresholds((90, 70, 60, 60), 589, 666, 301),
    Key(4, True, True): Thresholds((110, 105, 80, 80), 619, 646, 301),
    Key(5, False, False): Thresholds((379, 429, 434, 453, 402), _NEVER, 541, 487),
    Key(5, False, True): Thresholds((429, 475, 492, 507, 454), _NEVER, 508, 531),
    Key(5, True, False): Thresholds((227, 258, 257, 267, 236), 579, 535, 256),
    Key(5, True, True): Thresholds((308, 332, 325, 339, 311), 602, 368, 352),
    Key(6, False, False): Thresholds((340, 389, 407, 428, 430, 377), _NEVER, 382, 464),
    Key(6, False, True): Thresholds((374, 447, 452, 474, 514, 419), _NEVER, 240, 495),
    Key(6, True, False): Thresholds((286, 321, 330, 343, 341, 309), 528, 245, 336),
    Key(6, True, True): Thresholds((340, 380, 392, 429, 405, 357), 557, 200, 393),
}

# Players, partner, losses count double -> reduction of the threshold for picking above. With it, fewer
# deals are passed out, and patient opponents gain nothing; see experiments/heuristics. With
# cracking, use half of the reduction.
_BOLDER = {
    (5, "called_ace", True): 50,
    (5, "called_ace", False): 25,
    (6, "jack_of_diamonds", True): 60,
}


def limits_of(rules: SheepsheadRules) -> Thresholds:
    """Return the threshold of a decision under these rules."""
    limits = THRESHOLDS[key_of(rules)]
    lower = _BOLDER.get((rules.num_players, rules.partner, rules.double_on_bump), 0)
    lower = lower // 2 if rules.crack else lower
    return limits._replace(pick=tuple(limit - lower for limit in limits.pick))


def key_of(rules: SheepsheadRules) -> Key:
    """Return the thresholds of a game."""
    return Key(rules.num_players, rules.partner != "none", rules.double_on_bump)


def parts(rules: SheepsheadRules, hand: jax.Array, leads: jax.Array) -> list[jax.Array]:
    """Return the features of a hand: float32 scalars, named in `PARTS`.

    Args:
      rules: of the game.
      hand: uint32, the cards.
      leads: bool, the player leads first.
    """
    order = trump_places(rules)
    found, begin = [], 0
    for end in _PLACES:
        # A class of trumps goes from one boundary to the next, the highest first.
        found.append(_count(hand, sum(1 << card for card in order[begin:end])))
        begin = end
    fails, trumps = fail_set(rules.trump_suit), trump_set(rules.trump_suit)
    number = _count(hand, trumps)
    suits = [hand & fails_of(rules.trump_suit, jnp.uint32(suit)) for suit in range(len(DECK.suits))]
    return [
        *found,
        _count(hand, trumps & rank_set("AT")),
        jnp.maximum(number - _LONG, 0),
        _count(hand, fails & rank_set("A")),
        _count(hand, fails & rank_set("T")),
        sum(((suit != 0).astype(jnp.float32) for suit in suits), jnp.float32(0)),
        leads.astype(jnp.float32),
    ]


def _count(hand: jax.Array, cards: int) -> jax.Array:
    return jax.lax.population_count(hand & jnp.uint32(cards)).astype(jnp.float32)


def worth(rules: SheepsheadRules, worths: Any, seen: Observation) -> jax.Array:
    """Return the value of the player's hand, in hundredths of a chip: float32.

    Args:
      rules: of the game.
      worths: of the parts of a hand, as in `PARTS`.
      seen: the player's observation.
    """
    # The seat left of the dealer has all others behind it, and leads.
    leads = _behind(rules, seen.public, seen.player) == rules.num_players - 1
    described = parts(rules, seen.hand.words[0], leads)
    return sum((w * part for w, part in zip(worths, described, strict=True)), jnp.float32(0))


def _behind(rules: SheepsheadRules, public: Public, seat: jax.Array) -> jax.Array:
    """Return the number of players who are asked to pick after a seat: uint32."""
    return places_after(seat, public.dealer, rules.num_players)


def choose_call(
    rules: SheepsheadRules, worths: Any, limits: Thresholds, seen: Observation, others: jax.Array
) -> jax.Array:
    """Return the action if the decision is not about a card: int32, from 32 on.

    Args:
      rules: of the game.
      worths: of the parts of a hand, as in `PARTS`.
      limits: the thresholds.
      seen: the player's observation.
      others: uint32, the legal actions from 32 on, bit 0 for 32.
    """
    public = seen.public
    value = worth(rules, worths, seen)
    behind = _behind(rules, public, seen.player)
    # Choose the entry for this number of players by selections, without a gather.
    pick = limits.pick[-1]
    for place in range(rules.num_players - 2, -1, -1):
        pick = jnp.where(behind == place, limits.pick[place], pick)
    phase = public.phase
    limit = jnp.where(phase == LONER, limits.alone, limits.recrack)
    limit = jnp.where(phase == CRACK, limits.crack, limit)
    limit = jnp.where(phase == PICK, pick, limit)
    # bold: the answer of a strong hand; shy: that of a weak one.
    bold = jnp.where(phase == LONER, ALONE_ACTION, RECRACK_ACTION)
    bold = jnp.where(phase == CRACK, CRACK_ACTION, bold)
    bold = jnp.where(phase == PICK, PICK_ACTION, bold)
    shy = jnp.where(phase == LONER, PARTNER_ACTION, PASS_ACTION)
    wanted = jnp.where(value >= limit, bold, shy)
    # If the wanted answer is not legal, give the other one.
    other = jnp.where(value >= limit, shy, bold)
    return jnp.where((others >> (wanted - PASS_ACTION).astype(jnp.uint32)) & 1 == 1, wanted, other)
