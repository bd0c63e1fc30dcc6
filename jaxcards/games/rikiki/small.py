"""Rikiki with a few cards, small enough for exact best responses.

    game = small_rikiki(players=2, suits=2, ranks=4, tricks=3)
    deals = every_deal(game)  # of jaxcards.evaluation.small_games
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.errors import UserError
from jaxcards.games.rikiki.game import Rikiki
from jaxcards.games.rikiki.play import DECK
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.xla import prng


@dataclasses.dataclass(frozen=True)
class SmallRikiki(Rikiki):
    """Rikiki with a few cards, for one round.

    Attributes:
      cards: the cards of the pack.
      duel: two players play for the points ahead of the other (zero-sum).
    """

    cards: tuple[int, ...] = ()
    duel: bool = False

    def __post_init__(self) -> None:
        dealt = sum(self.packets)
        if dealt > len(self.cards):
            raise UserError(f"hands and the card turned up need {dealt} cards, not {len(self.cards)}")
        if self.duel and self.num_players != 2:
            raise UserError(f"duel is for two players, not {self.num_players}")

    @property
    def packets(self) -> tuple[int, ...]:
        """The sizes of the hands, and the card turned up."""
        return (self.hand_size,) * self.num_players + (1,)

    @property
    def teams(self) -> tuple[int, ...] | None:
        return (0, 1) if self.duel else None

    def init(self, key: jax.Array, round: Any = None) -> Any:
        order, seat = jax.random.split(prng.wrap(prng.key_words(key)))
        others = [card for card in range(DECK.num_cards) if card not in self.cards]
        dealt = jax.random.permutation(order, jnp.array(self.cards))
        # Cards that the small pack lacks lie behind it, and are never dealt.
        deck = jnp.concatenate([dealt, jnp.array(others)])
        return self.init_from_deck(deck, jax.random.randint(seat, (), 0, self.num_players))


def small_rikiki(players: int, suits: int, ranks: int, tricks: int, **rules: Any) -> SmallRikiki:
    """Return Rikiki with few cards, one of them turned up; two players play for the difference.

    The scores are those of OpenSpiel's `oh_hell`.

    Args:
      players: two to seven.
      suits, ranks: numbers of suits and of cards of each suit, the lowest ones.
      tricks: cards of each hand.
      rules: other options of `RikikiRules`.

    Raises:
      UserError: if there are too few cards, or rules are invalid.
    """
    chosen = RikikiRules(num_players=players, schedule=(tricks,), **({"miss_trick": 1} | rules))
    cards = tuple(13 * suit + rank for suit in range(suits) for rank in range(ranks))
    return SmallRikiki(chosen, cards=cards, duel=players == 2)
