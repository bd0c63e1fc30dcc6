"""Compiled playouts of Jass: see `games.playout`."""

from dataclasses import dataclass
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np

from games import playout
from games.jass.reference import CHOOSE, ReferenceDeal
from games.jass.variants import overrides_of, rules_of
from jaxcards.games.jass.play import ANNOUNCED_BITS, NO_WINNER, NOT_ANNOUNCED
from jaxcards.records.swisslos_rows import row_of

BATCH = 256


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 36], dealers [n], totals [n, 2], modes [n] (Differenzler)."""

    totals: np.ndarray
    modes: np.ndarray

    def arguments(self, name: str, i: int) -> dict:
        """Keyword arguments of `init_from_deck` and of the reference, deal `i`."""
        if rules_of(name).game == "differenzler":
            return {"mode": int(self.modes[i])}
        return {"totals": tuple(int(t) for t in self.totals[i])}

    def reference(self, name: str, i: int) -> ReferenceDeal:
        more = self.arguments(name, i)
        return ReferenceDeal(rules_of(name), self.deck(i), int(self.dealers[i]), **more)


def random_deals(name: str, n: int, seed: int) -> Deals:
    """Uniform decks and dealers; totals anywhere below the target."""
    rng = np.random.default_rng(seed)
    return Deals(
        decks=playout.random_decks(rng, n, 36),
        dealers=rng.integers(0, 4, n, dtype=np.int32),
        totals=rng.integers(0, max(rules_of(name).target, 1), (n, 2), dtype=np.int32),
        modes=rng.integers(0, 4, n, dtype=np.int32),
    )


def given_deals(found: list[SimpleNamespace]) -> Deals:
    """Deals with attributes deck, dealer, arguments."""
    return Deals(
        decks=np.array([d.deck for d in found], np.int32),
        dealers=np.array([d.dealer for d in found], np.int32),
        totals=np.array([d.arguments.get("totals", (0, 0)) for d in found], np.int32),
        modes=np.array([d.arguments.get("mode", 0) for d in found], np.int32),
    )


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    observations = [game.observe(state, player) for player in range(4)]
    return {
        **playout.common_view(game, state),
        **public_view(game, state, observations),
    }


def public_view(game, state, observations) -> dict:
    """Return public facts and observations; `observation` is that of each player, flattened."""
    if game.rules.weis:
        packed, shown = observations[0].announced, observations[0].shown
        tens = [(packed >> (ANNOUNCED_BITS * seat)) & NOT_ANNOUNCED for seat in range(4)]
        announced = [jnp.where(n == NOT_ANNOUNCED, -1, 10 * n.astype(jnp.int32)) for n in tens]
        shown = [cards.mask() for cards in shown]
    else:  # without Stöck: 0 from a seat's first card on
        announced = [-1 + o.any().astype(jnp.int32) for o in observations[0].played_by]
        shown = [jnp.zeros(36, bool)] * 4
    winner = jnp.int32(2) if state.match_winner is None else state.match_winner.astype(jnp.int32)
    return {
        "match_winner": jnp.where(winner == NO_WINNER, -1, winner),
        "winners": (state.public.winners >> 2 * jnp.arange(9, dtype=jnp.uint32)) & 3,
        "announced": jnp.stack(announced),
        "shown": jnp.stack(shown),
        "swisslos": jnp.stack([row_of(o) for o in observations]),
        "observation": playout.flat(observations),
    }


def _start(game, deck, dealer, totals, mode):
    if game.rules.game == "differenzler":
        return game.init_from_deck(deck, dealer, mode=mode)
    return game.init_from_deck(deck, dealer, totals=(totals[0], totals[1]))


def reference_view(deal: ReferenceDeal) -> dict:
    """Return the expected `view` and `legal`, from the reference."""
    return {
        "player": deal.current_player,
        "terminated": deal.terminated,
        "legal": deal.legal(),
        "progress": deal.progress(),
        "announced": deal.announced(),
        "shown": [sorted(s) for s in deal.shown()],
        "swisslos": [deal.swisslos_row(player) for player in range(4)],
        "points": deal.points() if deal.terminated else None,
        "match_winner": deal.match_winner,
    }


def engine_view(record: dict[str, np.ndarray], i: int, t: int) -> dict:
    """Return the same, of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}
    over = bool(at["terminated"])
    winner = int(at["match_winner"])
    return {
        "player": int(at["player"]),
        "terminated": over,
        "legal": [] if over else np.flatnonzero(at["mask"]).tolist(),
        "progress": at["progress"].tolist(),
        "announced": at["announced"].tolist(),
        "shown": [np.flatnonzero(row).tolist() for row in at["shown"]],
        "swisslos": at["swisslos"].tolist(),
        "points": at["points"].tolist() if over else None,
        "match_winner": None if winner < 0 else winner,
    }


