"""Whether a network plays better once it has learned what its own search finds.

    python experiments/search/distil.py jass/tournament --phases 2 --deals 4096

In each phase the network plays deals, and at every card that is no forced one it searches, as `search`
does or, with `--uniform`, in worlds that are equally likely. Then it learns from what was found,
without any policy gradient; calls, and cards that were not searched, are held where they are. What came
of it meets the network that the phase began with on duplicate deals, and is kept if it is ahead. If
not, the next phase begins with the same network and learns from the findings of both. Several ways to
learn from the same findings are tried, the best of them is chosen on some deals, and what it gains is
measured on others.

`build/distil/GAME` has the findings, which are not made again, and the newest network that was kept:
remove it when another network is shipped. Results go to distil.json beside this script.
"""

import argparse
import dataclasses
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tables import decisions

import jaxcards
from jaxcards import xla
from jaxcards.agents.networks import masking, saved
from jaxcards.agents.networks.network import NetworkAgent, forward
from jaxcards.agents.search import analysis
from jaxcards.agents.search.belief import Belief
from jaxcards.champions.catalogue import BELIEFS, network_of, with_rollout_policy
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text
from jaxcards.xla import cache

HERE = Path(__file__).parent
FOUND = HERE / "distil.json"
BUILD = HERE.parents[1] / "build" / "distil"
CANDIDATES = 6
HELD_OUT = 16  # one deal of so many is not learned from
MINIBATCH = 1024
EPOCHS = 4


class Findings(NamedTuple):
    """What was found at a decision; of several, with a leading axis.

    Attributes:
      deal: uint32, its number.
      words: uint32[words], what the network sees.
      mask: bool[num_actions], what is legal, under the network's names of the actions.
      place: int32[candidates], where the network has them.
      found: bool[candidates], whether anything was found about them.
      gain, error: float32[candidates], what they are worth more than the first, and its standard error.
    """

    deal: Any
    words: Any
    mask: Any
    place: Any
    found: Any
    gain: Any
    error: Any


@dataclasses.dataclass(frozen=True)
class Way:
    """How a network learns from findings.

    Attributes:
      name: of this way.
      points: a gain of so many points more makes an action e times as likely as the policy has it.
        Gains are shrunk to nought inside their standard errors first. 0 for all or nothing: the
        card that the search plays.
      rate: the learning rate, which falls to nought.
    """

    name: str
    points: float
    rate: float


WAYS = (
    Way("all or nothing", 0, 3e-4),
    Way("a point, e times", 1, 3e-4),
    Way("four points, e times", 4, 3e-4),
    Way("four points, e times, slowly", 4, 5e-5),
)


def looking(game: jaxcards.Game, policy: NetworkAgent, worlds: int, belief: Belief | None):
    """Returns the function that looks at a decision and plays on; see `decisions`."""

    def look(params, state, key):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        chosen = ~state.terminated & (legal.count() > 1)
        found = analysis.analyse(
            game, policy, params, seen, legal, key,
            worlds=worlds, candidates=CANDIDATES, belief=belief, played_out=chosen & state.playing,
        )  # fmt: skip
        encoding = policy.encoding
        place = jax.vmap(lambda action: encoding.action(seen, action))(found.action)
        searched = found.legal & state.playing
        row = (encoding.encode(seen), encoding.legal(seen, legal).mask(), place, searched)
        return game.step(state, found.action[0]), (chosen, *row, found.gain, found.gain_error)

    return look


def gathered(
    file: Path, game: jaxcards.Game, policy: NetworkAgent, params, options, seed: int
) -> Findings:
    """Returns what was found in the deals of a phase; plays them, unless the file has them."""
    if not file.exists():
        rows, began = [], time.monotonic()
        searched, both = with_rollout_policy(policy, params)
        belief = None if options.uniform else BELIEFS.get(game.name)
        look = looking(game, searched, options.worlds, belief)
        for numbers, (chosen, *values) in decisions(game, look, both, options.deals, seed):
            rows.append((numbers[chosen], *(value[chosen] for value in values)))
        columns = map(np.concatenate, zip(*rows, strict=True))
        np.savez(file, **dict(zip(Findings._fields, columns, strict=True)))
        print(f"{options.deals} deals played in {(time.monotonic() - began) / 60:.1f} min", flush=True)
    with np.load(file) as columns:
        return Findings(*(columns[name] for name in Findings._fields))


