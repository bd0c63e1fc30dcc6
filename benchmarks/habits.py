"""Speed of the first loop of README.md, written in other ways, beside `random_play`.

    python benchmarks/habits.py

Every variant plays whole deals at random on one core. The game, the number of deals side by side and
the uniform choice of actions are the same; points are compared with a sample. Plain `jax.jit` compiles
all variants except two. They take turns with `random_play`, so that other work of the machine slows all
alike; a ratio is of two consecutive runs. Compiling is timed separately. Writes
`results/<machine>-habits.json`.
"""

import argparse
import dataclasses
import json
import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards import throughput, xla  # noqa: E402
from jaxcards.agent import RandomAgent  # noqa: E402
from jaxcards.bench import deals, machine, timing  # noqa: E402
from jaxcards.bench.program import MOST_ROUNDS, Done, Program, Subject, seeds  # noqa: E402
from jaxcards.errors import UserError  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.rollouts import deal_keys, finished  # noqa: E402
from jaxcards.xla import prng  # noqa: E402

YARDSTICK = "random_play"
BATCH = 4096
NUM_BATCHES = 8  # of a program

Choose = Callable[[Any, jax.Array, int | jax.Array, jax.Array], jax.Array]
"""(legal actions, key, step, logits of all actions) -> an action. All logits are 0 when it is run."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game")
    parser.add_argument("--habits", nargs="+", choices=list(HABITS), help="default: all")
    parser.add_argument("--batch", type=int, default=BATCH, help="deals side by side")
    parser.add_argument("--repeats", type=int, default=10, help="timed repeats of each")
    parser.add_argument("--seconds", type=float, default=0.25, help="least time of a repeat")
    parser.add_argument("--core", type=int, help="core to run on (default: the last one)")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    if args.batch < 1 or args.repeats < 1:
        parser.error("--batch and --repeats must be at least 1")
    cores = sorted(os.sched_getaffinity(0))
    args.core = cores[-1] if args.core is None else args.core
    if args.core not in cores:
        parser.error(f"--core must be one of {cores}")
    return args


# ---- Loops: (game) -> the play of one deal --------------------------------------------------------


def loop(choose: Choose, keep: Callable[[Any, Any], Any] | None = None):
    """Return the loop of README.md with another choice.

    Args:
      choose: makes the choice.
      keep: (game, state) -> the data to keep of every decision; None keeps nothing.
    """

    def of(game):
        def play(logits: jax.Array, key: jax.Array, number: jax.Array) -> throughput.Tallied:
            def turn(state: Any, step: jax.Array) -> tuple[Any, Any]:
                action = choose(game.legal_actions(state), key, step, logits)
                return game.step(state, action), keep(game, state) if keep else None

            state, kept = jax.lax.scan(turn, game.init(key), jnp.arange(game.max_steps))
            return tally(game, state, deals.digest(kept) if keep else None)

        return play

    return of


def split_loop(choose: Choose):
    """Return the loop of `loop` with a JAX key for each step."""

    def of(game):
        def play(logits: jax.Array, key: jax.Array, number: jax.Array) -> throughput.Tallied:
            def turn(state: Any, key: jax.Array) -> tuple[Any, None]:
                return game.step(state, choose(game.legal_actions(state), key, 0, logits)), None

            keys = jax.random.split(key, 1 + game.max_steps)
            state, _ = jax.lax.scan(turn, game.init(keys[0]), keys[1:])
            return tally(game, state)

        return play

    return of


def while_loop(game):
    """Return the loop of README.md until the deal is over."""

    def play(logits: jax.Array, key: jax.Array, number: jax.Array) -> throughput.Tallied:
        def turn(carry: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
            state, step = carry
            return game.step(state, game.legal_actions(state).sample(key, step)), step + 1

        start = game.init(key), jnp.int32(0)
        state, _ = jax.lax.while_loop(lambda carry: ~carry[0].terminated, turn, start)
        return tally(game, state)

    return play


def array_by_seat(game):
    """Return the loop of README.md with an array beside the state that counts actions by seat."""

    def play(logits: jax.Array, key: jax.Array, number: jax.Array) -> throughput.Tallied:
        def turn(carry: tuple[Any, jax.Array], step: jax.Array) -> tuple[Any, None]:
            state, actions = carry
            actions = actions.at[state.current_player].add(1)
            return (game.step(state, game.legal_actions(state).sample(key, step)), actions), None

        start = game.init(key), jnp.zeros(game.num_players, jnp.uint32)
        (state, actions), _ = jax.lax.scan(turn, start, jnp.arange(game.max_steps))
        return tally(game, state, actions.max())

    return play


def tally(game, state: Any, used: jax.Array | None = None) -> throughput.Tallied:
    """Return the results of a finished deal."""
    return throughput.tally_of(game, finished(game, state), used)


# ---- Choices --------------------------------------------------------------------------------------


def sample(legal, key, step, logits):
    return legal.sample(key, step)


def sample_logits(legal, key, step, logits):
    return legal.sample_logits(key, logits, step)


def categorical(legal, key, step, logits):
    return jax.random.categorical(key, jnp.where(legal.mask(), 0.0, -jnp.inf))


def categorical_logits(legal, key, step, logits):
    return jax.random.categorical(key, jnp.where(legal.mask(), logits, -jnp.inf))


def argmax(legal, key, step, logits):
    """Return the legal action with the largest of one random word per action."""
    mask = legal.mask()
    words = prng.random_word(prng.fold(prng.key_words(key), step), jnp.arange(len(mask)))
    return jnp.where(mask, words, 0).argmax()


def cumulative_sum(legal, key, step, logits):
    """Return the drawn action: the number of actions whose running sum is at most the draw."""
    mask = legal.mask()
    index = prng.below(prng.draw(key, step), legal.count(), len(mask))
    return (jnp.cumsum(mask) <= index).sum()


# ---- Subjects -------------------------------------------------------------------------------------


def see(game, state):
    """Return the observation of the player to act."""
    return game.observe(state, state.current_player)


@dataclasses.dataclass(frozen=True)
class Habit:
    """A way to write the loop.

    Attributes:
      text: description for the table.
      subject: (game, batch) -> the subject of timing.
    """

    text: str
    subject: Callable[[Any, int], Subject]


def compiled(play_of, game, batch: int, jit: Any = jax.jit) -> Subject:
    """Return the subject that plays batch after batch by `play_of(game)`, within one program."""
    play, number = play_of(game), NUM_BATCHES + -NUM_BATCHES % game.num_rounds
    run_batches, logits = throughput.tallied(play, batch), jnp.zeros(game.num_actions)
    function = jit(lambda logits, seed: run_batches(logits, seed, number))
    program = Program.of(function, logits, jnp.uint32(0))

    def run(seed: int, rounds: int) -> Any:
        return [program(logits, jnp.uint32(word)) for word in seeds(seed, rounds)]

    return Subject(run, partial(judged, game, batch * number), program, MOST_ROUNDS)


def from_python(game, batch: int) -> Subject:
    """Return the subject that calls a compiled step from a loop in Python."""

    def one(state: Any, key: jax.Array, step: jax.Array) -> Any:
        return game.step(state, game.legal_actions(state).sample(key, step))

    def add_up(states: Any) -> throughput.Tally:
        done, _ = jax.vmap(partial(tally, game))(states)
        return throughput.Tally(
            done.points, done.lowest.min(), done.highest.max(), done.unfinished.sum()
        )

    numbers = jnp.arange(batch, dtype=jnp.uint32)
    make_keys = jax.jit(lambda seed: deal_keys(seed, numbers))
    deal, add_up = jax.jit(jax.vmap(game.init)), jax.jit(add_up)
    keys = make_keys(jnp.uint32(0))
    turn = jax.jit(jax.vmap(one, in_axes=(0, 0, None)))
    program = Program.of(turn, deal(keys), keys, jnp.int32(0))

    def run(seed: int, rounds: int) -> Any:
        done = []
        for word in seeds(seed, rounds):
            keys = make_keys(jnp.uint32(word))
            states = deal(keys)
            for step in range(game.max_steps):
                states = program(states, keys, jnp.int32(step))
            done.append((add_up(states), None))
        return done

    return Subject(run, partial(judged, game, batch), program, MOST_ROUNDS)


def judged(game, episodes: int, result: Any, rounds: int) -> Done:
    """Return the verdict on the results of some rounds; see `deals.judged`."""
    return deals.judged(game, RandomAgent(), "deals", jax.device_get(result), episodes * rounds)


def by_jit(play_of) -> Callable[[Any, int], Subject]:
    return partial(compiled, play_of)


HABITS = {
    YARDSTICK: Habit(
        "`jaxcards.rollout` with `RandomAgent`, by `jaxcards.xla.jit`: `throughput.random_play`",
        partial(deals.random_play, devices=1),
    ),
    "xla_jit": Habit(
        "the loop of README.md, by `jaxcards.xla.jit`", partial(compiled, loop(sample), jit=xla.jit)
    ),
    "readme": Habit("**the loop of README.md**, by `jax.jit`; so are all below", by_jit(loop(sample))),
    "while_loop": Habit("`while_loop` until the deal is over", by_jit(while_loop)),
    "array_by_seat": Habit(
        "an array by seat beside the state, and `.at[player].add`", by_jit(array_by_seat)
    ),
    "from_python": Habit("a loop in Python around a compiled step", from_python),
    "observations": Habit("the observation of each decision is kept", by_jit(loop(sample, see))),
    "features": Habit(
        "the features of each decision are kept, as float32",
        by_jit(loop(sample, lambda game, state: game.features(see(game, state)))),
    ),
    "threefry": Habit(
        "a key for each step, by `jax.random.split`: threefry", by_jit(split_loop(sample))
    ),
    "argmax": Habit("a Boolean mask, `argmax` over a word for each action", by_jit(loop(argmax))),
    "cumulative_sum": Habit("a Boolean mask, `cumsum` over actions", by_jit(loop(cumulative_sum))),
    "categorical": Habit(
        "a Boolean mask, `jax.random.categorical`, a key for each step",
        by_jit(split_loop(categorical)),
    ),
    "sample_logits": Habit("logits, `legal.sample_logits`", by_jit(loop(sample_logits))),
    "categorical_logits": Habit(
        "logits, `jax.random.categorical`, a key for each step", by_jit(split_loop(categorical_logits))
    ),
}


def measure(game, names: list[str], batch: int, repeats: int, seconds: float) -> list[dict[str, Any]]:
    """Return the row of each habit, as JSON values; the first one is the yardstick."""
    names = [YARDSTICK, *(name for name in names if name != YARDSTICK)]
    ready = []
    for name in names:
        print(f"compiling {name}", file=sys.stderr)
        ready.append(timing.warm_up(HABITS[name].subject(game, batch), 0, seconds))
    results = timing.take_turns(ready, repeats, 0)
    rates = [[done.amounts["deals"] / took for took, done in taken] for taken in results]
    return [
        {
            "name": name,
            "text": HABITS[name].text,
            "per_second": timing.summary(own),
            "random_play_is_faster": timing.summary(
                [best / rate for best, rate in zip(rates[0], own, strict=True)]
            ),
            "compile_seconds": warm.subject.program.seconds,
            "facts": taken[-1][1].facts,
            "wrong": next((done.wrong for _, done in taken if done.wrong), ""),
        }
        for name, own, warm, taken in zip(names, rates, ready, results, strict=True)
    ]


def main() -> int:
    args = parse_arguments()
    os.sched_setaffinity(0, {args.core})
    try:
        game = jaxcards.make(args.game)
        rows = measure(game, args.habits or list(HABITS), args.batch, args.repeats, args.seconds)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    result = {
        "command": shlex.join(["python", "benchmarks/habits.py", *sys.argv[1:]]),
        "game": game.id,
        "batch": args.batch,
        "core": args.core,
        "repeats": args.repeats,
        "seconds_per_repeat": args.seconds,
        "habits": rows,
        "machine": machine.describe(),
    }
    path = args.results / f"{args.machine or machine.slug(machine.processor())}-habits.json"
    args.results.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    for row in rows:
        slower = row["random_play_is_faster"]["median"]
        print(f"{row['name']:20} {row['per_second']['median']:12,.0f} deals/s {slower:9,.3g} x", end="")
        print(f"   wrong: {row['wrong']}" if row["wrong"] else "")
    print(path)
    return 1 if any(row["wrong"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
