"""The work of `jaxcards train`: train a player in its run folder, then evaluate it."""

import argparse
import contextlib
import dataclasses
import functools
import itertools
import traceback
from pathlib import Path

import jax

import jaxcards
from jaxcards import players, settings
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.learners.registry import make_learner
from jaxcards.agents.networks import saved
from jaxcards.bench import machine
from jaxcards.champions.catalogue import player_of
from jaxcards.cli.provenance import provenance
from jaxcards.errors import UserError, WriteError
from jaxcards.files import LOCK_FILE, holding, writing
from jaxcards.players import loading
from jaxcards.players.loading import load_player
from jaxcards.training import devices, feeding
from jaxcards.training.config import (
    TrainingConfig,
    adversary_of,
    exploits,
    learns_matches,
    presets_of,
    start_of,
    teacher_of,
)
from jaxcards.training.curve import plot_curve, plot_curves
from jaxcards.training.fixed_players import check_unchanged
from jaxcards.training.folder import RunFolder
from jaxcards.training.held_out import write_held_out
from jaxcards.training.host_learner import CompiledLearner, RunsLearner
from jaxcards.training.loop import Loop, Outcome
from jaxcards.training.multihost import lockstep, processes
from jaxcards.training.multihost.processes import Channel
from jaxcards.training.plan import asked
from jaxcards.training.player import describe_player, write_player
from jaxcards.training.results import (
    end_seconds,
    final_evaluation,
    finish,
    grid_table,
    seeds_evaluation,
)
from jaxcards.training.run_folders import SEED
from jaxcards.training.yardstick import Yardstick, opponents
from jaxcards.xla import cache


def run(args: argparse.Namespace) -> int:
    """Train, and evaluate the trained player.

    Returns:
      0; 130 after Ctrl-C and 143 after SIGTERM, with a checkpoint from which to continue.

    Raises:
      UserError: if another process trains in the run folder.
      WriteError: if the run folder cannot be written.
    """
    replan = bool(args.resume) and _changed_plan(RunFolder(args.out), args.config)
    if args.processes is None:
        with writing(args.out), contextlib.ExitStack() as held:
            # Lock the folder of every seed, each folder once.
            runs = (run.path for runs in _groups(args).values() for run in runs)
            for path in dict.fromkeys([args.out, *runs]):
                held.enter_context(holding(path))
            return _train(args, replan)
    channel = processes.connect(*args.processes)
    try:
        # Process 0 leads and writes all files; the others follow its steps.
        if channel.process:
            status = lockstep.follow(_learner(args, channel)[0], channel)
        else:
            with writing(args.out), holding(args.out):
                status = _train(args, replan, channel)
    except UserError as error:
        if isinstance(error, processes.LostProcess):
            processes.leave(f"jaxcards: error: {error}")
        channel.end(2)
        raise
    except WriteError:
        channel.end(3)
        raise
    except Exception:
        processes.leave(traceback.format_exc())
    channel.end(status)
    return status


def _learner(
    args: argparse.Namespace, channel: Channel | None
) -> tuple[CompiledLearner, dict[str, FixedPlayer]]:
    """Return the learner, the same in every process, and the players to measure it against, by name."""
    config: TrainingConfig = args.config
    devices.prepare(config, channel.count if channel else 1)
    if channel:
        lockstep.agree(channel, settings.to_toml(config, game=args.game, learner=config.learner))
    game = jaxcards.make(args.game)
    table = jaxcards.Match(game) if learns_matches(config) else game
    adversary, others = None, opponents(game)
    teachers: tuple[FixedPlayer, ...] = ()
    if name := adversary_of(config):
        adversary = FixedPlayer(*load_player(name, table))
        check_unchanged(RunFolder(args.out), "adversary", name, adversary.params)
        others = {name: adversary} if exploits(config) else others | {name: adversary}
    if name := teacher_of(config):
        learned = Mixture.of(game, presets_of(config), 0, config.seed).games
        teachers = tuple(FixedPlayer(*load_player(name, one)) for one in learned)
        check_unchanged(RunFolder(args.out), "teacher", name, [teacher.params for teacher in teachers])
        others |= {name: teachers[0]}
    start = None
    if (name := start_of(config)) and not args.resume:
        start = saved.start(name, game, *loading.network(players.network_player(name), table))
    num_devices = devices.choose(config)
    learner = make_learner(config.learner, game, config, num_devices, adversary, teachers, start)
    cache.enable(args.cache)
    if channel and config.learner == "imitation":
        raise UserError("imitation runs in one process: leave --coordinator out")
    compiled = feeding.compiled(learner)
    configs = [own for runs in _groups(args).values() for own in runs.values()]
    if args.seeds > 1 or args.grid:
        compiled = RunsLearner(learner, configs)
    devices.check_memory(compiled, config)
    return compiled, others


def _groups(args: argparse.Namespace) -> dict[RunFolder, dict[RunFolder, TrainingConfig]]:
    """Return the folder of each combination of the grid, with the run folders of its seeds."""
    groups, first = {}, args.config.seed
    for values in itertools.product(*args.grid.values()):
        own = dict(zip(args.grid, values, strict=True))
        name = ",".join(f"{setting}={settings.to_text(value)}" for setting, value in own.items())
        path, runs = args.out / name, {}
        for seed in range(first, first + args.seeds):
            run = path / f"{SEED}{seed}" if args.seeds > 1 else path
            runs[RunFolder(run)] = dataclasses.replace(args.config, **own, seed=seed)
        groups[RunFolder(path)] = runs
    return groups


