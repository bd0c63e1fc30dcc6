"""Compiled playouts of Belote: see `games.playout`."""

from dataclasses import dataclass
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np

from games import playout
from games.belote.reference import PASS
from games.belote.reference_deal import ReferenceDeal
from games.belote.variants import overrides_of, rules_of
from jaxcards.agents.networks.planes import planes
from jaxcards.games.belote import score
from jaxcards.games.belote import view as belote_view
from jaxcards.games.belote.play import ANNOUNCED_BITS, NOT_ANNOUNCED

BATCH = 128


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 32], dealers [n], carries [n]."""

    carries: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        carry = int(self.carries[i]) if rules_of(name).tie == "litige" else 0
        return ReferenceDeal(rules_of(name), self.deck(i), int(self.dealers[i]), carry=carry)


def random_deals(n: int, seed: int) -> Deals:
    """Uniform decks and dealers; something is carried over in every third deal."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=playout.random_decks(rng, n, 32),
        dealers=rng.integers(0, 4, n, dtype=np.int32),
        carries=np.where(np.arange(n) % 3 == 0, rng.integers(1, 200, n), 0).astype(np.int32),
    )


def given_deals(found: list[SimpleNamespace]) -> Deals:
    """Deals with attributes deck, dealer and, perhaps, carry."""
    return Deals(
        decks=np.array([d.deck for d in found], np.int32),
        dealers=np.array([d.dealer for d in found], np.int32),
        carries=np.array([getattr(d, "carry", 0) for d in found], np.int32),
    )


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    observations = [game.observe(state, player) for player in range(4)]
    places = game.card_places(state)
    return {
        **playout.common_view(game, state),
        "mode": state.public.mode,
        "bidder": observations[0].bidder,
        "hands": jnp.stack([hand.mask() for hand in places.hands]),
        "carry": score.outcome(game.rules, state).carry,
        "lacks": jnp.stack([cards.mask() for cards in state.public.lacks]),
        **public_view(game, observations),
    }


def public_view(game, observations) -> dict:
    """Return public facts and observations; `observation` is that of each player, flattened."""
    nothing = jnp.zeros((4, 32), bool)
    seen = observations[0]
    announced, shown, belote = jnp.full(4, -1), nothing, nothing
    if game.rules.declarations:
        tens = [(seen.announced >> (ANNOUNCED_BITS * seat)) & NOT_ANNOUNCED for seat in range(4)]
        tens = [n.astype(jnp.int32) for n in tens]
        announced = jnp.stack([jnp.where(n == NOT_ANNOUNCED, -1, 10 * n) for n in tens])
        shown = jnp.stack([cards.mask() for cards in seen.shown])
    if game.rules.belote:
        belote = jnp.stack([cards.mask() for cards in seen.belote])
    found = [planes(observation) for observation in observations]
    return {
        "announced": announced,
        "shown": shown,
        "belote": belote,
        "planes": jnp.stack([jnp.round(p.cards * 3).astype(jnp.int8) for p in found]),
        "planes_trump": jnp.stack([p.trump for p in found]).astype(jnp.int8),
        "planes_bidder": jnp.stack([p.bidder for p in found]).astype(jnp.int8),
        "observation": playout.flat(observations),
    }


def _start(game, deck, dealer, carry):
    return game.init_from_deck(deck, dealer, carry=carry)


def random_scripts(name: str, n: int, seed: int) -> list[list[int]]:
    """First calls: in every second deal some passes, so that late callers have their turn as well."""
    rng = np.random.default_rng(seed)
    longest = {"bela": 4, "turnup": 8, "contract": 4}[rules_of(name).auction]
    # The dealer who must name a suit may not pass.
    longest -= rules_of(name).all_pass == "dealer_must"
    return [[PASS] * int(rng.integers(longest + 1)) if i % 2 else [] for i in range(n)]


def looks_at(deal: ReferenceDeal) -> int:
    """Return the player whose tensor (docs/belote.md, 7.3) is compared: each in turn, to save time."""
    return (len(deal.calls) + len(deal.played)) % 4


def reference_view(deal: ReferenceDeal) -> dict:
    """Return the expected `view` and `legal`, from the reference."""
    own = deal.planes(looks_at(deal))
    over = deal.terminated
    scores, _, carry = deal.outcome() if over else (None, None, None)
    return {
        "player": None if over else deal.current_player,
        "terminated": over,
        "legal": deal.legal(),
        "mode": deal.mode,
        "bidder": deal.bidder,
        "hands": [sorted(hand) for hand in deal.hands],
        "progress": deal.progress(),
        "announced": deal.announced() if deal.rules.declarations else [-1] * 4,
        "shown": [sorted(s) for s in deal.shown()],
        "belote": [sorted(s) for s in deal.belote_shown()],
        "lacks": [sorted(s) for s in deal.excluded],
        "planes": own[0],
        "planes_trump": own[1],
        "planes_bidder": own[2],
        "points": scores * 2 if over else None,
        "carry": carry,
    }


def engine_view(record: dict[str, np.ndarray], i: int, t: int) -> dict:
    """Return the same, of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}
    over = bool(at["terminated"])
    lists = {key: at[key].tolist() for key in ("progress", "announced")}
    player = t % 4
    sets = {
        key: [np.flatnonzero(row).tolist() for row in at[key]]
        for key in ("hands", "shown", "belote", "lacks")
    }
    return {
        **lists,
        **sets,
        "player": None if over else int(at["player"]),
        "terminated": over,
        "legal": [] if over else np.flatnonzero(at["mask"]).tolist(),
        "mode": int(at["mode"]) if at["mode"] < 6 else None,
        "bidder": int(at["bidder"]) if at["bidder"] < 4 else None,
        "planes": at["planes"][player].tolist(),
        "planes_trump": at["planes_trump"][player].tolist(),
        "planes_bidder": at["planes_bidder"][player].tolist(),
        "points": at["points"].tolist() if over else None,
        "carry": int(at["carry"]) if over else None,
    }


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want = reference_view(deal)
    if deal.terminated and deal.void:
        want["bidder"] = want["mode"] = None
    return want, engine_view(record, i, t)


PLAYOUTS = playout.Playouts(
    "belote", overrides_of, lambda name, n, seed: random_deals(n, seed), _start, view, _views,
    scripts=random_scripts, batch=BATCH, number=2 * BATCH,
)  # fmt: skip
game_of, play, random_record = PLAYOUTS.game_of, PLAYOUTS.play, PLAYOUTS.random_record


def calls_of(name: str, state) -> list[tuple[int, int]]:
    """Return the calls of a state of the compiled game."""
    return belote_view.calls_of(state.public)
