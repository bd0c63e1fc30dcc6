"""Compiled playouts that remember what every moment looked like, shared by the Euchre tests.

One function is compiled for each set of rules, always for `BATCH` deals, and every test goes
through it: actions that the test gives are played, all others are random legal ones.
"""

from collections.abc import Callable
from functools import cache, reduce
from types import SimpleNamespace
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from games.euchre.reference import BIDDERS, PHASES, ReferenceDeal
from games.euchre.variants import overrides_of, rules_of
from jaxcards.games.euchre.state import NOBODY
from jaxcards.testing.deals import quick_jit

BATCH = 128
RANDOM = -1


@cache
def game_of(name: str):
    """The compiled game of a preset or variant."""
    preset, changed = overrides_of(name)
    return jaxcards.make(f"euchre/{preset}", **changed)


class Deals(NamedTuple):
    """Input of a batch: decks [n, 24 or 25], dealers [n]."""

    decks: np.ndarray
    dealers: np.ndarray

    def reference(self, name: str, i: int) -> ReferenceDeal:
        return ReferenceDeal(rules_of(name), self.decks[i].tolist(), int(self.dealers[i]))


def random_deals(name: str, n: int, seed: int) -> Deals:
    """Uniform decks and dealers; with the joker, it is turned up in every fourth deal."""
    rules, rng = rules_of(name), np.random.default_rng(seed)
    number = 25 if rules.joker else 24
    decks = rng.permuted(np.tile(np.arange(number, dtype=np.int32), (n, 1)), axis=1)
    if rules.joker:
        for deck in decks[::4]:
            at = int(np.flatnonzero(deck == 24)[0])
            deck[[at, 20]] = deck[[20, at]]
    return Deals(decks, rng.choice(BIDDERS[rules.mode], n).astype(np.int32))


def given_deals(found: list[SimpleNamespace]) -> Deals:
    """Deals with attributes deck and dealer."""
    decks = np.array([d.deck for d in found], np.int32)
    return Deals(decks, np.array([d.dealer for d in found], np.int32))


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    agents = range(game.num_players)
    seen = [game.observe(state, jnp.int32(agent)) for agent in agents]
    public = seen[0]
    call, table = public.calls, public.tricks
    exchanged = jnp.uint32(0) if public.num_discarded is None else public.num_discarded
    return {
        "player": state.current_player,
        "terminated": state.terminated,
        "mask": game.legal_actions(state).words[0],
        "progress": game.progress(state),
        "points": game.points(state),
        "returns": game.returns(state),
        "call": jnp.stack(call),
        "table": jnp.stack(table),
        "voids": public.voids,
        "picked_up": public.picked_up,
        "num_discarded": exchanged,
        "played_by": jnp.stack([cards.words[0] for cards in public.played_by]),
        "history": jnp.stack(public.history),
        "hands": jnp.stack([one.hand.words[0] for one in seen]),
        "discards": jnp.stack([one.discards.words[0] for one in seen]),
        "observation": jnp.stack([_flat(one) for one in seen]),
    }


def _flat(observation) -> jax.Array:
    leaves = jax.tree.leaves(observation)
    return jnp.stack([leaf.astype(jnp.uint32) for leaf in leaves])


@cache
def _compiled(name: str):
    game = game_of(name)

    def one(deck, dealer, script, bits):
        state = game.init_from_deck(deck, dealer)

        def body(state, given):
            action, word = given
            drawn = game.legal_actions(state).sample(word)
            action = jnp.where(action >= 0, action, drawn)
            return game.step(state, action), view(game, state) | {"action": action}

        return jax.lax.scan(body, state, (script, bits))[1]

    return quick_jit(jax.vmap(one))


def play(name: str, deals: Deals, scripts=None, seed: int = 0) -> dict[str, np.ndarray]:
    """Plays deals out: every entry of `view`, and the action, as arrays [n, max_steps + 1, ...].

    Entry t is the state before action t; the last is after the longest deal possible, and a deal
    that has ended stays as it is. `scripts` are lists of first actions, by default none; after
    them, random legal actions.
    """
    game, n = game_of(name), len(deals.decks)
    steps = game.max_steps + 1
    script = np.full((n, steps), RANDOM, np.int32)
    for i, actions in enumerate([] if scripts is None else scripts):
        script[i, : len(actions)] = actions
    bits = np.random.default_rng(seed).integers(0, 2**32, (n, steps), dtype=np.uint32)
    columns = (deals.decks, deals.dealers, script, bits)
    parts = []
    for start in range(0, n, BATCH):
        rows = np.arange(start, start + BATCH) % n
        keep = min(BATCH, n - start)
        out = _compiled(name)(*(column[rows] for column in columns))
        parts.append({key: np.asarray(value)[:keep] for key, value in out.items()})
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


