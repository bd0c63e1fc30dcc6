"""Compiled playouts that remember what every moment looked like, shared by the Rikiki tests.

One function is compiled for each set of rules, always for `BATCH` deals and with the round as an
argument, and every test goes through it: actions that the test gives are played, all others are
random legal ones.
"""

from dataclasses import dataclass
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from games.rikiki.reference import NO_TRUMP, ReferenceDeal
from games.rikiki.variants import VARIANTS, rules_of
from jaxcards.games.rikiki.deck import NO_CARD
from jaxcards.games.rikiki.state import VOID_BITS, bid_of, has_bid
from jaxcards.seats import field
from jaxcards.testing.deals import quick_jit

BATCH = 128
RANDOM = -1


@cache
def game_of(name: str):
    """The compiled game of a preset or variant."""
    preset, changed = VARIANTS[name]
    return jaxcards.make(f"rikiki/{preset}", **changed)


@dataclass
class Deals:
    """Input of a batch: decks [n, 52], dealers [n], rounds [n]."""

    decks: np.ndarray
    dealers: np.ndarray
    rounds: np.ndarray

    def __len__(self) -> int:
        return len(self.decks)

    def reference(self, rules, i: int) -> ReferenceDeal:
        deck = [int(c) for c in self.decks[i]]
        return ReferenceDeal(rules, deck, int(self.dealers[i]), int(self.rounds[i]))


def random_deals(rules, n: int, seed: int) -> Deals:
    """Uniform decks, dealers and rounds."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=rng.permuted(np.tile(np.arange(52, dtype=np.int32), (n, 1)), axis=1),
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        rounds=rng.integers(0, len(rules.schedule), n, dtype=np.int32),
    )


def given_deal(deck, dealer: int, round: int = 0) -> Deals:
    return Deals(np.array([deck], np.int32), np.array([dealer]), np.array([round]))


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    players = range(game.num_players)
    observations = [game.observe(state, player) for player in players]
    said = [has_bid(seat, state.dealer, state.num_bids, game.num_players) for seat in players]
    bids = [bid_of(state.bids, seat, game.num_players).astype(jnp.int32) for seat in players]
    flat = [
        jnp.concatenate([jnp.ravel(leaf).astype(jnp.uint32) for leaf in jax.tree.leaves(o)])
        for o in observations
    ]
    return {
        "player": state.current_player,
        "terminated": state.terminated,
        "mask": game.legal_action_mask(state),
        "progress": game.progress(state),
        "points": game.points(state),
        "returns": game.returns(state),
        "trump": state.trump,
        "turnup": state.turnup,
        "bids": jnp.stack([jnp.where(s, b, -1) for s, b in zip(said, bids, strict=True)]),
        "voids": jnp.stack([field(state.voids, seat, VOID_BITS) for seat in players]),
        "hands": jnp.stack([o.hand.mask() for o in observations]),
        "observation": jnp.stack(flat),
    }


def compiled(game):
    """`(deck, dealer, round, script, bits) -> views and actions`, batched and compiled."""

    def one(deck, dealer, round, script, bits):
        state = game.init_from_deck(deck, dealer, round=round)

        def body(state, given):
            action, word = given
            drawn = game.legal_actions(state).sample(word)
            action = jnp.where(action >= 0, action, drawn)
            return game.step(state, action), view(game, state) | {"action": action}

        return jax.lax.scan(body, state, (script, bits))[1]

    return quick_jit(jax.vmap(one))


@cache
def _compiled(name: str):
    return compiled(game_of(name))


def play(name: str, deals: Deals, scripts=None, seed: int = 0) -> dict[str, np.ndarray]:
    """Plays deals out: every entry of `view`, and the action, as arrays [n, max_steps + 1, ...].

    Entry t is the state before action t; the last is after the longest deal possible, and a deal
    that has ended stays as it is. `scripts` are lists of first actions, by default none; after
    them, random legal actions.
    """
    return play_with(_compiled(name), game_of(name), deals, scripts, seed)


def play_with(function, game, deals: Deals, scripts=None, seed: int = 0, batch: int = BATCH):
    """`play` with a function of `compiled`."""
    n, steps = len(deals), game.max_steps + 1
    script = np.full((n, steps), RANDOM, np.int32)
    for i, actions in enumerate(scripts or []):
        script[i, : len(actions)] = actions
    bits = np.random.default_rng(seed).integers(0, 2**32, (n, steps), dtype=np.uint32)
    columns = (deals.decks, deals.dealers, deals.rounds, script, bits)
    parts = []
    for start in range(0, n, batch):
        rows = np.arange(start, start + batch) % n
        keep = min(batch, n - start)
        out = function(*(column[rows] for column in columns))
        parts.append({key: np.asarray(value)[:keep] for key, value in out.items()})
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


@cache
def random_record(name: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    deals = random_deals(rules_of(name), n, seed=sum(map(ord, name)))
    return deals, play(name, deals, seed=1)


def reference_view(deal: ReferenceDeal) -> dict:
    """What `view` should hold, of the reference."""
    return {
        "player": deal.current_player,
        "terminated": deal.terminated,
        "legal": deal.legal(),
        "progress": deal.won,
        "points": deal.points() if deal.terminated else None,
        "trump": deal.trump,
        "turnup": deal.turnup,
        "bids": [deal.bids.get(seat, -1) for seat in range(deal.n)],
        "voids": deal.voids,
        "hands": deal.hands,
    }


def engine_view(record: dict[str, np.ndarray], i: int, t: int) -> dict:
    """The same, of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}
    over = bool(at["terminated"])
    assert at["trump"] <= NO_TRUMP
    return {
        "player": int(at["player"]),
        "terminated": over,
        "legal": [] if over else np.flatnonzero(at["mask"]).tolist(),
        "progress": at["progress"].tolist(),
        "points": at["points"].tolist() if over else None,
        "trump": int(at["trump"]),
        "turnup": None if at["turnup"] == NO_CARD else int(at["turnup"]),
        "bids": at["bids"].tolist(),
        "voids": {(p, s) for p, word in enumerate(at["voids"]) for s in range(8) if word >> s & 1},
        "hands": [np.flatnonzero(hand).tolist() for hand in at["hands"]],
    }


def check_deal(rules, deals: Deals, record: dict[str, np.ndarray], i: int) -> None:
    """Compares every moment of deal `i` with the reference; the player does not matter at the end."""
    deal = deals.reference(rules, i)
    for t in range(record["action"].shape[1]):
        want, got = reference_view(deal), engine_view(record, i, t)
        told = f"deck {deals.decks[i].tolist()}, dealer {deals.dealers[i]}, round {deals.rounds[i]}"
        assert got == want, f"{told}, actions {record['action'][i, :t].tolist()}"
        if not deal.terminated:
            deal.step(int(record["action"][i, t]))
    assert deal.terminated
