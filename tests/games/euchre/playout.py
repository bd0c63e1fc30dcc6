"""Compiled playouts of Euchre: see `games.playout`."""

from collections.abc import Callable
from functools import reduce
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np

from games import playout
from games.euchre.reference import BIDDERS, PHASES, ReferenceDeal, up_card_place
from games.euchre.variants import overrides_of, rules_of
from games.playout import bits
from jaxcards.games.euchre.play import NOBODY

BATCH = 128


class Deals(playout.Dealt):
    """Input of a batch: decks [n, 24 or 25], dealers [n]."""

    def reference(self, name: str, i: int) -> ReferenceDeal:
        return ReferenceDeal(rules_of(name), self.deck(i), int(self.dealers[i]))


def random_deals(name: str, n: int, seed: int) -> Deals:
    """Uniform decks and dealers, except in every fourth deal.

    There the joker is turned up if the rules have it, and a seat gets a farmer's hand if they know it.
    """
    rules, rng = rules_of(name), np.random.default_rng(seed)
    number = 25 if rules.joker else 24
    decks = playout.random_decks(rng, n, number)
    if rules.joker:
        turned_up = up_card_place(rules.mode)
        for deck in decks[::4]:
            at = int(np.flatnonzero(deck == 24)[0])
            deck[[at, turned_up]] = deck[[turned_up, at]]
    dealers = rng.choice(BIDDERS[rules.mode], n).astype(np.int32)
    if rules.farmers_hand:
        for deck in decks[::4]:
            low = rng.permutation(np.flatnonzero(deck % 6 < 2))[:5]
            first = 5 * int(rng.choice(BIDDERS[rules.mode]))
            rest = np.setdiff1d(np.arange(number), low)
            deck[:] = np.insert(deck[rest], first, deck[low])
    return Deals(decks, dealers)


def given_deals(found: list[SimpleNamespace]) -> Deals:
    """Deals with attributes deck and dealer."""
    decks = np.array([d.deck for d in found], np.int32)
    return Deals(decks, np.array([d.dealer for d in found], np.int32))


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    agents = range(game.num_players)
    seen = [game.observe(state, jnp.int32(agent)) for agent in agents]
    first, public = seen[0], seen[0].public
    call, table = public.calls, public.tricks
    exchanged = jnp.uint32(0) if first.num_discarded is None else first.num_discarded
    return {
        **playout.common_view(game, state),
        "mask": game.legal_actions(state).words[0],
        "call": jnp.stack(call),
        "table": jnp.stack(table),
        "voids": public.voids,
        "picked_up": public.picked_up,
        "num_discarded": exchanged,
        "played_by": jnp.stack([cards.words[0] for cards in first.played_by]),
        "history": jnp.stack(public.history),
        "hands": jnp.stack([one.hand.words[0] for one in seen]),
        "discards": jnp.stack([one.discards.words[0] for one in seen]),
        "observation": playout.flat(seen),
    }


def word(cards) -> int:
    """Return a set of cards or actions as bits."""
    return reduce(int.__or__, (1 << c for c in cards), 0)


def reference_view(deal: ReferenceDeal) -> dict:
    """Return the expected view of a moment, from the reference."""
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
        "dealt_again": deal.dealt_again,
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
    """Return the same, of moment `t` of deal `i` of a record."""
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
        "alone": named and bool(alone),
        "dealt_again": bool(alone) and not named,
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


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    return reference_view(deal), engine_view(record, i, t)


PLAYOUTS = playout.Playouts(
    "euchre", overrides_of, random_deals, lambda game, *row: game.init_from_deck(*row), view, _views
)
game_of, play, random_record = PLAYOUTS.game_of, PLAYOUTS.play, PLAYOUTS.random_record


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
