"""Compiled playouts of Skat: see `games.playout`."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from games import playout
from games.skat.reference import BID, LEVELS, PASS, TAKE, ReferenceDeal
from games.skat.variants import VARIANTS, rules_of


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 32], dealers [n]."""

    def reference(self, name: str, i: int) -> ReferenceDeal:
        return ReferenceDeal(rules_of(name), self.deck(i), int(self.dealers[i]))


def random_deals(n: int, seed: int) -> Deals:
    """Uniform decks and dealers; in every other deal one player has many trumps or low cards."""
    rng = np.random.default_rng(seed)
    decks = playout.random_decks(rng, n, 32)
    for i in range(0, n, 2):
        top = i % 4 == 0
        key = decks[i] % 8 * (1 if top else -1) + rng.normal(0, 3, 32)
        decks[i] = np.roll(decks[i][np.argsort(key)], 10 * int(rng.integers(3)))
    return Deals(decks=decks, dealers=rng.integers(0, 3, n, dtype=np.int32))


def scripts(name: str, n: int, seed: int) -> list[list[int]]:
    """Return first actions: no bid in an eighth of the deals, long auctions in others, else random."""
    rng, rules, found = np.random.default_rng(seed), rules_of(name), []
    for i in range(n):
        if i % 8 == 0:
            found.append([PASS] * 3)
        elif i % 8 < 3 and rules.auction == "values":
            bids = [BID] * int(rng.integers(1, 127))
            found.append([*bids, PASS, PASS])
        elif i % 8 == 3 and rules.hand and rules.auction == "values":
            game = int(rng.integers(35, 40))
            found.append([BID, PASS, PASS, game, LEVELS + int(rng.integers(4))])
        elif i % 8 == 4 and rules.auction == "values":
            found.append([PASS, BID, PASS, TAKE])
        else:
            found.append([])
    return found


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    observations = [game.observe(state, player) for player in range(3)]
    return {
        **playout.common_view(game, state),
        "hands": jnp.stack([seen.hand.mask() for seen in observations]),
        "open": jnp.stack([seen.open.mask() for seen in observations]),
        "aside": game.card_places(state).aside.mask(),
        "observation": playout.flat(observations),
    }


def start(game, deck, dealer):
    return game.init_from_deck(deck, dealer)


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = playout.common_views(deal, record, i, t)
    if deal.terminated:
        want["player"] = got["player"]
    want |= {"hands": deal.hands, "open": [deal.open_to(seat) for seat in range(3)]}
    want |= {"aside": sorted(deal.skat)}
    got |= {key: playout.cards_in(record[key][i, t]) for key in ("hands", "open")}
    return want, got | {"aside": np.flatnonzero(record["aside"][i, t]).tolist()}


PLAYOUTS = playout.Playouts(
    "skat", VARIANTS.__getitem__, lambda name, n, seed: random_deals(n, seed), start, view, _views,
    scripts=scripts,
)  # fmt: skip
game_of = PLAYOUTS.game_of
