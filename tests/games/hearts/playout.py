"""Compiled playouts of Hearts: see `games.playout`."""

from dataclasses import dataclass
from functools import cache, partial

import jax.numpy as jnp
import numpy as np

import jaxcards
from games import playout
from games.hearts.reference import ReferenceDeal
from games.hearts.variants import VARIANTS, rules_of

BATCH = 128


@cache
def game_of(name: str):
    """Return the compiled game of a preset or variant."""
    preset, changed = VARIANTS[name]
    return jaxcards.make(f"hearts/{preset}", **changed)


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], rounds [n]."""

    rounds: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        game, rules = game_of(name), rules_of(name)
        deck = dealt_deck(game, self.deck(i))
        return ReferenceDeal(rules, deck, int(self.dealers[i]), int(self.rounds[i]))


def dealt_deck(game, deck: list[int]) -> list[int]:
    """Return a deck in which the cards left out of the pack have changed places with the last ones."""
    out = [c for c in range(52) if c in game.left_out]
    deck, last = list(deck), 52 - len(out)
    for c in out:
        if deck.index(c) < last:
            other = min(c for c in deck[last:] if c not in out)
            i, j = deck.index(c), deck.index(other)
            deck[i], deck[j] = other, c
    return deck


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
    observations = [game.observe(state, player) for player in range(game.num_players)]
    return {
        **playout.common_view(game, state),
        "playing": state.playing,
        "hands": jnp.stack([seen.hand.mask() for seen in observations]),
        "passed": jnp.stack([seen.passed.mask() for seen in observations]),
        "received": jnp.stack([seen.received.mask() for seen in observations]),
        "observation": playout.flat(observations),
    }


def _start(game, deck, dealer, round):
    return game.init_from_deck(deck, dealer, round=round)


play = playout.player(game_of, view, _start, BATCH)


@cache
def random_record(name: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    deals = random_deals(rules_of(name), n, seed=sum(map(ord, name)))
    return deals, play(name, deals, seed=1)


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    at = {key: value[i, t] for key, value in record.items()}
    over = bool(at["terminated"])
    sets = {
        name: [np.flatnonzero(cards).tolist() for cards in at[name]]
        for name in ("hands", "passed", "received")
    }
    want = {
        "player": deal.current_player,
        "terminated": deal.terminated,
        "playing": not deal.passing,
        "legal": deal.legal(),
        "progress": deal.taken(),
        "points": deal.points() if deal.terminated else None,
        "hands": deal.hands,
        "passed": [sorted(cards) for cards in deal.passed],
        "received": deal.received,
    }
    got = {
        "player": int(at["player"]),
        "terminated": over,
        "playing": bool(at["playing"]),
        "legal": [] if over else np.flatnonzero(at["mask"]).tolist(),
        "progress": at["progress"].tolist(),
        "points": at["points"].tolist() if over else None,
        **sets,
    }
    return want, got


check_deals = partial(playout.check_deals, _views)
"""Compares the deals of a variant with the reference."""
