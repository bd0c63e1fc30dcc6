"""The compiled functions behind OpenSpiel's states; a player's knowledge as string and tensor."""

import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.game import Game


class Seen(NamedTuple):
    """The public facts of a state.

    Attributes:
      player: the player to act.
      over: whether the deal is over.
      legal: the legal actions, ascending.
      returns: `Game.returns`.
    """

    player: int
    over: bool
    legal: tuple[int, ...]
    returns: tuple[float, ...]


class Programs(NamedTuple):
    """Functions of single deals, which return a deal and its public facts; see `programs`.

    Attributes:
      start: (deck, facts including the dealer).
      deal: (key).
      step: (deal, action).
      resample: (key, deal, player), with other hidden cards.
      known: (deal, player) -> a string and a tensor of the player's knowledge.
    """

    start: Callable[[np.ndarray, Mapping[str, int]], tuple[Any, Seen]]
    deal: Callable[[Any], tuple[Any, Seen]]
    step: Callable[[Any, int], tuple[Any, Seen]]
    resample: Callable[[Any, Any, int], tuple[Any, Seen]]
    known: Callable[[Any, int], tuple[str, np.ndarray]]


@functools.lru_cache(maxsize=32)
def programs(game: Game) -> Programs:
    """Return the programs of a game; each is compiled on first use."""

    def seeing(function: Callable[..., Any]) -> Callable[..., tuple[Any, Seen]]:
        def both(*args: Any) -> Any:
            deal = function(*args)
            facts = (deal.current_player, deal.terminated, game.legal_action_mask(deal))
            return deal, (*facts, game.returns(deal))

        compiled = xla.jit(both)

        def call(*args: Any) -> tuple[Any, Seen]:
            # The deal stays on the device; only the public facts come to the host.
            deal, facts = compiled(*args)
            player, over, mask, returns = jax.device_get(facts)
            legal = tuple(np.flatnonzero(mask).tolist())
            return deal, Seen(int(player), bool(over), legal, tuple(returns.tolist()))

        return call

    start = seeing(lambda deck, facts: game.init_from_deck(deck, **facts))
    step = seeing(lambda deal, action: game.step(deal, action))
    look = xla.jit(lambda deal, player: knowledge(game, game.observe(deal, player)))

    def known(deal: Any, player: int) -> tuple[str, np.ndarray]:
        found = jax.device_get(look(deal, jnp.int32(player)))
        return to_text(game, found), found.tensor

    return Programs(
        start=lambda deck, facts: start(deck, {n: jnp.int32(v) for n, v in facts.items()}),
        deal=seeing(game.init),
        step=lambda deal, action: step(deal, jnp.int32(action)),
        resample=seeing(lambda key, deal, player: game.determinize(key, deal, player)),
        known=known,
    )


class Knowledge(NamedTuple):
    """A player's knowledge, for strings and tensors.

    Attributes:
      player: int32, the player.
      hand: bool[num_cards], the cards held; all False if an observation has no `hand`.
      words: uint32[n], the whole observation.
      tensor: float32[tensor_size], the features, followed by the order of the suits.
    """

    player: jax.Array
    hand: jax.Array
    words: jax.Array
    tensor: jax.Array


def tensor_size(game: Game) -> int:
    """Return the length of `Knowledge.tensor`."""
    return game.num_features + len(game.deck.suits) ** 2


def knowledge(game: Game, observation: Any) -> Knowledge:
    """Return the knowledge of a player."""
    leaves = [jnp.ravel(jnp.asarray(leaf)) for leaf in jax.tree.leaves(observation)]
    words = jnp.concatenate([_as_words(leaf) for leaf in leaves])
    number = len(game.deck.suits)
    # Features may put another suit first: the first card of each suit shows the order.
    cards = jnp.arange(number, dtype=jnp.int32) * game.deck.ranks_per_suit
    named = jax.vmap(lambda card: game.relabel_action(observation, card))(cards)
    suits = jax.nn.one_hot(named // game.deck.ranks_per_suit, number, dtype=jnp.float32).ravel()
    hand = getattr(observation, "hand", None)
    return Knowledge(
        player=observation.player,
        hand=jnp.zeros(game.deck.num_cards, bool) if hand is None else hand.mask(),
        words=words,
        tensor=jnp.concatenate([game.features(observation), suits]),
    )


def _as_words(leaf: jax.Array) -> jax.Array:
    # Words of 32 bits keep their bits; narrower values fit into a word.
    if leaf.dtype.itemsize == 4:
        return jax.lax.bitcast_convert_type(leaf, jnp.uint32)
    return leaf.astype(jnp.uint32)


def to_text(game: Game, known: Knowledge) -> str:
    """Return the knowledge of a player as a string, unique for each observation."""
    hand = game.deck.names(np.flatnonzero(known.hand).tolist())
    digest = hashlib.blake2b(np.asarray(known.words).tobytes(), digest_size=12).hexdigest()
    return f"player {int(known.player)} | {hand} | {digest}"
