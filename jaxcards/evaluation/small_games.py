"""Games that are small enough for exact best responses: Rikiki with few cards, and endings of any game.

    from jaxcards.evaluation.small_games import endings, small_rikiki
    game = small_rikiki(players=2, suits=2, ranks=4, tricks=3)
    deals = game.deals()
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.errors import UserError
from jaxcards.evaluation.best_response import short_decks
from jaxcards.evaluation.game_tree import in_batches
from jaxcards.game import Game
from jaxcards.games.rikiki.game import Rikiki
from jaxcards.games.rikiki.play import DECK
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.past import past_actions
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
        dealt = self.num_players * self.hand_size
        if dealt >= len(self.cards):
            raise UserError(f"{dealt} cards and one turned up need more cards than {len(self.cards)}")
        if self.duel and self.num_players != 2:
            raise UserError(f"duel is for two players, not {self.num_players}")

    @property
    def teams(self) -> tuple[int, ...] | None:
        return (0, 1) if self.duel else None

    def init(self, key: jax.Array, round: Any = None) -> Any:
        order, seat = jax.random.split(prng.wrap(prng.key_words(key)))
        others = [card for card in range(DECK.num_cards) if card not in self.cards]
        dealt = jax.random.permutation(order, jnp.array(self.cards))
        deck = jnp.concatenate([dealt, jnp.array(others)])
        return self.init_from_deck(deck, jax.random.randint(seat, (), 0, self.num_players))

    def deals(self) -> Any:
        """Return every deal by every dealer, all equally likely; leaves [deals, ...]."""
        sizes = (self.hand_size,) * self.num_players + (1,)
        decks = np.repeat(short_decks(self.cards, sizes, DECK.num_cards), self.num_players, 0)
        dealers = np.tile(np.arange(self.num_players), len(decks) // self.num_players)
        begin = xla.jit(jax.vmap(self.init_from_deck), split=True)
        return in_batches(begin, (decks, dealers), 4096)


def small_rikiki(players: int, suits: int, ranks: int, tricks: int, **rules: Any) -> SmallRikiki:
    """Return Rikiki with few cards, one of them turned up; two players play for the difference.

    The scores are those of OpenSpiel's `oh_hell`.

    Args:
      players: two to seven.
      suits, ranks: numbers of suits and of cards of each suit, the lowest ones.
      tricks: cards of each hand.
      rules: other options of `RikikiRules`.
    """
    chosen = RikikiRules(num_players=players, schedule=(tricks,), **({"miss_trick": 1} | rules))
    cards = tuple(13 * suit + rank for suit in range(suits) for rank in range(ranks))
    return SmallRikiki(chosen, cards=cards, duel=players == 2)


def endings(game: Game, state: Any) -> Any:
    """Return every state with the same past, as everybody knows it, and other cards in the hands.

    Cards that lie aside stay where they are. All states count as equally likely: the past actions say
    only which cards a seat cannot have.

    Args:
      game: a game with `opening` and `action_taken`.
      state: a deal in the play of the cards.

    Returns:
      States; leaves [states, ...].
    """
    opening, past = jax.device_get((game.opening(state), past_actions(game, state)))
    held = [hand.to_list() for hand in game.card_places(state).hands]
    # places: of the cards in the hands, hand by hand, in the opening deck.
    order = np.argsort(opening.deck)
    places = np.concatenate([order[hand] for hand in held])
    cards = [card for hand in held for card in hand]
    packets = short_decks(cards, [len(hand) for hand in held], game.deck.num_cards)
    decks = np.tile(opening.deck, (len(packets), 1))
    decks[:, places] = packets[:, : len(cards)]

    def replay(deck: jax.Array) -> tuple[Any, jax.Array]:
        def step(carry: tuple[Any, jax.Array], action: jax.Array) -> tuple[Any, None]:
            now, fits = carry
            fits = fits & game.legal_action_mask(now)[action]
            return (game.step(now, action), fits), None

        begun = game.init_from_deck(deck, opening.dealer, **opening.facts), jnp.ones((), bool)
        (now, fits), _ = jax.lax.scan(step, begun, jnp.asarray(past.action[: past.number]))
        pairs = zip(jax.tree.leaves(now.public), jax.tree.leaves(state.public), strict=True)
        for one, other in pairs:
            fits = fits & (one == other).all()
        return now, fits

    states, fits = in_batches(xla.jit(jax.vmap(replay), split=True), (decks,), 4096)
    return jax.tree.map(lambda leaf: leaf[fits], states)
