"""The check that interchangeable suits are equivalent."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.game import Game
from jaxcards.testing.deals import check, dealers_of, quick_jit, require, require_all, to_numpy
from jaxcards.testing.tracing import More


@check
def check_suit_symmetry(
    game: Game, *, num_deals: int = 96, seed: int = 0, more: More | None = None
) -> None:
    """Check that a deal with exchanged suits is the same deal, under the names that `features` uses.

    A deal and the same deal with other suits, as in `Game.suit_symmetry`, are played by the same random
    choices. At every decision, both must give a network the same input after renaming suits. If calls
    are symmetric, too, the returns must be equal.

    Args:
      game: the game.
      num_deals: number of pairs of deals.
      seed: of decks and choices.
      more: draws the other arguments of `init_from_deck`.
    """
    symmetry, deck, names = game.suit_symmetry, game.deck, list(game.action_names())
    orders = symmetry.permutations
    require(orders[0] == tuple(range(len(deck.suits))), "the first permutation changes suits")
    require(len(set(orders)) == len(orders), "a permutation of suits is there twice")
    if len(orders) == 1:
        return
    cards = np.array([symmetry.cards(deck, order) for order in orders])
    actions = np.array([symmetry.actions(deck, names, order) for order in orders])
    places = np.array([symmetry.features(deck, game.feature_table, order) for order in orders])
    for kind, after in (("card", cards), ("action", actions), ("feature", places)):
        require_all(np.sort(after) == np.arange(after.shape[1]), f"two {kind}s become the same")
    of_calls = np.array([symmetry.holds_for_calls(order) for order in orders])

    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(deck.num_cards), (num_deals, 1)), axis=1)
    dealers = rng.choice(dealers_of(game), size=num_deals)
    # Each deal takes the next permutation; number 0 changes nothing.
    chosen = 1 + np.arange(num_deals) % (len(orders) - 1)
    drawn = [dict(more(rng)) if more else {} for _ in range(num_deals)]
    extra = {name: np.array([one[name] for one in drawn]) for name in drawn[0]}

    def look(state: Any) -> Any:
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        every = jnp.arange(game.num_actions, dtype=jnp.int32)
        named = jax.vmap(lambda action: game.relabel_action(seen, action))(every)
        mask = game.relabel_legal(seen, legal).mask()
        return game.features(seen) > 0, mask, named, state.terminated

    def names_at_first(deck: Any, dealer: Any, extra: Any) -> Any:
        return look(game.init_from_deck(deck, dealer, **extra))[2]

    def play(deck: Any, other: Any, dealer: Any, extra: Any, moved: Any, key: Any) -> Any:
        def step(both: Any, key: jax.Array) -> tuple[Any, Any]:
            one, two = both
            mask = game.legal_action_mask(one)
            logits = jnp.where(mask, jnp.float32(0), -jnp.inf)
            action = jax.random.categorical(key, logits).astype(jnp.int32)
            return (game.step(one, action), game.step(two, moved[action])), (look(one), look(two))

        first = game.init_from_deck(deck, dealer, **extra)
        second = game.init_from_deck(other, dealer, **extra)
        keys = jax.random.split(key, game.max_steps)
        (first, second), record = jax.lax.scan(step, (first, second), keys)
        return record, (game.returns(first), game.returns(second))

    # The exchange under the game's own names: trumps that are known from the start stay.
    row = np.arange(num_deals)[:, None]
    named = to_numpy(quick_jit(jax.vmap(names_at_first))(decks, dealers, extra))
    # Into the names of features, exchange, and back: `named` is its own inverse.
    moved = named[row, actions[chosen][row, named]]
    others = moved[row, decks]
    keys = jax.random.split(jax.random.key(seed), num_deals)
    (one, two), returns = to_numpy(
        quick_jit(jax.vmap(play))(decks, others, dealers, extra, moved, keys)
    )
    require_all(one[3] == two[3], "a deal with other suits is over earlier or later")
    alike = of_calls[chosen]
    require_all(returns[0][alike] == returns[1][alike], "a deal with other suits has other returns")

    of_something_else = np.repeat(
        [feature.of == "" for feature in game.feature_table],
        [feature.size for feature in game.feature_table],
    )
    suit_cards = deck.num_suit_cards
    compared = np.zeros(len(orders), int)
    for deal, time in zip(*np.nonzero(~one[3]), strict=True):
        features, mask, named, _ = (part[deal, time] for part in one)
        other_features, other_mask, other_named, _ = (part[deal, time] for part in two)
        # Find the exchange under the names of the features by its effect on cards.
        exchange = np.zeros(suit_cards, np.int32)
        exchange[named[:suit_cards]] = other_named[moved[deal, :suit_cards]]
        (number,) = np.flatnonzero((cards[:, :suit_cards] == exchange).all(1))
        same = other_features[places[number]] == features
        if not alike[deal] and (mask[deck.num_cards :].any() or not same[of_something_else].all()):
            continue  # a call, or a contract that counts differently
        require_all(other_mask[actions[number]] == mask, "with other suits other actions are legal")
        require_all(same, "with other suits features differ")
        compared[number] += 1
    require_all(compared[1:] > 0, "a permutation of suits was never seen")
