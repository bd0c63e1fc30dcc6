"""Draws the pictures of README.md and docs/: `python docs/pictures/make.py`.

Each is a deal of a seed, played by the heuristic so far, as the player to act sees it.
"""

from pathlib import Path

import jax

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.evaluation.simulation import play_one, states_of
from jaxcards.files import write_text

FOLDER = Path(__file__).parent
MOMENTS = {
    "jass": ("jass", 5, 15),
    "belote": ("belote", 4, 14),
    "euchre": ("euchre", 3, 8),
    "rikiki": ("rikiki/standard5", 2, 12),
    "sheepshead": ("sheepshead", 3, 14),
    "hearts": ("hearts", 3, 30),
}
"""Name of each picture -> id of the game, seed, and number of decisions that have been made."""


def picture(name: str) -> str:
    """Return a picture as SVG."""
    id, seed, decisions = MOMENTS[name]
    game = jaxcards.make(id)
    heuristic = make_player("heuristic", game)
    params = heuristic.init(jax.random.key(0), game)
    deal, _ = play_one(game, [heuristic], [params], seed)
    actions = [decision["action"] for decision in deal["decisions"][:decisions]]
    *_, state = states_of(game, seed, actions)
    return game.to_svg(state, int(state.current_player))


if __name__ == "__main__":
    for name in MOMENTS:
        write_text(FOLDER / f"{name}.svg", picture(name))
