"""Compiled playouts that remember what every moment looked like, shared by the Sheepshead tests.

One function is compiled for each set of rules, always for `BATCH` deals, and every test goes
through it: actions that the test gives are played, all others are random legal ones.
"""

from dataclasses import dataclass
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from games.sheepshead.reference import PHASES, fail_aces, is_trump
from games.sheepshead.reference_deal import ReferenceDeal
from games.sheepshead.variants import overrides_of, rules_of
from jaxcards import history
from jaxcards.games.sheepshead import score
from jaxcards.games.sheepshead.state import NO_SEAT, seat_points, trick_winner
from jaxcards.testing.deals import quick_jit

BATCH = 96
RANDOM = -1
FACE_DOWN = NO_CARD = 32


@cache
def game_of(variant: str):
    """The compiled game of a preset or variant."""
    preset, changes = overrides_of(variant)
    return jaxcards.make(f"sheepshead/{preset}", **changes)


@dataclass
class Deals:
    """Input of a batch: decks [n, 32], dealers [n], stakes [n]."""

    decks: np.ndarray
    dealers: np.ndarray
    stakes: np.ndarray

    def __len__(self) -> int:
        return len(self.decks)

    def reference(self, variant: str, i: int) -> ReferenceDeal:
        deck = [int(number) for number in self.decks[i]]
        return ReferenceDeal(rules_of(variant), deck, int(self.dealers[i]), int(self.stakes[i]))


def random_deals(variant: str, n: int, seed: int) -> Deals:
    """Random decks, dealers and stakes. In a third of the decks one seat has all fail aces, in another
    nothing but trumps and aces, so that calls of every kind occur."""
    rules = rules_of(variant)
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(32, dtype=np.int32), (n, 1)), axis=1)
    aces = fail_aces(rules)
    strong = [number for number in range(32) if is_trump(rules, number) or number in aces]
    for i, deck in enumerate(decks):
        wanted = [[], aces, strong][i % 3]
        seat = rng.integers(rules.num_players)
        place = int(seat) * {3: 10, 4: 7, 5: 6, 6: 5}[rules.num_players]
        chosen = rng.permutation(wanted)[: {3: 10, 4: 7, 5: 6, 6: 5}[rules.num_players]]
        for k, number in enumerate(chosen):
            other = int(np.flatnonzero(deck == number)[0])
            deck[[place + k, other]] = deck[[other, place + k]]
    return Deals(
        decks=decks,
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        stakes=rng.integers(1, 3, n, dtype=np.int32),
    )


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    n = game.num_players
    seen = [game.observe(state, player) for player in range(n)]
    public = seen[0]

    def words(sets):
        return jnp.stack([cards.words[0] for cards in sets])

    def each(name, default):
        return jnp.stack(
            [jnp.uint32(default if getattr(o, name) is None else getattr(o, name)) for o in seen]
        )

    return {
        "player": state.current_player,
        "terminated": state.terminated,
        "mask": game.legal_action_mask(state),
        "progress": game.progress(state),
        "chips": game.points(state),
        "returns": game.returns(state),
        "num_played": public.num_played,
        "hand": words([o.hand for o in seen]),
        "buried": words([o.buried for o in seen]),
        "blind": words([o.blind for o in seen]),
        "played_by": jnp.stack([words(o.played_by) for o in seen]),
        "history": jnp.stack([history.cards(o.history, game.rules.num_plays) for o in seen]),
        "points": jnp.stack(
            [jnp.stack([seat_points(o.points, seat) for seat in range(n)]) for o in seen]
        ),
        "winners": jnp.stack(
            [jnp.stack([trick_winner(o.winners, t) for t in range(game.rules.hand_size)]) for o in seen]
        ),
        **{name: each(name, 0) for name in ("phase", "dealer", "stakes", "num_buried")},
        **{name: each(name, NO_CARD) for name in ("called", "unknown")},
        **{name: each(name, NO_SEAT) for name in ("picker", "partner", "cracker")},
        **{name: each(name, 0) for name in ("has_unknown", "recracked")},
        "tricks": jnp.stack(score.tricks_won(game.rules, state)),
    }


