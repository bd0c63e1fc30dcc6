"""Fits the weights of the Sheepshead heuristic in self-play.

    python experiments/sheepshead_heuristic/fit.py play standard 150  weights of burying and card play
    python experiments/sheepshead_heuristic/fit.py bids 2  worth of the parts of a hand

`play` takes 150 seconds; `bids` also finds from which worth on to pick, to go alone, to crack.
Each prints what to write into `burying.py` and `playing.py`, or into
`bidding.py`; the last number of `bids` is a number of batches of 8192 deals. README.md
says what each step brought.
"""

import dataclasses
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.sheepshead import bidding, player
from jaxcards.agents.heuristics.sheepshead.bidding import PARTS, THRESHOLDS, Key, Thresholds, key_of
from jaxcards.cards.seats import seat_after
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.play import CRACK, LONER, NO_SEAT, PICK, RECRACK
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.fitting import climb, flat, gradient_of

WEIGHTS = player.WEIGHTS
TABLES = ((5, True), (5, False), (4, True), (4, False), (3, False), (6, True), (6, False))
"""Players, and whether one of them is the picker's partner."""
SPEC = (WEIGHTS.bury, WEIGHTS.play)


@dataclasses.dataclass(frozen=True)
class Tunable:
    """The heuristic with other weights in every seat.

    Its parameters: float32[n], the weights of burying and play; their change; for each seat, by how
    much of it its weights differ; and a float32 by which it picks more boldly.
    """

    rules: Any

    def init(self, key: jax.Array, game: Any) -> Any:
        centre = jnp.asarray(flat(SPEC))
        return centre, 0 * centre, jnp.zeros(self.rules.num_players), jnp.float32(0)

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        centre, change, seats, bold = params
        sign = jnp.where(jnp.arange(seats.shape[0]) == observation.player, seats, 0).sum()
        values = centre + sign * change
        burying, play = jax.tree.unflatten(jax.tree.structure(SPEC), list(values))
        limits = THRESHOLDS[key_of(self.rules)]
        limits = limits._replace(pick=tuple(limit - bold for limit in limits.pick))
        weights = player.Weights(WEIGHTS.hand, burying, play)
        return player.choose(self.rules, weights, limits, observation, legal)


# ---- The play of the cards ----------------------------------------------------------------------


def tune_play(preset: str, seconds: float, batch: int = 4096) -> None:
    """Evolution strategy: in every deal some seats change all weights a little, the rest less."""
    game = jaxcards.make(f"sheepshead/{preset}")
    agent, n = Tunable(game.rules), game.num_players
    centre = flat(SPEC)
    scale = np.maximum(0.4, 0.15 * np.abs(centre)).astype(np.float32)

    def deal(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        keys = jax.random.split(jax.random.fold_in(key, 7), 4)
        change = jax.random.normal(keys[0], centre.shape)
        signs = jax.random.permutation(keys[1], jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0))
        # Hands that are not quite good enough are picked as well, so that leasters do not prevail.
        bold = jax.random.uniform(keys[2], minval=-40, maxval=120)

        def table(signs: jax.Array) -> jax.Array:
            params = (centre, scale * change, signs, bold)
            return (rollout(game, agent, params, key).returns * signs).mean()

        return jax.vmap(table)(jnp.stack([signs, -signs])).mean(), change

    gradient = gradient_of(deal, batch, 4)
    report(climb(
        gradient, centre, scale, seconds, rate=0.25, floor=0.15, steady=0.003, report=report
    ))  # fmt: skip


def report(theta: np.ndarray) -> None:
    burying, play = jax.tree.unflatten(jax.tree.structure(SPEC), theta.tolist())
    for name, weights in (("burying", burying), *play._asdict().items()):
        values = ", ".join(f"{field}={value:.2f}" for field, value in weights._asdict().items())
        print(f"{name}: {values}", flush=True)


# ---- Picking, going alone, cracking -------------------------------------------------------------


def tune_bids(batches: int) -> None:
    """Tries every decision both ways, in self-play."""
    worths = None
    for players, partner in TABLES:
        game = jaxcards.make(
            "sheepshead", num_players=players, partner="called_ace" if partner else "none",
            double_on_bump=False, crack=True, recrack=True, crack_who="defenders",
        )  # fmt: skip
        data = trials(game, batches)
        parts, pays, likely = data["parts"], data["pays"], data["likely"]
        if worths is None:
            use = likely[:, 0]
            a = np.column_stack([np.ones(use.sum()), parts[use, 0]]).astype(np.float64)
            fitted = np.linalg.lstsq(a, 100 * pays[use, 0, 0], rcond=None)[0]
            around = (100 * pays[use, 0, 0] - a @ fitted).std()
            print(f"# {use.sum()} deals, {around:.0f} around, constant {fitted[0]:.0f}")
            worths = np.round(fitted[1:])
            for part, worth in zip(PARTS, worths, strict=True):
                print(f'    Part("{part.name}", {worth:.0f}),')
        value = parts @ worths
        for bump in (False, True):
            gain = pays * np.where(data["lost"] & bump, 2, 1)
            gain = gain[..., 0] - gain[..., 1]
            behind, use = data["behind"], likely
            pick = tuple(
                crossing(value[:, 0], gain[:, 0], use[:, 0] & (behind == place))
                for place in range(players)
            )
            rest = [crossing(value[:, i], gain[:, i], use[:, i]) for i in (1, 2, 3)]
            found = Thresholds(pick, *rest)
            print(f"    {Key(players, partner, bump)}: {found},", flush=True)


