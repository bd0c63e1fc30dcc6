"""What a training step spends its time on: network arithmetic, or everything else.

    python benchmarks/training.py

Times one dispatch of the learner, and beside it the network arithmetic alone: the same number of
forward and backward passes over the same number of rows with the same optimiser, on as many devices,
on inputs that lie ready as floats. What is left is the engine: dealing, legal sets, features, their
unpacking, sampling, advantages, gathering. The two take turns, so that whatever else the machine does
befalls both.
"""

import argparse
import json
import shlex
import statistics
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game")
    parser.add_argument("--config", type=Path, default=HERE.parent / "experiments/jass_ppo/config.toml")
    parser.add_argument("--repeats", type=int, default=10, help="repeats of each")
    parser.add_argument("--devices", type=int, default=2, help="devices to share a batch")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    if args.repeats < 1 or args.devices < 1:
        parser.error("--repeats and --devices must be at least 1")
    return args


def arithmetic_only(learner):
    """Returns a function that does the network arithmetic of one dispatch, and nothing else.

    Args:
      learner: the `PPO` whose arithmetic it is.
    """
    import jax
    import jax.numpy as jnp
    import optax
    from jax.sharding import PartitionSpec

    config, game = learner.config, learner.game
    own_deals = config.deals_per_update // learner.num_devices
    steps = game.max_steps
    # The network is not asked where nobody of a batch has a choice, such as in the last trick.
    asked = steps - 4
    rows = int(steps * own_deals // config.minibatches * config.decision_share)

    def dense(params, x):
        layers = params["params"]
        for number in range(len(layers)):
            layer = layers[f"Dense_{number}"]
            x = x @ layer["kernel"] + layer["bias"]
            x = jax.nn.relu(x) if number + 1 < len(layers) else x
        return x

    def loss(params, features, full):
        policy = dense(params["policy"], features)
        value = dense(params["critic"], full)
        return jnp.square(policy).mean() + jnp.square(value).mean()

    def update(carry, _):
        params, optimiser, acting, features, full = carry

        def act(total, _):
            return total + dense(params["policy"], acting + total[0, 0] * 0).sum(0, keepdims=True), None

        total, _ = jax.lax.scan(act, jnp.zeros((1, game.num_actions)), length=asked)
        whole = jnp.broadcast_to(full[:1], (steps * own_deals // config.minibatches, full.shape[1]))

        def judge(total, _):
            return total + dense(params["critic"], whole + total * 0).sum(), None

        value, _ = jax.lax.scan(judge, jnp.zeros(()), length=config.minibatches)

        def gradient_step(inner, _):
            params, optimiser = inner
            gradient = jax.lax.psum(jax.grad(loss)(params, features, full), learner.mesh.axis_names)
            change, optimiser = learner.optimiser().update(gradient, optimiser, params)
            return (optax.apply_updates(params, change), optimiser), None

        (params, optimiser), _ = jax.lax.scan(
            gradient_step, (params, optimiser), length=config.minibatches * config.epochs
        )
        return (params, optimiser, acting, features, full), total.sum() + value

    def dispatch(params, optimiser, acting, features, full):
        carry, out = jax.lax.scan(
            update, (params, optimiser, acting, features, full), length=config.updates_per_dispatch
        )
        return carry[0], out

    key = jax.random.key(0)
    acting = jax.random.bernoulli(key, 0.15, (own_deals, game.num_features)).astype(jnp.float32)
    features = jax.random.bernoulli(key, 0.15, (rows, game.num_features)).astype(jnp.float32)
    full = jax.random.bernoulli(key, 0.15, (rows, game.num_full_state_features)).astype(jnp.float32)
    everywhere = PartitionSpec()
    compiled = jax.jit(
        jax.shard_map(
            dispatch, mesh=learner.mesh, in_specs=everywhere, out_specs=everywhere, check_vma=False
        )
    )
    return lambda state: compiled(state.params, state.optimiser, acting, features, full)


def main() -> int:
    args = parse_arguments()
    import jax

    jax.config.update("jax_num_cpu_devices", args.devices)
    import jax.numpy as jnp

    import jaxcards
    from jaxcards import machine, settings
    from jaxcards.agents.ppo import PPO
    from jaxcards.files import write_text
    from jaxcards.training.config import TrainingConfig

    config = settings.load(TrainingConfig, args.config, {}, ignore=("game",))
    learner = PPO(jaxcards.make(args.game), config, args.devices)
    schedule = jnp.float32(1e6)
    start = time.perf_counter()
    state = learner.init()
    state, metrics = jax.block_until_ready(learner.train(state, config.updates_per_dispatch, schedule))
    compile_seconds = time.perf_counter() - start
    arithmetic = arithmetic_only(learner)
    jax.block_until_ready(arithmetic(state))
    whole, network = [], []
    for _ in range(args.repeats):
        start = time.perf_counter()
        state, metrics = jax.block_until_ready(
            learner.train(state, config.updates_per_dispatch, schedule)
        )
        whole.append(time.perf_counter() - start)
        start = time.perf_counter()
        jax.block_until_ready(arithmetic(state))
        network.append(time.perf_counter() - start)
    decisions = float(metrics["decisions"]) * config.updates_per_dispatch
    result = {
        "command": shlex.join(["python", "benchmarks/training.py", *sys.argv[1:]]),
        "game": learner.game.id,
        "config": settings.to_toml(config).splitlines(),
        "devices": args.devices,
        "repeats": args.repeats,
        "first_call_seconds": compile_seconds,
        "decisions_per_second": decisions / statistics.median(whole),
        "deals_per_second": config.deals_per_update
        * config.updates_per_dispatch
        / statistics.median(whole),
        "seconds_per_dispatch": {"median": statistics.median(whole), "all": whole},
        "network_arithmetic_seconds": {"median": statistics.median(network), "all": network},
        "share_outside_network": statistics.median(
            1 - b / a for a, b in zip(whole, network, strict=True)
        ),
        "machine": machine.describe(),
    }
    name = args.machine or machine.slug(machine.processor())
    path = args.results / f"{name}-training.json"
    args.results.mkdir(exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print(
        f"{result['decisions_per_second']:,.0f} decisions/s, "
        f"{result['deals_per_second']:,.0f} deals/s; "
        f"{100 * result['share_outside_network']:.0f} % outside network arithmetic\n{path}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
