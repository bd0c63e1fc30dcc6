"""Compiled playouts of Hearts: see `games.playout`."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from games import playout
from games.hearts.reference import ReferenceDeal
from games.hearts.variants import VARIANTS, rules_of

SETS = ("hands", "passed", "received")


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], rounds [n]."""

    rounds: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        deck = playout.dealt_deck(self.deck(i), game_of(name).left_out)
        return ReferenceDeal(rules_of(name), deck, int(self.dealers[i]), int(self.rounds[i]))


def random_deals(rules, n: int, seed: int) -> Deals:
    """Uniform decks, dealers and rounds."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=playout.random_decks(rng, n, 52),
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        rounds=rng.integers(0, len(rules.directions), n, dtype=np.int32),
    )


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    seen = [game.observe(state, player) for player in range(game.num_players)]
    return {
        **playout.common_view(game, state),
        "playing": state.playing,
        "hands": jnp.stack([one.hand.mask() for one in seen]),
        "passed": jnp.stack([one.passed.mask() for one in seen]),
        "received": jnp.stack([one.received.mask() for one in seen]),
        "observation": playout.flat(seen),
    }


def start(game, deck, dealer, round):
    return game.init_from_deck(deck, dealer, round=round)


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = playout.common_views(deal, record, i, t)
    want |= {
        "playing": not deal.passing,
        "hands": deal.hands,
        "passed": [sorted(cards) for cards in deal.passed],
        "received": deal.received,
    }
    got |= {"playing": bool(record["playing"][i, t])}
    return want, got | {key: playout.cards_in(record[key][i, t]) for key in SETS}


PLAYOUTS = playout.Playouts(
    "hearts", VARIANTS.__getitem__, lambda name, n, seed: random_deals(rules_of(name), n, seed),
    start, view, _views,
)  # fmt: skip
game_of = PLAYOUTS.game_of
