"""Complete deals per second on one core, every game, beside yardsticks in C and C++ in the same run.

    python benchmarks/rollout.py

Ours is the whole game (bidding, melds, score) with uniformly random legal actions, through the public
`rollout`. The yardstick in C (c/jass_cardplay.c) is the card play of Jass alone and is compared by card
plays per second; Euchre is also compared with OpenSpiel's engine, by decisions per second. Ours and
the others take turns, so that whatever else the machine does befalls all; a ratio is that of
neighbours in time.
"""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

C_SOURCE = HERE / "c" / "jass_cardplay.c"
C_FLAGS = ["-O3", "-march=native"]
C_CARDS = 36  # played in a deal of the yardstick
OPEN_SPIEL = {"euchre/open_spiel": "euchre()"}  # games that OpenSpiel plays by the same rules
COUNTED = 1 << 15  # deals from which decisions and cards of a deal are averaged


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", help="ids (default: one preset of every game)")
    parser.add_argument("--batch", type=int, default=4096, help="deals side by side")
    parser.add_argument("--num-batches", type=int, default=64, help="batches of one repeat")
    parser.add_argument("--c-deals", type=int, default=500_000, help="deals of one repeat in C")
    parser.add_argument("--peer-deals", type=int, default=10_000, help="of one repeat in OpenSpiel")
    parser.add_argument("--repeats", type=int, default=15, help="repeats of each")
    parser.add_argument("--core", type=int, help="core to run on (default: the last one)")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    for name in ("batch", "num_batches", "c_deals", "peer_deals", "repeats"):
        if getattr(args, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    if args.core is not None and args.core not in os.sched_getaffinity(0):
        parser.error(f"--core must be one of {sorted(os.sched_getaffinity(0))}")
    return args


def stay_on_one_core(core: int | None) -> int:
    """Binds this process and its children to a core; JAX has to be imported after that."""
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    os.environ["JAX_PLATFORMS"] = "cpu"
    return core


def compile_yardstick(folder: str) -> list[str] | None:
    """Returns the command of the yardstick, or None where it does not compile."""
    compiler = os.environ.get("CC", "cc")
    program = str(Path(folder, "jass_cardplay"))
    try:
        subprocess.run(
            [compiler, *C_FLAGS, "-o", program, str(C_SOURCE)], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no yardstick: {compiler} failed ({error})", file=sys.stderr)
        return None
    return [program]


def run_yardstick(command: list[str], deals: int, seed: int) -> float:
    """Returns deals per second; the program checks the points of every deal by itself."""
    done = subprocess.run([*command, str(deals), str(seed)], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


def compiler_version() -> str:
    compiler = os.environ.get("CC", "cc")
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    return done.stdout.splitlines()[0] if done.stdout else compiler


class Subject:
    """A game that is measured: compiled, and with what a deal of it consists of."""

    def __init__(self, id: str, batch: int, num_batches: int) -> None:
        import jax.numpy as jnp

        import jaxcards
        from jaxcards.throughput import random_play

        self.game = jaxcards.make(id)
        self.deals = batch * num_batches
        start = time.perf_counter()
        self.play = random_play(self.game, batch, num_batches).lower(jnp.uint32(0)).compile()
        self.compile_seconds = time.perf_counter() - start
        self.decisions, self.cards = actions_per_deal(self.game)
        self.rates: list[float] = []
        self.ratios: dict[str, list[float]] = {}

    def run(self, seed: int) -> float:
        """Returns deals per second of one repeat."""
        import jax
        import jax.numpy as jnp

        number = jax.block_until_ready(jnp.uint32(seed))
        start = time.perf_counter()
        tally = jax.block_until_ready(self.play(number))
        rate = self.deals / (time.perf_counter() - start)
        if int(tally.unfinished):
            sys.exit(f"wrong: {int(tally.unfinished)} deals of {self.game.id} were not finished")
        return rate

    def result(self) -> dict:
        """What was measured, as values of JSON."""
        return {
            "deals_per_repeat": self.deals,
            "deals_per_second": summary(self.rates),
            "decisions_per_deal": self.decisions,
            "card_plays_per_deal": self.cards,
            "decisions_per_second_median": self.decisions * statistics.median(self.rates),
            "card_plays_per_second_median": self.cards * statistics.median(self.rates),
            "compile_seconds": self.compile_seconds,
            "sizes": sizes(self.game),
            "ratios": {name: summary(ratios) for name, ratios in self.ratios.items()},
        }


def actions_per_deal(game) -> tuple[float, float]:
    """Returns the mean number of decisions and of cards played in a deal of random play."""
    import jax

    from jaxcards.agents.random import RandomAgent
    from jaxcards.batches import deal_keys
    from jaxcards.rollout import rollout

    def count(key):
        done = rollout(game, RandomAgent(), (), key, trajectory=True)
        played = sum(cards.count() for cards in game.card_places(done.state).played)
        return done.trajectory.valid.sum(), played

    decisions, cards = jax.jit(jax.vmap(count))(deal_keys(0, 0, COUNTED))
    return float(decisions.mean()), float(cards.mean())


class OpenSpiel:
    """OpenSpiel's engine under its own loop in C++: `pyspiel.evaluate_bots` with random bots."""

    def __init__(self, game: str, deals: int) -> None:
        import pyspiel

        self._pyspiel, self.name, self.deals = pyspiel, game, deals
        self.game = pyspiel.load_game(game)
        players = range(self.game.num_players())
        self._bots = [pyspiel.make_uniform_random_bot(player, player) for player in players]
        self.rates: list[float] = []

    def run(self, seed: int) -> float:
        """Returns deals per second of one repeat."""
        start = time.perf_counter()
        for deal in range(self.deals):
            state = self.game.new_initial_state()
            self._pyspiel.evaluate_bots(state, self._bots, seed * self.deals + deal)
        return self.deals / (time.perf_counter() - start)

    def version(self) -> str:
        from importlib import metadata

        return metadata.version("open_spiel")


def open_spiel(ids: list[str], deals: int) -> dict[str, OpenSpiel]:
    """Returns OpenSpiel's engine for each of the games that it plays, if it is installed."""
    try:
        return {id: OpenSpiel(OPEN_SPIEL[id], deals) for id in ids if id in OPEN_SPIEL}
    except ImportError:
        print("OpenSpiel is not installed: pip install -e '.[differential]'", file=sys.stderr)
        return {}


def default_games() -> list[str]:
    """Returns the default preset of every game, and what peers play by the same rules."""
    import jaxcards
    from jaxcards.registry import canonical_id

    names = [id for id in jaxcards.games() if "/" not in id]
    extra = [id for id in (*OPEN_SPIEL, "rikiki/open_spiel") if id.partition("/")[0] in names]
    return list(dict.fromkeys([*map(canonical_id, names), *extra]))


def measure(args: argparse.Namespace, command: list[str] | None) -> dict:
    from jaxcards.errors import UserError

    try:
        ids = args.games or default_games()
        subjects = {id: Subject(id, args.batch, args.num_batches) for id in ids}
    except UserError as error:
        sys.exit(f"error: {error}")
    peers = open_spiel(ids, args.peer_deals)
    c = []
    for repeat in range(args.repeats + 1):
        for id, subject in subjects.items():
            c_rate = run_yardstick(command, args.c_deals, repeat) if command else None
            rate = subject.run(repeat)
            peer_rate = peers[id].run(repeat) if id in peers else None
            if not repeat:  # the first one warms up
                continue
            subject.rates.append(rate)
            if c_rate:
                c.append(c_rate)
                ratio = rate * subject.cards / (c_rate * C_CARDS)
                subject.ratios.setdefault("card plays, to C", []).append(ratio)
            if peer_rate:
                peers[id].rates.append(peer_rate)
                # The same rules and random play: as many decisions in a deal.
                subject.ratios.setdefault("decisions, to OpenSpiel", []).append(rate / peer_rate)
    result = {
        "batch": args.batch,
        "repeats": args.repeats,
        "games": {subject.game.id: subject.result() for subject in subjects.values()},
    }
    if command:
        result["yardstick"] = {
            "source": C_SOURCE.relative_to(HERE.parent).as_posix(),
            "compiler": compiler_version(),
            "flags": C_FLAGS,
            "deals_per_repeat": args.c_deals,
            "deals_per_second": summary(c),
            "card_plays_per_second_median": C_CARDS * statistics.median(c),
        }
    for id, peer in peers.items():
        result.setdefault("open_spiel", {})[id] = {
            "loop": "C++, pyspiel.evaluate_bots with uniform random bots",
            "game": peer.name,
            "version": peer.version(),
            "deals_per_repeat": peer.deals,
            "deals_per_second": summary(peer.rates),
            "decisions_per_second_median": subjects[id].decisions * statistics.median(peer.rates),
        }
    return result


def summary(values: list[float]) -> dict:
    low, median, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {
        "median": median,
        "quartiles": [low, high],
        "lowest": min(values),
        "highest": max(values),
        "all": values,
    }


def sizes(game) -> dict:
    """What a compiler has to look at, and what a loop has to carry: equations, bytes."""
    import jax
    import jax.numpy as jnp

    key = jax.random.key(0)
    state = game.init(key)
    action = jnp.int32(0)
    bytes_of_state = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))
    count = {
        "init": jax.make_jaxpr(game.init)(key),
        "legal_actions": jax.make_jaxpr(game.legal_actions)(state),
        "step": jax.make_jaxpr(game.step)(state, action),
        "observe": jax.make_jaxpr(game.observe)(state, action),
        "points": jax.make_jaxpr(game.points)(state),
    }
    equations = {name: count_equations(jaxpr.jaxpr) for name, jaxpr in count.items()}
    return {"state_bytes": bytes_of_state, "jaxpr_equations": equations}


def count_equations(jaxpr) -> int:
    """Number of equations of a jaxpr, those inside of calls and loops included once."""
    from jax.extend.core import jaxprs_in_params

    total = 0
    for equation in jaxpr.eqns:
        inner = list(jaxprs_in_params(equation.params))
        total += sum(map(count_equations, inner)) if inner else 1
    return total


def main() -> int:
    args = parse_arguments()
    core = stay_on_one_core(args.core)

    from jaxcards import machine
    from jaxcards.files import write_text

    with tempfile.TemporaryDirectory() as folder:
        result = measure(args, compile_yardstick(folder))
    arguments = [*sys.argv[1:]]
    result = {
        "command": shlex.join(["python", "benchmarks/rollout.py", *arguments]),
        "core": core,
        **result,
        "machine": machine.describe(),
    }
    name = args.machine or slug(machine.processor())
    path = args.results / f"{name}-rollout.json"
    args.results.mkdir(exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    for id, measured in result["games"].items():
        rate, plays = measured["deals_per_second"], measured["card_plays_per_second_median"]
        print(
            f"{id:24} {rate['median']:>12,.0f} deals/s  {plays / 1e6:7.1f} M card plays/s  "
            f"compile {measured['compile_seconds']:.1f} s"
        )
        for name, ratio in measured["ratios"].items():
            low, high = ratio["quartiles"]
            print(f"{'':24} {name}: {ratio['median']:.2f}, quartiles {low:.2f} to {high:.2f}")
    print(path)
    return 0


def slug(name: str) -> str:
    """ "Intel(R) Xeon(R) Gold 6130" -> "intel-xeon-gold-6130"."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"\(\w+\)", "", name.lower())))


if __name__ == "__main__":
    sys.exit(main())
