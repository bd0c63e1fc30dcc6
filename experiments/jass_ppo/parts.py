"""Measures the calls and the cards of the trained player separately.

    python experiments/jass_ppo/parts.py

A player that takes its calls from one agent and its cards from another meets random play.
"""

import dataclasses
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agent import RandomAgent  # noqa: E402
from jaxcards.evaluation.duplicate import evaluate  # noqa: E402
from jaxcards.games.jass.deck import UNDECIDED  # noqa: E402
from jaxcards.training.player import load_trained_player  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Mixed:
    """Calls like one agent and plays like another; `params` are those of both."""

    calls: Any
    cards: Any

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.calls.act(params[0], observation, legal, key)
        card = self.cards.act(params[1], observation, legal, key)
        return jnp.where(observation.public.mode == UNDECIDED, call, card)


def main() -> int:
    game = jaxcards.make("jass")
    agent, params = load_trained_player(HERE, game)
    anyone = RandomAgent()
    result = evaluate(
        game,
        agents=[Mixed(anyone, agent), Mixed(agent, anyone), anyone],
        params=[((), params), (params, ()), ()],
        names=["random calls", "random cards", "random"],
        num_deals=2000,
        seed=1,
    )
    (HERE / "parts.txt").write_text(result.to_text() + "\n", encoding="utf-8")
    print(result.to_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