@cache
def random_record(name: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    deals = random_deals(name, n, seed=sum(map(ord, name)))
    return deals, play(name, deals, seed=1)


def word(cards) -> int:
    """A set of cards or actions as bits."""
    return reduce(int.__or__, (1 << c for c in cards), 0)


def bits(value) -> list[int]:
    """The set bits of a word, ascending."""
    return [b for b in range(32) if int(value) >> b & 1]


def reference_view(deal: ReferenceDeal) -> dict:
    """What a moment should look like, of the reference."""
    agents = range(len(deal.points()))
    over = deal.terminated
    return {
        "player": None if over else deal.current_player,
        "seat": None if over else deal.seat,
        "phase": deal.phase,
        "legal": deal.legal(),
        "progress": deal.progress(),
        "points": deal.points() if over else [0] * len(agents),
        "returns": deal.returns() if over else [0] * len(agents),
        "trump": deal.trump,
        "maker": deal.maker,
        "alone": deal.alone,
        "lone_defender": deal.lone_defender,
        "active": deal.active if deal.phase in ("EXCHANGE", "DEFEND", "PLAY") else None,
        "winners": list(deal.winners),
        "voids": sorted(4 * seat + suit for seat, suit in deal.voids),
        "picked_up": deal.picked_up,
        "num_discarded": len(deal.discards[deal.maker]) - (deal.picked_up and deal.maker == deal.dealer)
        if deal.took_dummy
        else 0,
        "plays": list(deal.plays),
        "hands": [deal.seen_hand(agent) for agent in agents],
        "discards": [deal.seen_discards(agent) for agent in agents],
    }


def engine_view(record: dict[str, np.ndarray], i: int, t: int) -> dict:
    """The same, of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}
    phase, seat, trump, maker, alone, defender, active = at["call"].tolist()
    *_, tricks, winners = at["table"].tolist()
    over, named = bool(at["terminated"]), trump < 4
    owner = {c: s for s, played in enumerate(at["played_by"]) for c in bits(played)}
    packed = [int(h) >> 6 * k & 63 for h in at["history"] for k in range(5)]
    plays = [(owner[c], c) for c in packed[: len(owner)]]
    return {
        "player": None if over else int(at["player"]),
        "seat": None if over else seat,
        "phase": PHASES[phase],
        "legal": [] if over else bits(at["mask"]),
        "progress": at["progress"].tolist(),
        "points": at["points"].tolist(),
        "returns": at["returns"].tolist(),
        "trump": trump if named else None,
        "maker": maker if named else None,
        "alone": bool(alone),
        "lone_defender": None if defender == NOBODY else defender,
        "active": bits(active) if PHASES[phase] in ("EXCHANGE", "DEFEND", "PLAY") else None,
        "winners": [winners >> 2 * k & 3 for k in range(tricks)],
        "voids": bits(at["voids"]),
        "picked_up": bool(at["picked_up"]),
        "num_discarded": int(at["num_discarded"]),
        "plays": plays,
        "hands": [bits(hand) for hand in at["hands"]],
        "discards": [bits(cards) for cards in at["discards"]],
    }


class Line:
    """One deal played by the reference or the compiled game: `line[t]` is the view before action t.

    Args:
      backend: "reference" or "engine".
      name: the variant.
      deal: has attributes deck and dealer.
      actions: the first actions, or a function of time and legal actions for all of them.
    """

    def __init__(self, backend: str, name: str, deal, actions: list[int] | Callable):
        reference = ReferenceDeal(rules_of(name), list(deal.deck), deal.dealer)
        views, self.actions, rng = [reference_view(reference)], [], np.random.default_rng(0)
        while not reference.terminated:
            legal, t = reference.legal(), len(self.actions)
            if callable(actions):
                action = actions(t, legal)
            else:
                action = actions[t] if t < len(actions) else int(rng.choice(legal))
            assert action in legal, f"action {action} of {actions} is not legal"
            self.actions.append(action)
            reference.step(action)
            views.append(reference_view(reference))
        if backend == "engine":
            record = play(name, given_deals([deal]), [self.actions])
            views = [engine_view(record, 0, t) for t in range(len(self.actions) + 1)]
        self.deal, self._views = reference, views
        self.given = len(self.actions) if callable(actions) else len(actions)

    def __getitem__(self, t: int) -> dict:
        return self._views[t]

    @property
    def now(self) -> dict:
        """The view after the given actions."""
        return self._views[self.given]

    @property
    def last(self) -> dict:
        """The view at the end of the deal."""
        return self._views[-1]
