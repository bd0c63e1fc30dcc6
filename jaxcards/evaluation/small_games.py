"""Lists of deals that are short enough for exact best responses: few cards, or endings of any game."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.evaluation.best_response import short_decks
from jaxcards.evaluation.histories import in_batches
from jaxcards.game import Game
from jaxcards.past import past_actions


def every_deal(game: Any) -> Any:
    """Return every deal by every dealer; leaves [deals, ...].

    Args:
      game: with `cards`, those that are dealt, and `packets`, the sizes of the packets; see
        `short_decks`. An example is `jaxcards.games.rikiki.small.SmallRikiki`.
    """
    players = game.num_players
    decks = np.repeat(short_decks(game.cards, game.packets, game.deck.num_cards), players, 0)
    # Every deck once for each dealer.
    dealers = np.tile(np.arange(players), len(decks) // players)
    return in_batches(xla.jit(jax.vmap(game.init_from_deck), split=True), (decks, dealers), 4096)


def endings(game: Game, state: Any) -> Any:
    """Return every state with the same past, as everybody knows it, and other cards in the hands.

    Cards that lie aside stay where they are. All states count as equally likely: the past actions say
    only which cards a seat cannot have.

    Args:
      game: a game with `opening` and `history`.
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
    # Only the cards in the hands change places in the deck.
    decks[:, places] = packets[:, : len(cards)]

    def replay(deck: jax.Array) -> tuple[Any, jax.Array]:
        def step(carry: tuple[Any, jax.Array], action: jax.Array) -> tuple[Any, None]:
            now, fits = carry
            # With these cards, too, every past action must have been legal.
            fits = fits & game.legal_action_mask(now)[action]
            return (game.step(now, action), fits), None

        begun = game.init_from_deck(deck, opening.dealer, **opening.facts), jnp.ones((), bool)
        (now, fits), _ = jax.lax.scan(step, begun, jnp.asarray(past.action[: past.number]))
        pairs = zip(jax.tree.leaves(now.public), jax.tree.leaves(state.public), strict=True)
        for one, other in pairs:
            # Everything public must be equal, such as the suits that a seat has shown to lack.
            fits = fits & (one == other).all()
        return now, fits

    states, fits = in_batches(xla.jit(jax.vmap(replay), split=True), (decks,), 4096)
    return jax.tree.map(lambda leaf: leaf[fits], states)
