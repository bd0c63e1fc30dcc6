"""Compiled playouts of Rikiki: see `games.playout`."""

from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np

from games import playout
from games.rikiki.reference import NO_TRUMP, ReferenceDeal
from games.rikiki.variants import VARIANTS, rules_of
from jaxcards.cards.seats import field
from jaxcards.games.rikiki.play import NO_CARD, VOID_BITS, bid_of, has_bid

BATCH = 128


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 52], dealers [n], rounds [n]."""

    rounds: np.ndarray

    def reference(self, name: str | SimpleNamespace, i: int) -> ReferenceDeal:
        """Return deal `i` by the rules of a variant, or by given ones."""
        rules = rules_of(name) if isinstance(name, str) else name
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


def start(game, deck, dealer, round):
    return game.init_from_deck(deck, dealer, round=round)


def compiled(game):
    """`games.playout.compiled` of a game of any rules."""
    return playout.compiled(game, view, partial(start, game))


def views(name, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = playout.common_views(deal, record, i, t)
    at = {key: value[i, t] for key, value in record.items()}
    assert at["trump"] <= NO_TRUMP
    want |= {
        "trump": deal.trump,
        "turnup": deal.turnup,
        "bids": [deal.bids.get(seat, -1) for seat in range(deal.n)],
        "voids": deal.voids,
        "visible": [deal.visible(player) for player in range(deal.n)],
    }
    got |= {
        "trump": int(at["trump"]),
        "turnup": None if at["turnup"] == NO_CARD else int(at["turnup"]),
        "bids": at["bids"].tolist(),
        "voids": {(p, s) for p, word in enumerate(at["voids"]) for s in range(8) if word >> s & 1},
        "visible": [playout.cards_in(seen) for seen in at["visible"]],
    }
    return want, got


PLAYOUTS = playout.Playouts(
    "rikiki", VARIANTS.__getitem__, lambda name, n, seed: random_deals(rules_of(name), n, seed),
    start, view, views,
)  # fmt: skip
game_of, play, random_record = PLAYOUTS.game_of, PLAYOUTS.play, PLAYOUTS.random_record
