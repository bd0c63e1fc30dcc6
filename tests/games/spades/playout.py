"""Compiled playouts of Spades: see `games.playout`."""

from dataclasses import dataclass
from functools import cache, partial

import jax.numpy as jnp
import numpy as np

import jaxcards
from games import playout
from games.spades.reference import BID, ReferenceDeal
from games.spades.variants import VARIANTS, rules_of

BATCH = 128


@cache
def game_of(name: str):
    """Return the compiled game of a preset or variant."""
    preset, changed = VARIANTS[name]
    return jaxcards.make(f"spades/{preset}", **changed)


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], totals [n, sides]."""

    totals: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        rules, deck = rules_of(name), dealt_deck(rules_of(name), self.deck(i))
        return ReferenceDeal(rules, deck, int(self.dealers[i]), self.totals[i].tolist())


def dealt_deck(rules, deck: list[int]) -> list[int]:
    """Return a deck in which the card left out of the pack has changed places with the last one."""
    if rules.num_players == 3:
        deck = list(deck)
        place = deck.index(0)
        deck[place], deck[-1] = deck[-1], deck[place]
    return deck


def random_deals(rules, n: int, seed: int, lowest: int = -199) -> Deals:
    """Uniform decks, dealers and totals."""
    rng, sides = np.random.default_rng(seed), 2 if rules.partners else rules.num_players
    return Deals(
        decks=playout.random_decks(rng, n, 52),
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        totals=rng.integers(lowest, 500, (n, sides), dtype=np.int32),
    )


def low_bids(rules, n: int, seed: int) -> list[list[int]]:
    """Return scripts of bids that can be made, a third of them nil; random bids in every fourth deal.

    Where the rules restrict bids, all bids are random.
    """
    if rules.bidding != "free" or rules.joint_limit or rules.blind_nil:
        return [[]] * n
    rng = np.random.default_rng(seed)
    bids = np.where(rng.random((n, 4)) < 1 / 3, 0, rng.integers(1, 6, (n, 4)))
    return [(BID + bids[i, : rules.num_players]).tolist() if i % 4 else [] for i in range(n)]


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    observations = [game.observe(state, player) for player in range(game.num_players)]
    return {
        **playout.common_view(game, state),
        "playing": state.playing,
        "hands": jnp.stack([seen.hand.mask() for seen in observations]),
        "observation": playout.flat(observations),
    }


def _start(game, deck, dealer, totals):
    return game.init_from_deck(deck, dealer, totals=totals)


play = playout.player(game_of, view, _start, BATCH)


@cache
def random_record(name: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    rules = rules_of(name)
    deals = random_deals(rules, n, seed=sum(map(ord, name)))
    return deals, play(name, deals, low_bids(rules, n, seed=1), seed=1)


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    at = {key: value[i, t] for key, value in record.items()}
    over = bool(at["terminated"])
    want = {
        "player": deal.current_player,
        "terminated": deal.terminated,
        "playing": not deal.bidding,
        "legal": deal.legal(),
        "progress": deal.tricks(),
        "points": deal.points() if deal.terminated else None,
        "hands": [deal.seen_hand(seat) for seat in range(deal.n)],
    }
    got = {
        "player": int(at["player"]),
        "terminated": over,
        "playing": bool(at["playing"]),
        "legal": [] if over else np.flatnonzero(at["mask"]).tolist(),
        "progress": at["progress"].tolist(),
        "points": at["points"].tolist() if over else None,
        "hands": [np.flatnonzero(cards).tolist() for cards in at["hands"]],
    }
    return want, got


check_deals = partial(playout.check_deals, _views)
"""Compares the deals of a variant with the reference."""