def _views(name: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    want, got = reference_view(deal), engine_view(record, i, t)
    if deal.rules.finish == "deal_end" and not deal.terminated:
        got["match_winner"] = None  # the engine may know it before it is decided
    return want, got


PLAYOUTS = playout.Playouts(
    "jass", overrides_of, random_deals, _start, view, _views, batch=BATCH, number=2 * BATCH
)
game_of, play, random_record = PLAYOUTS.game_of, PLAYOUTS.play, PLAYOUTS.random_record


class Line:
    """One deal played by the reference or the compiled game: `line[t]` is the view before action t.

    `end` is the view after the given actions, or where the deal ended before; `last` that of the
    deal played to its end with random actions.
    """

    def __init__(self, backend: str, name: str, deal, actions, arguments=None):
        self.rules, self.actions = rules_of(name), list(actions)
        given = deal.arguments if arguments is None else arguments
        self.deal = ReferenceDeal(self.rules, deal.deck, deal.dealer, **given)
        whole = SimpleNamespace(deck=deal.deck, dealer=deal.dealer, arguments=given)
        engine = play(name, given_deals([whole]), [self.actions]) if backend == "engine" else None
        rng = np.random.default_rng(len(self.actions))
        views, self._legal = [reference_view(self.deal)], []
        played = 0
        while not self.deal.terminated:
            legal = self.deal.legal()
            if engine is not None:
                action = int(engine["action"][0, played])
            else:
                given_action = self.actions[played : played + 1]
                action = given_action[0] if given_action else int(rng.choice(legal))
            self._legal.append(action in legal)
            self.deal.step(action)
            played += 1
            views.append(reference_view(self.deal))
        if engine is not None:
            views = [engine_view(engine, 0, t) for t in range(played + 1)]
        self._views = views
        self.end = views[min(len(self.actions), played)]
        self.last = views[-1]

    def __getitem__(self, t: int) -> dict:
        """View before action t; a negative t counts from `end`."""
        return self._views[t] if t >= 0 else self._views[len(self.actions) + 1 + t]

    @property
    def mode(self) -> int | None:
        return self.deal.mode

    def legally_played(self) -> bool:
        return all(self._legal[: len(self.actions)])

    def tricks(self) -> list[tuple[int, int]]:
        """(team, points) of the tricks completed within the given actions, from the progress."""
        found = []
        upto = self._views[: len(self.actions) + 1]
        calls = sum(action >= CHOOSE for action in self.actions)
        for t in range(calls + 4, len(upto), 4):
            before, after = upto[t - 4]["progress"], upto[t]["progress"]
            gain = [b - a for a, b in zip(before, after, strict=True)]
            won = next((seat for seat in range(4) if gain[seat]), upto[t]["player"])
            found.append((won % 2, max(gain)))
        return found

    def weis_and_stock(self) -> list[int]:
        """Points of Weis and Stöck by team, from the final score."""
        factor = self.rules.multipliers[self.mode]
        won = [sum(w % 2 == t for _, _, w, _ in self.deal.tricks) for t in (0, 1)]
        return [
            self.last["points"][t] // factor
            - self.last["progress"][t]
            - (self.rules.match_bonus if won[t] == 9 else 0)
            for t in (0, 1)
        ]

    def weis_points(self) -> list[int]:
        """Points of Weis by team, from the final score."""
        rest = self.weis_and_stock()
        return [r - s for r, s in zip(rest, self.deal.stock_points, strict=True)]
