"""Compiled playouts of Bridge: see `games.playout`."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from games import playout
from games.bridge.reference import BID, DOUBLE, PASS, REDOUBLE, TINY_BIDS, TINY_CARDS, ReferenceDeal
from games.bridge.variants import VARIANTS, rules_of


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], and the vulnerable sides or the deal [n].

    In a rubber, a fact is the vulnerable sides, and 4 and 40 times the tens of the part scores.
    """

    facts: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        fact = int(self.facts[i])
        if name == "rubber":
            fact = (fact % 4, [fact // 4 % 10 * 10, fact // 40 * 10])
        rules, deck = rules_of(name), self.deck(i)
        if rules.tiny:
            deck = playout.dealt_deck(deck, sorted(set(deck) - set(TINY_CARDS)))
        return ReferenceDeal(rules, deck, int(self.dealers[i]), fact)


def random_deals(name: str, n: int, seed: int) -> Deals:
    """Uniform decks, dealers and facts."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=playout.random_decks(rng, n, 52),
        dealers=rng.integers(0, 4, n, dtype=np.int32),
        facts=rng.integers(0, 400 if name == "rubber" else 4, n, dtype=np.int32),
    )


def contracts(name: str, n: int, seed: int) -> list[list[int]]:
    """Return scripts of short auctions to any contract; every fourth deal has random calls.

    In a rubber, contracts are low, so that players make them.
    """
    rng = np.random.default_rng(seed)
    scripts, bids = [], TINY_BIDS if name == "tiny" else range(15 if name == "rubber" else 35)
    for i in range(n):
        calls = [PASS] * int(rng.integers(4)) + [BID + bids[int(rng.integers(len(bids)))]]
        calls += [[], [DOUBLE], [PASS, PASS, DOUBLE], [DOUBLE, REDOUBLE]][int(rng.integers(4))]
        scripts.append([*calls, PASS, PASS, PASS] if i % 4 else [])
    return scripts


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    seen = [game.observe(state, player) for player in range(4)]
    return {
        **playout.common_view(game, state),
        "turn": state.public.current_player,
        "hands": jnp.stack([one.hand.mask() for one in seen]),
        "dummy": jnp.stack([one.dummy.mask() for one in seen]),
        "observation": playout.flat(seen),
    }


def start(game, deck, dealer, fact):
    names = set(game.opening_facts) - {"totals"}
    if "part_scores" in names:
        parts = (fact // 4 % 10, fact // 40)
        return game.init_from_deck(deck, dealer, vulnerability=fact % 4, part_scores=parts)
    return game.init_from_deck(deck, dealer, **{name: fact for name in names})


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = playout.common_views(deal, record, i, t)
    dummies = [deal.open_cards() for _ in range(4)]
    if deal.declarer is not None:
        dummies[deal.dummy] = []
    want |= {"hands": deal.hands, "dummy": dummies, "turn": deal.turn}
    got |= {"hands": playout.cards_in(record["hands"][i, t]), "turn": int(record["turn"][i, t])}
    got |= {"dummy": playout.cards_in(record["dummy"][i, t])}
    return want, got


PLAYOUTS = playout.Playouts(
    "bridge", VARIANTS.__getitem__, random_deals, start, view, _views, scripts=contracts
)
game_of = PLAYOUTS.game_of