def crossing(value: np.ndarray, gain: np.ndarray, use: np.ndarray) -> int:
    """Returns where the line through the gains crosses zero, near that place."""
    value, gain = value[use], gain[use]
    if len(value) < 100:
        return 9999
    place = np.median(value)
    for width in (1e9, 150, 120, 120):
        near = np.abs(value - place) < width
        if near.sum() < 100:
            return round(place)
        slope, constant = np.polyfit(value[near], gain[near], 1)
        if slope <= 0:
            return round(place)
        place = np.clip(-constant / slope, value.min(), value.max())
    return round(float(place))


def trials(game: Any, batches: int, batch: int = 8192) -> dict[str, np.ndarray]:
    """Plays deals in which each of four decisions (pick, alone, crack, re-crack) is made both ways.

    Returns:
      parts: the description of the hand, [deals, 4, parts]; pays: chips of who decides, [deals, 4, 2];
      lost: whether the picking side lost; likely: whether the decision comes up; behind: how many
      were still to be asked.
    """
    agent, n = player.SheepsheadHeuristicAgent(game.rules), game.num_players

    def advance(state: Any, steps: int, stop: Any) -> Any:
        def step(state: Any, _: Any) -> tuple[Any, None]:
            seen = game.observe(state, state.current_player)
            action = agent.act((), seen, game.legal_actions(state), jax.random.key(0))
            after = game.step(state, action)
            return jax.tree.map(lambda a, b: jnp.where(stop(state), a, b), state, after), None

        return jax.lax.scan(step, state, None, length=steps)[0]

    def deal(key: jax.Array) -> Any:
        place = jax.random.randint(jax.random.fold_in(key, 1), (), 0, n)
        asked = advance(game.init(key), n, lambda s: (s.public.phase != PICK) | (_asked(s, n) >= place))
        picked = game.step(asked, jnp.int32(PICK_ACTION))
        taken = jax.tree.map(lambda a, b: jnp.where(asked.public.phase != PICK, a, b), asked, picked)
        steps = 4 + game.rules.blind_size + n
        cracked = advance(
            taken, steps, lambda s: (s.public.phase == CRACK) & _can(game, s, CRACK_ACTION)
        )
        after_crack = game.step(cracked, jnp.int32(CRACK_ACTION))
        starts = [asked, taken, cracked, after_crack]
        good = _good(game, asked)  # later decisions come up only with hands that are picked with
        in_crack = good & (cracked.public.phase == CRACK)
        likely = [
            asked.public.phase == PICK,
            good & _can(game, taken, PARTNER_ACTION) & (taken.public.phase == LONER),
            in_crack, in_crack & (after_crack.public.phase == RECRACK),
        ]  # fmt: skip
        final = _both_ways(game, agent, key, starts)
        chips = jax.vmap(game.points)(final)
        own = jnp.stack([chips[i, starts[i // 2].current_player] for i in range(8)])
        factor = jnp.where(final.public.cracker != NO_SEAT, 2, 1) * jnp.where(
            final.public.recracked, 2, 1
        )
        # Whether to pick or to go alone is asked as if nobody could crack.
        own = own / jnp.where(jnp.arange(8) < 4, factor, 1)
        picker = jnp.arange(n) == final.public.picker[:, None]
        return {
            "parts": jnp.stack([jnp.stack(_parts(game, s)) for s in starts]),
            "pays": own.reshape(4, 2),
            "lost": (picker & (chips < 0)).any(1).reshape(4, 2),
            "likely": jnp.stack(likely),
            "behind": n - 1 - _asked(asked, n),
        }

    run = jit(lambda key: jax.vmap(deal)(jax.random.split(key, batch)))
    rows = [jax.tree.map(np.asarray, run(jax.random.key(i))) for i in range(batches)]
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}


def _both_ways(game: Any, agent: Any, key: jax.Array, starts: list[Any]) -> Any:
    """Returns the ends of eight deals: each of the four decisions made boldly, and not."""
    pairs = ((PICK_ACTION, PASS_ACTION), (ALONE_ACTION, PARTNER_ACTION), (CRACK_ACTION, PASS_ACTION),
             (RECRACK_ACTION, PASS_ACTION))  # fmt: skip
    branches = [
        game.step(start, jnp.int32(action))
        for start, pair in zip(starts, pairs, strict=True)
        for action in pair
    ]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *branches)
    return jax.vmap(lambda state: rollout(game, agent, (), key, state=state).state)(stacked)


def _asked(state: Any, n: int) -> jax.Array:
    """How many were asked to pick before the player to act."""
    first = seat_after(state.public.dealer, 1, n).astype(jnp.int32)
    return jnp.where(state.current_player >= first, 0, n) + state.current_player - first


def _can(game: Any, state: Any, action: int) -> jax.Array:
    return game.legal_actions(state).contains(jnp.int32(action))


def _parts(game: Any, state: Any) -> list[jax.Array]:
    seen = game.observe(state, state.current_player)
    leads = _asked(state, game.num_players) == 0
    return bidding.parts(game.rules, seen.hand.words[0], leads)


def _good(game: Any, asked: Any) -> jax.Array:
    """Whether somebody has picked, or the one to be asked has a hand to pick with."""
    seen = game.observe(asked, asked.current_player)
    agent = player.SheepsheadHeuristicAgent(game.rules)
    action = agent.act((), seen, game.legal_actions(asked), jax.random.key(0))
    return (asked.public.phase != PICK) | (action == PICK_ACTION)


if __name__ == "__main__":
    if sys.argv[1] == "play":
        tune_play(sys.argv[2], float(sys.argv[3]))
    else:
        tune_bids(int(sys.argv[2]))
