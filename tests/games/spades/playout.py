"""Compiled playouts of Spades: see `games.playout`."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from games import playout
from games.spades.reference import BID, ReferenceDeal
from games.spades.variants import VARIANTS, rules_of


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], totals [n, sides]."""

    totals: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        deck = playout.dealt_deck(self.deck(i), game_of(name).left_out)
        return ReferenceDeal(rules_of(name), deck, int(self.dealers[i]), self.totals[i].tolist())


def random_deals(rules, n: int, seed: int, lowest: int = -199) -> Deals:
    """Uniform decks, dealers and totals."""
    rng, sides = np.random.default_rng(seed), 2 if rules.partners else rules.num_players
    return Deals(
        decks=playout.random_decks(rng, n, 52),
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        totals=rng.integers(lowest, 500, (n, sides), dtype=np.int32),
    )


def low_bids(name: str, n: int, seed: int) -> list[list[int]]:
    """Return scripts of bids that can be made, a third of them nil; random bids in every fourth deal.

    Where the rules restrict bids, all bids are random.
    """
    rules = rules_of(name)
    if rules.bidding != "free" or rules.joint_limit or rules.blind_nil:
        return [[]] * n
    rng = np.random.default_rng(seed)
    bids = np.where(rng.random((n, 4)) < 1 / 3, 0, rng.integers(1, 6, (n, 4)))
    return [(BID + bids[i, : rules.num_players]).tolist() if i % 4 else [] for i in range(n)]


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    seen = [game.observe(state, player) for player in range(game.num_players)]
    return {
        **playout.common_view(game, state),
        "playing": state.playing,
        "hands": jnp.stack([one.hand.mask() for one in seen]),
        "observation": playout.flat(seen),
    }


def start(game, deck, dealer, totals):
    return game.init_from_deck(deck, dealer, totals=totals)


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = playout.common_views(deal, record, i, t)
    hands = [deal.seen_hand(seat) for seat in range(deal.n)]
    want |= {"playing": not deal.bidding, "hands": hands}
    got |= {"playing": bool(record["playing"][i, t]), "hands": playout.cards_in(record["hands"][i, t])}
    return want, got


PLAYOUTS = playout.Playouts(
    "spades", VARIANTS.__getitem__, lambda name, n, seed: random_deals(rules_of(name), n, seed),
    start, view, _views, scripts=low_bids,
)  # fmt: skip
game_of = PLAYOUTS.game_of