@cache
def _compiled(variant: str):
    game = game_of(variant)

    def one(deck, dealer, stakes, script, bits):
        state = game.init_from_deck(deck, dealer, stakes=stakes)

        def body(state, given):
            action, word = given
            drawn = game.legal_actions(state).sample(word)
            action = jnp.where(action >= 0, action, drawn)
            return game.step(state, action), view(game, state) | {"action": action}

        return jax.lax.scan(body, state, (script, bits))[1]

    return quick_jit(jax.vmap(one))


def play(variant: str, deals: Deals, scripts=None, seed: int = 0) -> dict[str, np.ndarray]:
    """Plays deals out: every entry of `view`, and the action, as arrays [n, max_steps + 1, ...].

    Entry t is the state before action t; the last is after the longest deal possible, and a deal
    that has ended stays as it is. `scripts` are lists of first actions, by default none; after
    them, random legal actions.
    """
    game, n = game_of(variant), len(deals)
    steps = game.max_steps + 1
    script = np.full((n, steps), RANDOM, np.int32)
    for i, actions in enumerate(scripts or []):
        script[i, : len(actions)] = actions
    bits = np.random.default_rng(seed).integers(0, 2**32, (n, steps), dtype=np.uint32)
    columns = (deals.decks, deals.dealers, deals.stakes, script, bits)
    parts = []
    for start in range(0, n, BATCH):
        rows = np.arange(start, start + BATCH) % n
        keep = min(BATCH, n - start)
        out = _compiled(variant)(*(column[rows] for column in columns))
        parts.append({key: np.asarray(value)[:keep] for key, value in out.items()})
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


@cache
def random_record(variant: str, n: int = BATCH) -> tuple[Deals, dict[str, np.ndarray]]:
    """Random deals of a variant, played at random; several test files look at the same ones."""
    deals = random_deals(variant, n, seed=sum(map(ord, variant)))
    return deals, play(variant, deals, seed=1)


def set_of(word: int) -> list[int]:
    return [number for number in range(32) if int(word) >> number & 1]


def seen_by(record: dict[str, np.ndarray], i: int, t: int, player: int) -> dict:
    """What `ReferenceDeal.observation` should hold, of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}

    def one(name, missing=None):
        number = int(at[name][player])
        return None if number == missing else number

    played = int(at["num_played"])
    unknown = one("unknown", NO_CARD)
    order = [int(number) for number in at["history"][player][:played]]
    shown = [unknown if number == FACE_DOWN else number for number in order]
    sets = [set_of(word) for word in at["played_by"][player]]
    n = len(sets)
    return {
        "phase": PHASES[int(at["phase"][player])],
        "current_player": int(at["player"]),
        "dealer": one("dealer"),
        "stakes": one("stakes"),
        "hand": set_of(at["hand"][player]),
        "picker": one("picker", NO_SEAT),
        "called": one("called", NO_CARD),
        "has_unknown": bool(at["has_unknown"][player]),
        "unknown": unknown,
        "cracker": one("cracker", NO_SEAT),
        "recracked": bool(at["recracked"][player]),
        "shown": shown,
        "played_by": sets,
        "winners": [int(seat) for seat in at["winners"][player][: played // n]],
        "points": [int(x) for x in at["points"][player]],
        "num_buried": one("num_buried"),
        "buried": set_of(at["buried"][player]),
        "blind": set_of(at["blind"][player]),
        "partner": one("partner", NO_SEAT),
    }


def reference_seen(deal: ReferenceDeal, player: int) -> dict:
    """The same, of the reference."""
    seen = deal.observation(player)
    plays = seen["shown"]
    return seen | {
        "shown": [number for _, number in plays],
        "played_by": [
            sorted(number for s, number in plays if s == seat and number is not None)
            for seat in range(deal.n)
        ],
    }
