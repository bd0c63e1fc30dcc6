"""Measures the Euchre heuristic: against random play, whole and in parts, playing alone, speed.

    python experiments/euchre_heuristic/measure.py

Every deal is played in all seatings of `jaxcards.evaluation`; intervals are those of paired means.
`results.txt` has the output.
"""

import dataclasses
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.games.euchre.calls import SAY_ALONE, SAY_TEAM, chooses_card
from jaxcards.games.euchre.state import ALONE
from jaxcards.rollouts import recorded_rollout, rollout
from jaxcards.xla import jit

DEALS = 8192


@dataclasses.dataclass(frozen=True)
class Halves:
    """Says what one player says, and lays down and plays its cards like another."""

    caller: Any
    cards: Any

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.caller.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(chooses_card(observation.public.calls.phase), card, call)


def compare(name: str, game: Any, player: Any, other: Any, deals: int = DEALS) -> None:
    result = evaluate(game, [player, other], [(), ()], ["ours", "theirs"], deals, 2026, 2048)
    pair = result.pairs[0]
    margin = (pair.difference.high - pair.difference.low) / 2
    print(
        f"{game.id}: {name}: {pair.difference.mean:.3f} ± {margin:.3f} points per deal, "
        f"{100 * pair.won.mean:.1f} % of deals won",
        flush=True,
    )


def speed(game: Any, player: Any, batch: int = 4096) -> None:
    """Decisions a second, those after the end of a deal not counted."""

    def deal(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        done, steps = recorded_rollout(game, player, (), key)
        return done.points, steps.valid.sum()

    keys = jax.random.split(jax.random.key(0), batch)
    play = jit(lambda keys: jax.vmap(deal)(keys))
    begin = time.perf_counter()
    play = play.lower(keys).compile()
    compiled = time.perf_counter() - begin
    decisions = int(jax.block_until_ready(play(keys))[1].sum())
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        jax.block_until_ready(play(keys))
        times.append(time.perf_counter() - begin)
    rate = decisions / min(times)
    print(f"{game.id}: {rate / 1e6:.2f} million decisions/s, compiled in {compiled:.1f} s", flush=True)


def lone_calls(game: Any, player: Any, batch: int = 32768) -> None:
    """How often the makers play alone, and what comes of it, against what the team would have got."""

    def deal(key: jax.Array) -> tuple[jax.Array, ...]:
        def step(state: Any, _: None) -> tuple[Any, None]:
            seen = game.observe(state, state.current_player)
            action = player.act((), seen, game.legal_actions(state), key)
            before = state.calls.phase < ALONE
            after = game.step(state, action)
            return jax.tree.map(lambda a, b: jnp.where(before, a, b), after, state), None

        state, _ = jax.lax.scan(step, game.init(key), None, length=2 * len(game.hints.dealers) + 1)
        maker = state.current_player
        seen = game.observe(state, maker)
        named = state.calls.phase == ALONE
        alone = player.act((), seen, game.legal_actions(state), key) == SAY_ALONE
        ends = [
            rollout(game, player, (), key, state=game.step(state, jnp.int32(action)))
            for action in (SAY_ALONE, SAY_TEAM)
        ]
        more = ends[0].returns - ends[1].returns
        gain = more[maker]
        if game.teams is None:  # what the two others get counts half each
            gain = gain - (more.sum() - gain) / 2
        return named, alone, gain, *(game.progress(end.state)[maker] for end in ends)

    found = jit(lambda keys: jax.vmap(deal)(keys))(jax.random.split(jax.random.key(2026), batch))
    named, alone, gain, won, team = (np.asarray(part) for part in found)
    lone = named & alone
    gain, won, team = gain[lone], won[lone], team[lone]
    margin = 1.96 * gain.std() / np.sqrt(gain.size)
    share, five, euchred, team_five, team_euchred = (
        f"{100 * part.mean():.1f} %" for part in (alone[named], won == 5, won < 3, team == 5, team < 3)
    )
    print(
        f"{game.id}: {share} of makers play alone: five tricks {five}, euchred {euchred}; the same "
        f"deals together: {team_five}, {team_euchred}; alone brings "
        f"{gain.mean():.3f} ± {margin:.3f} more",
        flush=True,
    )


def main() -> None:
    for preset in ("standard", "three_handed"):
        game = jaxcards.make(f"euchre/{preset}")
        speed(game, make_player("heuristic", game))
    game = jaxcards.make("euchre/standard")
    rules, chance = make_player("heuristic", game), make_player("random", game)
    compare("heuristic against random", game, rules, chance)
    compare("rules call, random cards against random", game, Halves(rules, chance), chance)
    compare("random calls, rules cards against random", game, Halves(chance, rules), chance)
    compare("rules against random calls, rules cards", game, rules, Halves(chance, rules))
    compare("rules against rules call, random cards", game, rules, Halves(rules, chance))
    for preset in ("stick_the_dealer", "british", "three_handed", "three_handed_code", "dummy_partner"):
        game = jaxcards.make(f"euchre/{preset}")
        heuristic, chance = make_player("heuristic", game), make_player("random", game)
        compare("heuristic against random", game, heuristic, chance)
    for preset in ("standard", "three_handed", "three_handed_code", "dummy_partner"):
        game = jaxcards.make(f"euchre/{preset}")
        lone_calls(game, make_player("heuristic", game))


if __name__ == "__main__":
    main()