def learning(policy: NetworkAgent, teacher, way: Way):
    """Returns the loss and the measures of parameters on findings; the teacher is the policy's."""

    def policies(params, rows: Findings):
        """Returns log-probabilities of teacher, target and network: float32[n, num_actions]."""
        prior = masking.log_probabilities(forward(policy.network, teacher, rows.words), rows.mask)
        surely = jnp.abs(rows.gain) - rows.error
        shrunk = jnp.where(rows.found, jnp.sign(rows.gain) * jnp.maximum(surely, 0), 0)
        if way.points:
            change = shrunk / way.points
        else:
            best = jnp.where(rows.found, jnp.maximum(shrunk, 0), 0).argmax(-1)
            certain = jax.nn.one_hot(best, CANDIDATES) * 100
            change = jnp.where((shrunk > 0).any(-1, keepdims=True), certain, 0)
        row = jnp.arange(len(rows.deal))[:, None]
        target = masking.log_probabilities(prior.at[row, rows.place].add(change), rows.mask)
        own = masking.log_probabilities(forward(policy.network, params, rows.words), rows.mask)
        return prior, target, own

    def loss(params, rows: Findings):
        _, target, own = policies(params, rows)
        return masking.divergence(target, own).mean()

    def measure(params, rows: Findings):
        prior, target, own = policies(params, rows)
        before, wanted, now = (x.argmax(-1) for x in (prior, target, own))
        moved = wanted != before
        followed = (moved & (now == wanted)).sum() / jnp.maximum(moved.sum(), 1)
        kept = (~moved & (now == wanted)).sum() / jnp.maximum((~moved).sum(), 1)
        far = masking.divergence(target, own).mean()
        return {"moved": moved.mean(), "followed": followed, "kept": kept, "divergence": far}

    return loss, measure


def learned(policy: NetworkAgent, teacher, rows: Findings, way: Way, seed: int):
    """Returns parameters that have learned from findings, and how well, on deals held out."""
    held = rows.deal % HELD_OUT == 0
    own, out = (Findings(*(jnp.asarray(x[which]) for x in rows)) for which in (~held, held))
    size = len(own.deal)
    steps = EPOCHS * (size // MINIBATCH)
    optimiser = optax.adam(optax.cosine_decay_schedule(way.rate, steps))
    loss, measure = learning(policy, teacher, way)

    def step(carry, order):
        params, state = carry
        gradient = jax.grad(loss)(params, jax.tree.map(lambda x: x[order], own))
        updates, state = optimiser.update(gradient, state)
        return (optax.apply_updates(params, updates), state), None

    orders = [np.random.default_rng((seed, epoch)).permutation(size) for epoch in range(EPOCHS)]
    whole = size // MINIBATCH * MINIBATCH
    batches = np.concatenate([order[:whole].reshape(-1, MINIBATCH) for order in orders])
    train = xla.jit(lambda carry, batches: jax.lax.scan(step, carry, batches)[0])
    params, _ = train((teacher, optimiser.init(teacher)), jnp.asarray(batches, jnp.int32))
    check = xla.jit(measure)
    found = {"before": check(teacher, out), "after": check(params, out)}
    return params, {"decisions learned from": size} | jax.tree.map(float, found)


def ahead(game: jaxcards.Game, policy: NetworkAgent, new, old, deals: int, seed: int) -> dict:
    """Returns what a network gains over another on duplicate deals: values of JSON."""
    result = evaluate(game, [policy, policy], [new, old], ["new", "old"], deals, seed)
    pair = json.loads(result.to_json())["pairs"][0]
    return {"deals": deals, "seed": seed} | pair["difference"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="id of a preset whose network has learned it alone")
    parser.add_argument("--phases", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=32, help="of a decision")
    parser.add_argument("--uniform", action="store_true", help="all worlds equally likely")
    parser.add_argument("--deals", type=int, default=4096, help="of a phase, that are searched")
    parser.add_argument("--choosing", type=int, default=8_000, help="deals that choose the way")
    parser.add_argument("--measuring", type=int, default=20_000, help="deals that measure its gain")
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make(options.game)
    description, params = network_of(game)
    policy, first = saved.for_game(Path(game.id), game, description, params)
    teacher, folder = first, BUILD / game.id.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    phases, findings = [], []
    kind = "uniform" if options.uniform else "belief"
    for phase in range(options.phases):
        file = folder / f"{kind}_{phase}_{options.worlds}_{options.deals}.npz"
        own = gathered(file, game, policy, teacher, options, seed=70 + phase)
        findings.append(own._replace(deal=own.deal + phase * options.deals))
        rows = Findings(*map(np.concatenate, zip(*findings, strict=True)))
        tried = {}
        for way in WAYS:
            new, figures = learned(policy, teacher, rows, way, phase)
            figures["gain"] = ahead(game, policy, new, teacher, options.choosing, seed=170 + phase)
            tried[way.name] = new, figures
            print(phase, way.name, json.dumps(figures), flush=True)
        best = max(tried, key=lambda name: tried[name][1]["gain"]["mean"])
        new = tried[best][0]
        gain = ahead(game, policy, new, teacher, options.measuring, seed=270 + phase)
        total = ahead(game, policy, new, first, options.measuring, seed=370 + phase)
        kept = gain["low"] > 0
        print(f"phase {phase}: {best}, {json.dumps(gain)}, kept: {kept}", flush=True)
        phases.append(
            {"ways": {name: figures for name, (_, figures) in tried.items()}}
            | {"chosen": best, "gain": gain, "over the first": total, "kept": kept}
        )
        facts = {"worlds": options.worlds, "deals": options.deals, "phases": phases}
        results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
        write_text(FOUND, json.dumps(results | {f"{game.id}, {kind}": facts}, indent=1) + "\n")
        if kept:
            teacher, findings = new, []
            info = saved.PlayerInfo.from_json(description)
            saved.write_network(folder / "player.msgpack", info, teacher)


if __name__ == "__main__":
    main()
