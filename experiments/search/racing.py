"""How much of a search can be left out: candidates that are given up after a part of the worlds.

    python experiments/search/racing.py jass/schieber_1000 euchre/standard --deals 128

The shipped network plays deals. At every card that is no forced one all candidates are played out in
all worlds. Then each rule is applied to what was found: how many plays it would have taken, how often
it would have led to another card, and what that card is worth by all worlds. Writes `racing.json`.
"""

import argparse
import itertools
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tables import TABLES, decisions

import jaxcards
from jaxcards.agents.search import analysis
from jaxcards.champions.catalogue import load_search
from jaxcards.files import write_text
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "racing.json"
WORLDS = 128
LEGS = {"16, 32, 64": (16, 32, 64), "32, 64": (32, 64), "32": (32,)}
ERRORS = (0.0, 0.5, 1.0, 1.5, 2.0)


def gather(game, deals, seed):
    """Returns which candidates are legal, bool[decisions, candidates], and what each came to.

    That is float32[decisions, worlds, candidates], for the player that decides.
    """
    search, params = load_search(game, worlds=WORLDS)

    def look(params, state, key):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        searched = ~state.terminated & (legal.count() > 1) & state.playing
        score = analysis.scores(search.base, params, seen, legal, analysis.base_key(key))
        best, action = jax.lax.top_k(score, search.candidates)
        is_legal = best > -jnp.inf
        action = jnp.where(is_legal, action, action[0]).astype(jnp.int32)
        returns = analysis.play_out(
            game, search.base, params, seen, action, key,
            worlds=WORLDS, belief=search.belief, played_out=is_legal & searched,
        )  # fmt: skip
        own = jnp.take_along_axis(returns, jnp.full((1, 1, 1), seen.player), axis=-1)[..., 0]
        return game.step(state, action[0]), (searched, is_legal, own)

    rows = [
        (legal[searched], own[searched])
        for _, (searched, legal, own) in decisions(game, look, params, deals, seed)
    ]
    return tuple(map(np.concatenate, zip(*rows, strict=True)))


def mean_and_error(gains):
    """Returns means over the worlds, and their errors; gains: [decisions, worlds, candidates]."""
    return gains.mean(1), gains.std(1, ddof=1) / np.sqrt(gains.shape[1])


def chosen(legal, gains):
    """Returns which candidate has the most evidence, the policy's own if none has enough."""
    gain, error = mean_and_error(gains)
    evidence = np.where(legal, gain - error, -np.inf)
    evidence[:, 0] = 0
    return evidence.argmax(1)


def raced(legal, gains, legs, errors):
    """Returns who is never given up, and how many deals were played on, for each decision."""
    alive, plays, before = legal.copy(), np.zeros(len(legal)), 0
    for worlds in (*legs, WORLDS):
        going = alive & ((alive.sum(1) > 1) | (before == 0))[:, None]
        plays += going.sum(1) * (worlds - before)
        before = worlds
        if worlds < WORLDS:
            gain, error = mean_and_error(gains[:, :worlds])
            alive &= gain + errors * error >= 0
    return alive, plays


def judge(legal, own):
    """Returns what each rule saves and costs."""
    gains = own - own[:, :, :1]
    best, everything = chosen(legal, gains), WORLDS * legal.sum()
    gain, row = gains.mean(1), np.arange(len(legal))
    rules = []
    for (name, legs), errors in itertools.product(LEGS.items(), ERRORS):
        alive, plays = raced(legal, gains, legs, errors)
        played = chosen(alive, gains)
        rules.append({
            "after": name,
            "errors": errors,
            "share_of_plays": float(plays.sum() / everything),
            "other_cards": float((played != best).mean()),
            "gain": float(gain[row, played].mean()),
        })  # fmt: skip
    facts = {"decisions": len(legal), "candidates": float(legal.sum(1).mean())}
    return facts | {"gain": float(gain[row, best].mean()), "rules": rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="+", metavar="ID")
    parser.add_argument("--deals", type=int, default=128, help=f"of each game, a multiple of {TABLES}")
    parser.add_argument("--seed", type=int, default=77, help="of the deals")
    options = parser.parse_args()
    cache.enable()
    for id in options.games:
        game = jaxcards.make(id)
        found = {"deals": options.deals, "seed": options.seed, "worlds": WORLDS}
        found |= judge(*gather(game, options.deals, options.seed))
        results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
        results[game.id] = found
        print(f"{game.id}: {found['decisions']} decisions", flush=True)
        write_text(FOUND, json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
