"""Compiled playouts of Rikiki: see `games.playout`."""

from dataclasses import dataclass
from functools import cache, partial

import jax.numpy as jnp
import numpy as np

import jaxcards
from games import playout
from games.rikiki.reference import NO_TRUMP, ReferenceDeal
from games.rikiki.variants import VARIANTS, rules_of
from jaxcards.cards.seats import field
from jaxcards.games.rikiki.play import NO_CARD, VOID_BITS, bid_of, has_bid

BATCH = 128


@cache
def game_of(name: str):
    """Return the compiled game of a preset or variant."""
    preset, changed = VARIANTS[name]
    return jaxcards.make(f"rikiki/{preset}", **changed)


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], rounds [n]."""

    rounds: np.ndarray

    def reference(self, rules, i: int) -> ReferenceDeal:
        return ReferenceDeal(rules, self.deck(i), int(self.dealers[i]), int(self.rounds[i]))


def random_deals(rules, n: int, seed: int) -> Deals:
    """Uniform decks, dealers and rounds."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=playout.random_decks(rng, n, 52),
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        rounds=rng.integers(0, len(rules.schedule), n, dtype=np.int32),
    )


def given_deal(deck, dealer: int, round: int = 0) -> Deals:
    return Deals(np.array([deck], np.int32), np.array([dealer]), np.array([round]))


def _visible(seen, player: int):
    """Return the held cards of each seat that a player sees: bool[seats, 52]."""
    shown = seen.shown or [seen.hand - seen.hand] * len(seen.played_by)
    assert len(shown) == len(seen.played_by)
    held = [cards | seen.hand if seat == player else cards for seat, cards in enumerate(shown)]
    return jnp.stack([cards.mask() for cards in held])


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    players = range(game.num_players)
    observations = [game.observe(state, player) for player in players]
    said = [
        has_bid(seat, state.public.dealer, state.public.num_bids, game.num_players) for seat in players
    ]
    bids = [bid_of(state.public.bids, seat, game.num_players).astype(jnp.int32) for seat in players]
    return {
        **playout.common_view(game, state),
        "trump": state.public.trump,
        "turnup": state.public.turnup,
        "bids": jnp.stack([jnp.where(s, b, -1) for s, b in zip(said, bids, strict=True)]),
        "voids": jnp.stack([field(state.public.voids, seat, VOID_BITS) for seat in players]),
        "visible": jnp.stack([_visible(o, player) for player, o in enumerate(observations)]),
        "hands": jnp.stack([o.hand.mask() for o in observations]),
        "observation": playout.flat(observations),
    }


def _start(game, deck, dealer, round):
    return game.init_from_deck(deck, dealer, round=round)


def compiled(game):
    """`games.playout.compiled` of a game of any rules."""
    return playout.compiled(game, view, partial(_start, game))


play = playout.player(game_of, view, _start, BATCH)


@cache
def random_record(name: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    deals = random_deals(rules_of(name), n, seed=sum(map(ord, name)))
    return deals, play(name, deals, seed=1)


def reference_view(deal: ReferenceDeal) -> dict:
    """Return the expected `view`, from the reference."""
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
        "visible": [deal.visible(player) for player in range(deal.n)],
    }


def engine_view(record: dict[str, np.ndarray], i: int, t: int) -> dict:
    """Return the same, of moment `t` of deal `i` of a record."""
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
        "visible": [[np.flatnonzero(hand).tolist() for hand in seen] for seen in at["visible"]],
    }


def _views(rules, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    return reference_view(deal), engine_view(record, i, t)


check_deals = partial(playout.check_deals, _views)
"""Compares deals, given the rules instead of a name, with the reference."""
