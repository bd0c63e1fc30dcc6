"""The check that deals are uniformly random."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.game import Game
from jaxcards.testing.deals import check, dealers_of, quick_jit, require
from jaxcards.testing.tracing import More

_LIMIT = 6.0  # standard deviations: exceeded by chance once in 10**9


@check
def check_deals_are_uniform(
    game: Game, *, num_deals: int = 4000, seed: int = 0, more: More | None = None
) -> None:
    """Check that every card, and every pair of cards, is equally likely in every place.

    Every seat must also begin equally often. The check compares `init` of many keys with the exact
    probabilities of a uniformly random deal, and `init_from_deck` of shuffled decks likewise. Both then
    have the same distribution.

    Args:
      game: the game.
      num_deals: number of deals each.
      seed: of keys and shuffles.
      more: draws the other arguments of `init_from_deck`.
    """

    pack = np.setdiff1d(np.arange(game.deck.num_cards), game.left_out)

    def look(state: Any) -> tuple[jax.Array, jax.Array]:
        places = game.card_places(state)
        sets = [cards.mask()[pack] for cards in (*places.hands, places.aside)]
        return jnp.stack(sets), state.current_player

    keys = jax.random.split(jax.random.key(seed), num_deals)
    fresh = quick_jit(jax.vmap(lambda key: look(game.init(key))))(keys)
    _check_uniform(game, "init", *(np.asarray(x) for x in fresh))

    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(game.deck.num_cards), (num_deals, 1)), axis=1)
    dealers = rng.choice(dealers_of(game), size=num_deals)
    drawn = [dict(more(rng)) if more else {} for _ in range(num_deals)]
    extra = {name: np.array([one[name] for one in drawn]) for name in drawn[0]}
    given = quick_jit(
        jax.vmap(lambda deck, dealer, extra: look(game.init_from_deck(deck, dealer, **extra)))
    )(decks, dealers, extra)
    _check_uniform(game, "init_from_deck", *(np.asarray(x) for x in given))


def _check_uniform(game: Game, name: str, places: np.ndarray, player: np.ndarray) -> None:
    """Compare bool[deals, places, cards] and int[deals] with uniform deals of the pack."""
    number, cards = len(places), game.deck.num_cards - len(game.left_out)
    sizes = places.sum(axis=2)
    require((sizes == sizes[0]).all() or len(np.unique(player)) > 1, f"{name}: sizes of hands vary")
    # Hands may be larger for some seats relative to the dealer: take the expectation deal by deal.
    share = sizes / cards
    expected, variance = share.sum(axis=0), (share * (1 - share)).sum(axis=0)
    counts = places.sum(axis=0)
    usable = variance > 0
    # z: for each place and card, how far its count is off, in standard deviations.
    z = (counts - expected[:, None])[usable] / np.sqrt(variance[usable])[:, None]
    _require_small(z, f"{name}: cards are not equally likely in every hand")
    # Each square has mean 1 and, for normal variables, variance 2. The fixed sum over the cards of a
    # place lowers both a little.
    chi = (z**2).sum() * (1 - 1 / cards)
    excess = (chi - z.size * (1 - 1 / cards)) / np.sqrt(2 * z.size)
    _require_small(excess, f"{name}: chi-square of cards and hands")
    # together: float[cards, cards], the deals in which two cards are in the same place.
    together = np.einsum("npc,npd->cd", places.astype(np.float32), places.astype(np.float32))
    # The probability that two given cards are together, for the sizes of each deal.
    both = (sizes * (sizes - 1)).sum(axis=1) / (cards * (cards - 1))
    pairs = together[~np.eye(cards, dtype=bool)]
    spread = np.sqrt((both * (1 - both)).sum())
    z = (pairs - both.sum()) / spread
    _require_small(z, f"{name}: two cards come together too often or too seldom")
    seats = np.bincount(player, minlength=game.num_players) / number
    even = 1 / game.num_players
    z = (seats - even) * np.sqrt(number / (even * (1 - even))) if game.num_players > 1 else seats * 0
    _require_small(z, f"{name}: some seats begin more often than others")


def _require_small(z: Any, message: str) -> None:
    worst = float(np.abs(z).max())
    require(worst < _LIMIT, f"{message} (off by {worst:.1f} standard deviations)")
