"""The number of tricks that a Rikiki hand will win, from the chance of each card.

The chance of a card depends on a few things that players see: whether higher cards of its suit are out,
own cards of the suit, whether the suit will be ruffed, and the tricks that others want. Logistic
regression on the cards of rounds of self-play, each a win or a loss, found the first weights. An
evolution strategy then changed them together with all other numbers of the heuristic.
`experiments/heuristics/rikiki.py` continues from here.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import by_class, count_in
from jaxcards.agents.heuristics.rikiki.view import ABOVE, BELOW, LANE, SUIT, View
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.games.rikiki.play import DECK, Observation, unseen_cards
from jaxcards.games.rikiki.rules import RikikiRules

Row = tuple[str, float, float, float]

PARTS: tuple[Row, ...] = (
    # feature, and its weight for a trump, for another card, for a card in a round without trumps
    ("any card", 0.48, 0.05, -3.39),
    ("nobody has a higher card", 1.51, 0.91, 2.46),
    ("that, but somebody ruffs", 0.11, -3.67, 0.03),
    ("one higher card is out", -1.28, -1.42, 0.00),
    ("higher cards out", -1.14, -1.40, -1.18),
    ("own cards above", -0.45, -0.39, 0.08),
    ("own cards below", 0.51, -0.42, 0.18),
    ("somebody ruffs", -0.01, -0.17, -0.08),
    ("cards of the suit out", 0.14, 0.06, 0.31),
    ("tricks wanted by others", -2.18, -2.19, -1.52),
    ("own trumps", 0.64, 0.20, 0.06),
    ("fair share of tricks", 0.94, 3.45, 6.10),
    ("few cards left", -1.65, -4.31, -0.97),
    ("few cards left, none higher", 1.80, 1.73, -2.17),
    ("first lead", 1.36, 1.88, 1.88),
    ("first lead, few cards, none higher", -1.78, 0.97, 3.07),
)
"""The parts and their weights in logits; `parts` returns the features."""

WEIGHTS = tuple(row[1:] for row in PARTS)


def parts(view: View) -> list[jax.Array]:
    """Return the features of each card, in the order of `PARTS`: float32[52] each."""
    look = view.outlook
    # Below 1, so that the logarithm stays finite.
    live = [jnp.minimum(share, 0.999) for share in view.live]
    # absent: the logarithm of the chance that a card is not in another hand.
    absent = by_class([jnp.log2(1 - share) for share in live], look.suit)
    share = by_class(live, look.suit)
    above = look.rivals.astype(jnp.float32)
    # The chances that none of the higher cards is in another hand, and that exactly one is.
    top = jnp.exp2(above * absent)
    second = jnp.where(above > 0, above * share * jnp.exp2((above - 1) * absent), 0.0)
    ruffed = jnp.where(look.suit == look.trump, 0.0, by_class(view.ruffed, look.suit))
    few = 1 / jnp.maximum(view.left, 1).astype(jnp.float32)
    one = jnp.ones_like(top)
    return [
        one,
        top,
        top * ruffed,
        second,
        jnp.minimum(above * share, 4.0),
        count_in(ABOVE, look.hand).astype(jnp.float32),
        count_in(BELOW, look.hand).astype(jnp.float32),
        ruffed,
        by_class(view.out, look.suit),
        one * jnp.clip(view.pressure, -1.0, 1.0),
        one * view.trumps,
        one / (len(look.seats) + 1),
        one * few,
        top * few,
        one * view.leads * few,
        top * view.leads * few,
    ]


def unknown_card(rules: RikikiRules, seen: Observation) -> jax.Array:
    """Return the chance that each card is the player's own and beats all that it sees: float32[52]."""
    public, me, players = seen.public, seen.player.astype(jnp.uint32), rules.num_players
    assert seen.shown is not None
    unseen = unseen_cards(rules, seen).mask()
    leader = seat_after(public.dealer.astype(jnp.uint32), rules.lead_offset, players)
    suit, rank = jnp.asarray(SUIT), jnp.arange(DECK.num_cards, dtype=jnp.uint32) % LANE
    # A player on lead decides by its own card which suit is led.
    led = jnp.where(leader == me, suit, suit[by_seat(seen.shown, leader).mask().argmax()])
    trump, beats = suit == public.trump, unseen
    for places in range(1, players):
        # The only card of the other player, on its forehead.
        other = by_seat(seen.shown, seat_after(me, places, players)).mask().argmax()
        higher = (suit == suit[other]) & (rank > rank[other])
        # Of two suits trumps win, and without any the suit led.
        wins = jnp.where(trump == trump[other], (suit == led) & (suit[other] != led), trump)
        beats = beats & (higher | ((suit != suit[other]) & wins))
    return beats / jnp.maximum(unseen.sum(), 1).astype(jnp.float32)


def winning_chances(weights: Sequence[Sequence[Any]], view: View) -> jax.Array:
    """Return the chance of each card to win a trick if it is kept: float32[52]; 0 outside the hand.

    Args:
      weights: for each of `PARTS`, those of trumps, other cards, and cards in a round without trumps.
      view: the round.
    """
    look = view.outlook
    logit: Any = 0.0
    trumps = look.trump < len(view.live)
    for part, (trump, plain, without) in zip(parts(view), weights, strict=True):
        beside = jnp.where(trumps, plain, without)
        logit = logit + part * jnp.where(look.suit == look.trump, trump, beside)
    return jnp.where(look.hand.mask(), jax.nn.sigmoid(logit), 0.0)