def _train(args: argparse.Namespace, replan: bool, channel: Channel | None = None) -> int:
    """Do the work of `run`, in the only process or in process 0."""
    config: TrainingConfig = args.config
    folder = RunFolder(args.out)
    compiled, others = _learner(args, channel)
    game, player = compiled.learner.game, compiled.learner.player
    yardstick = Yardstick(game, player, others, config.evaluation_deals, exploits(config))
    about = provenance(game)
    groups = _groups(args)
    runs = [pair for group in groups.values() for pair in group.items()]
    for run, own in runs:
        run.write_config(args.game, own, about)
        run.write_readme(args.game, own, tuple(others), resumable=True)
    for group, seeds in groups.items():
        if len(seeds) > 1:
            group.write_seeds_readme(args.game, tuple(seeds))
    if args.grid:
        folder.write_grid_readme(args.game, tuple(groups))
    _introduce(args.game, config, folder.path, compiled.learner.num_devices, len(runs))
    for name, values in args.grid.items():
        print(f"grid: {name} = {', '.join(map(settings.to_text, values))}", flush=True)

    outcome = Loop(
        folder,
        config,
        lockstep.LeadingLearner(compiled, channel) if channel else compiled,
        yardstick.compile,
        describe_player(config.learner, compiled.learner),
        end_seconds=functools.partial(end_seconds, yardstick, args.evaluate),
        write_player=functools.partial(write_player, config.learner, compiled.learner),
        replan=replan,
        groups={group: tuple(seeds) for group, seeds in groups.items()},
        stopped_elsewhere=channel.asked_to_stop if channel else lambda: None,
    ).run()
    states = compiled.each(outcome.state)
    for (run, _), state in zip(runs, states, strict=True):
        finish(run, config.learner, compiled.learner, state)
    title = f"{game.id or game.name}: "
    for group in groups if args.seeds > 1 else ():
        band = f"{args.seeds} seeds, 95 % interval of the mean"
        plot_curve(group.metrics, group.curve, title + group.path.name, band)
    if args.grid:
        by_name = {group.path.name: group.metrics for group in groups}
        plot_curves(by_name, folder.curve, title + folder.path.name)
    if len(runs) > 1:
        print(f"for each of {len(runs)} runs:")
    print(_how_it_ended(outcome, config), flush=True)
    if isinstance(compiled, feeding.FedLearner) and not outcome.interrupted:
        print("\n" + write_held_out(folder, compiled, outcome.state), flush=True)
    results, shown = [], runs[0][0]
    for (run, own), state in zip(runs, states, strict=True):
        run.write_readme(args.game, own, tuple(others), outcome.resumable)
        if args.evaluate and not outcome.interrupted:
            params = jax.device_get(compiled.parameters(state))
            # The seeds of a combination have different deals; those of all combinations are the same.
            number = own.seed - config.seed
            results.append(final_evaluation(run, game, player, params, others, about, number))
    if results and args.grid:
        parts = (results[i : i + args.seeds] for i in range(0, len(results), args.seeds))
        table, best = grid_table({g.path.name: part for g, part in zip(groups, parts, strict=True)})
        print("\n" + table)
        # The commands below go on with the first seed of the best combination.
        shown = next(iter(groups[RunFolder(folder.path / best)]))
    elif results:
        print("\n" + (seeds_evaluation(results) if args.seeds > 1 else results[0]).to_text())
    names = sorted(path.name for path in folder.path.iterdir() if path.name != LOCK_FILE)
    print(f"\n{folder.path}: {', '.join(names)}")
    print("Next commands:")
    for line in shown.next_commands(config, tuple(others), outcome.resumable):
        print(f"  {line}")
    return outcome.exit_status if outcome.interrupted else 0


def _changed_plan(folder: RunFolder, config: TrainingConfig) -> bool:
    """Return whether a resumed run needs a new plan.

    Raises:
      UserError: if a setting differs that is fixed for a run.
    """
    before = folder.read_config()
    for name in config.fixed:
        old, new = getattr(before, name), getattr(config, name)
        if old != new:
            raise UserError(
                f"{folder.path} was begun with {name} = {settings.to_text(old)}, which a resumed run "
                f"cannot change to {settings.to_text(new)}"
            )
    return asked(before) != asked(config)


def _introduce(game: str, config: TrainingConfig, path: Path, num_devices: int, runs: int) -> None:
    """Print every setting of the run."""
    print(f"training {game} by {config.learner} in {path}")
    for line in machine.to_lines(machine.describe()):
        print(line)
    count = jax.process_count()
    where = f" in {count} processes" if count > 1 else ""
    print(f"training on {num_devices} of {jax.device_count()} devices{where}")
    if runs > 1:
        print(f"training {runs} runs together")
    if players.CHAMPION in (start_of(config), adversary_of(config), teacher_of(config)):
        table = jaxcards.make(game)
        if learns_matches(config):
            table = jaxcards.Match(table)
        print(f"champion: {player_of(table)}, a shipped player")
    print()
    print("\n".join(f"  {line}" for line in settings.describe(config)) + "\n", flush=True)


def _how_it_ended(outcome: Outcome, config: TrainingConfig) -> str:
    counters = outcome.counters
    what = (
        f"{counters.update} updates, {counters.deals} deals, {counters.decisions} decisions "
        f"in {counters.seconds / 60:.1f} minutes"
    )
    if outcome.complete:
        return f"trained: {what}"
    if counters.plan is None:
        return f"interrupted after {what}; nothing is lost"
    planned = f"{counters.plan.updates} updates"
    if outcome.late:
        return (
            f"stopped after {what}: the machine became too slow for the {planned} planned "
            f"for {config.minutes:g} minutes, so the learning rate is not yet at its end"
        )
    return f"interrupted after {what} (planned: {planned}); nothing is lost"
