"""Hashes of deals of every preset: the same keys give the same deals and the same play, bit for bit.

The hashed values come from the public interface alone, so that they do not depend on the fields of a
state: the player to act, legal actions, chosen actions, features, scores, texts. If the hash of "deals"
must change, the preset gets a new version: `VERSIONS` of its rules module.

python tests/repo/replays.py                  # compares every preset with replays.json
python tests/repo/replays.py jass belote/bela # some of them
python tests/repo/replays.py --write          # writes replays.json, after an intended change
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "replays.json"
NUM_DEALS = 32
NUM_RANDOM_DEALS = 1000
NUM_MATCHES = 4


def of_game(id: str) -> dict[str, str]:
    """Return a hash of each kind of play of a preset, by its name."""
    import jaxcards
    from jaxcards.agents.players import make_player

    game = jaxcards.make(id)
    return {
        "deals": _hash(_random_deals(game)),
        "heuristic": _hash(_whole_deals(game, make_player("heuristic", game), NUM_DEALS)),
        "staged": _hash(_whole_deals(game, make_player("random", game), NUM_DEALS)),
        "matches": _hash(_whole_deals(jaxcards.Match(game), make_player("random", game), NUM_MATCHES)),
        "text": _hash(_texts(game)),
    }


def _keys(number: int) -> Any:
    import jax

    return jax.random.split(jax.random.key(2026), number)


def _random_deals(game: Any) -> Any:
    """Return the data of every decision of random deals, and the resampled hidden cards."""
    import jax
    import jax.numpy as jnp

    from jaxcards.testing.deals import quick_jit

    def play(key: Any) -> Any:
        keys = jax.random.split(key, game.max_steps + 1)

        def step(state: Any, key: Any) -> Any:
            player = state.current_player
            legal = game.legal_actions(state)
            word = jax.random.bits(key, dtype=jnp.uint32)
            action = legal.sample_word(word)
            seen_by = (word % game.num_players).astype(jnp.int32)
            seen = {
                "player": player,
                "over": state.terminated,
                "legal": legal.mask(),
                "action": action,
                "own": game.feature_words(game.observe(state, player)),
                "others": game.feature_words(game.observe(state, seen_by)),
                "whole": game.full_state_words(state),
                "progress": game.progress(state),
            }
            return game.step(state, action), (seen, (key, state, seen_by))

        final, (seen, states) = jax.lax.scan(step, game.init(keys[0]), keys[1:])
        return seen, states, (final.terminated, game.points(final), game.returns(final))

    def deal_anew(key: Any, state: Any, seen_by: Any) -> Any:
        return [hand.mask() for hand in game.card_places(game.determinize(key, state, seen_by)).hands]

    seen, states, final = quick_jit(jax.vmap(play))(_keys(NUM_RANDOM_DEALS))
    # Most of the work is here, so that optimised code is worth its compilation.
    of_deals = jax.jit(lambda deals: jax.lax.map(lambda deal: jax.vmap(deal_anew)(*deal), deals))
    seen["dealt_anew"] = of_deals(states)
    return seen, *final


def _whole_deals(game: Any, agent: Any, number: int) -> Any:
    """Return the scores of whole deals or matches of one agent."""
    import jax

    import jaxcards
    from jaxcards.testing.deals import quick_jit

    def play(key: Any) -> Any:
        done = jaxcards.rollout(game, agent, (), key)
        return done.points, done.returns, game.progress(done.state)

    return quick_jit(jax.vmap(play))(_keys(number))


def _texts(game: Any) -> list[str]:
    """Return the names of all actions, and a finished deal as text."""
    import jax

    import jaxcards
    from jaxcards.agents.players import make_player
    from jaxcards.testing.deals import quick_jit

    agent = make_player("random", game)
    done = quick_jit(lambda key: jaxcards.rollout(game, agent, (), key).state)(_keys(1)[0])
    fresh = quick_jit(game.init)(jax.random.key(1))
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    return [*names, game.to_string(fresh), game.to_string(done)]


def _hash(content: Any) -> str:
    import jax

    digest = hashlib.sha256()
    for leaf in jax.tree.leaves(content):
        value = leaf.encode() if isinstance(leaf, str) else np.asarray(leaf)
        if not isinstance(value, bytes):
            digest.update(f"{value.dtype}{value.shape}".encode())
            value = np.ascontiguousarray(value).tobytes()
        digest.update(value)
    return digest.hexdigest()[:16]


def load() -> dict[str, Any]:
    """Return the recorded hashes, by the id of a preset with its version."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def main(arguments: list[str]) -> int:
    import jaxcards
    from jaxcards import registry

    write = "--write" in arguments
    wanted = [argument for argument in arguments if argument != "--write"]
    ids = [id for id in jaxcards.games() if "/" in id]
    ids = [id for id in ids if not wanted or id in wanted or id.partition("/")[0] in wanted]
    held_to = load() if FILE.exists() else {}
    failed = []
    for id in ids:
        found = of_game(id)
        key = registry.versioned_id(id)
        differs = [name for name, value in found.items() if held_to.get(key, {}).get(name) != value]
        print(id, f"differs in {', '.join(differs)}" if differs else "is the same", flush=True)
        failed += [id] if differs else []
        held_to[key] = found
    if write:
        FILE.write_text(json.dumps(held_to, indent=1) + "\n", encoding="utf-8")
    return int(bool(failed) and not write)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.exit(main(sys.argv[1:]))
