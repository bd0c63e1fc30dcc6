"""`sample_state` is uniform over all deals that fit: positions of few cards, and a comparison."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from support.hidden_cards import LIMIT, tally, z_score

from games.playout import Dealt, Playouts
from jaxcards.testing.deals import quick_jit


def check_uniform(
    playouts: Playouts, name: str, deals: Dealt, i: int, actions: list[int], player: int,
    unseen: Sequence[int], fits: Sequence[tuple[int, ...]], samples: int = 20_000,
) -> None:  # fmt: skip
    """Fail unless a player's samples of a position are the deals that fit, equally often.

    Args:
      deals, i, actions: the deal, and its actions so far.
      unseen: cards that the player does not see, without those out of the pack.
      fits: for each possible deal, the holder of each of these cards; seats, and then cards aside.
    """
    game, state = playouts.game_of(name), playouts.state_after(name, deals, i, actions)

    def places(state):
        found = game.card_places(state)
        return jnp.stack([cards.mask() for cards in (*found.hands, found.aside)])

    # Two programs: one alone would draw each deal again for every place that is asked for.
    draw = quick_jit(jax.vmap(lambda key: game.determinize(key, state, jnp.int32(player))))
    states = draw(jax.random.split(jax.random.key(1), samples))
    found = np.asarray(quick_jit(jax.vmap(places))(states))
    assert (found[:, player] == np.asarray(places(state)[player])).all()
    counts = tally(found[:, :, list(unseen)].argmax(axis=1), fits)
    assert abs(z_score(counts)) < LIMIT


def few_cards(
    playouts: Playouts, name: str, seed: int, choose: Callable, begin: Callable,
    cards: int = 2, fewest: int = 4,
) -> tuple[Any, ...]:  # fmt: skip
    """Return a position with few cards left in each hand, and several deals that fit.

    They are arguments of `check_uniform`, from `deals` on.

    Args:
      choose: of two legal actions, the one to take.
      begin: `begin(deals, i, deal, player, acted, hands)` returns a reference deal that has other hands
        at the end, and the actions from there; None if the player knows better. `acted` has pairs of a
        seat and an action, for all actions so far.
      cards: cards left in each hand after the trick on the table.
      fewest: the least number of deals that fit.
    """
    rng = np.random.default_rng(seed)
    deals = playouts.deals(name, 200, seed)
    for i in range(200):
        deal, acted = deals.reference(name, i), []
        left = cards * deal.n + int(rng.integers(deal.n))
        while sum(map(len, deal.hands)) > left:
            acted.append((deal.current_player, choose(rng.choice(deal.legal(), 2).tolist())))
            deal.step(acted[-1][1])
        player = deal.current_player
        unseen = sorted(c for seat, hand in enumerate(deal.hands) if seat != player for c in hand)
        sizes = [len(hand) * (seat != player) for seat, hand in enumerate(deal.hands)]
        fits = []
        for holders in assignments(sizes):
            hands = [list(hand) if seat == player else [] for seat, hand in enumerate(deal.hands)]
            for card, holder in zip(unseen, holders, strict=True):
                hands[holder].append(card)
            again = begin(deals, i, deal, player, acted, hands)
            if again is not None and could_act(*again):
                fits.append(holders)
        if fewest <= len(fits) < 60:
            return deals, i, [action for _, action in acted], player, unseen, fits
    raise AssertionError("no such position")


def assignments(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all orders of holders in which each comes as often as its size."""
    if not any(sizes):
        yield ()
    for holder, size in enumerate(sizes):
        if size:
            rest = [left - (other == holder) for other, left in enumerate(sizes)]
            yield from ((holder, *more) for more in assignments(rest))


def could_act(deal: Any, acted: Sequence[tuple[int, int]]) -> bool:
    """Return whether seats could act so in a reference deal, and take the actions."""
    for seat, action in acted:
        if deal.current_player != seat or action not in deal.legal():
            return False
        deal.step(action)
    return True
