"""A benchmark: all requested games, kinds of work, batches and numbers of devices."""

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax

from jaxcards.bench import cost, machine, timing
from jaxcards.bench.program import Done, Subject
from jaxcards.bench.workloads import Workload
from jaxcards.errors import UserError
from jaxcards.game import Game

# Deals side by side: they fit the cache of a core, or fill an accelerator.
_BATCH = {"cpu": 4096}
_BATCH_ELSEWHERE = 1 << 18
_LONGEST = 4.0  # seconds that one batch of a sweep may take

Timed = tuple[float, Done]
"""Seconds of a repeat, and the work done in it."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """The plan of a benchmark.

    Attributes:
      games: the games to play.
      works: kinds of work.
      batches: deals side by side, on all devices together; empty = one that suits the device.
      devices: numbers of devices that share a batch.
      repeats: timed repeats, each with new random numbers.
      seed: of the first repeat.
      seconds: the minimum time of a repeat.
    """

    games: Sequence[Game]
    works: Sequence[Workload]
    batches: Sequence[int] = ()
    devices: Sequence[int] = (1,)
    repeats: int = 10
    seed: int = 0
    seconds: float = 0.25


def run(plan: Plan, report: Callable[[dict[str, Any]], None] = lambda figure: None) -> dict[str, Any]:
    """Measure everything in a plan.

    Args:
      plan: the plan.
      report: called with each figure as soon as it is known, because a run may take long.

    Returns:
      Games, figures, omissions with reasons, and the machine, as JSON values.

    Raises:
      UserError: if a number is out of range, or nothing in the plan can be measured.
    """
    _check(plan)
    figures, left_out = [], []
    for game, work in itertools.product(plan.games, plan.works):
        for found in _figures(plan, game, work):
            if "why" in found:
                left_out.append(found)
            else:
                figures.append(found)
                report(found)
    if not figures:
        raise UserError("; ".join(dict.fromkeys(row["why"] for row in left_out)))
    return {
        "repeats": plan.repeats,
        "seed": plan.seed,
        "seconds_per_repeat": plan.seconds,
        "games": {game.id: cost.of_game(game) for game in plan.games},
        "figures": figures,
        "left_out": left_out,
        "process_peak_bytes": cost.process_peak_bytes(),
        "device_peak_bytes": cost.device_peak_bytes(),
        "machine": machine.describe(),
    }


def _check(plan: Plan) -> None:
    available = jax.device_count()
    for name, numbers in (("devices", plan.devices), ("batches", plan.batches)):
        if any(number < 1 for number in numbers):
            raise UserError(f"{name} must be at least 1, not {min(numbers)}")
    if max(plan.devices) > available:
        raise UserError(f"devices must be at most {available} here, not {max(plan.devices)}")
    if plan.repeats < 1:
        raise UserError(f"repeats must be at least 1, not {plan.repeats}")


def _figures(plan: Plan, game: Game, work: Workload) -> Iterator[dict[str, Any]]:
    """Yield a figure for each batch and number of devices, or the reason for its omission.

    All of them take turns, so that they can be compared with each other.
    """
    ready: dict[tuple[int, int], timing.Warm] = {}
    usual = _BATCH.get(jax.default_backend(), _BATCH_ELSEWHERE)
    rate = math.inf  # of the batch before
    for batch in plan.batches or [usual]:
        rates = []
        for devices in plan.devices:
            what = {"game": game.id, "work": work.name, "batch": batch, "devices": devices}
            # Estimate the time from the best rate of the batch before.
            if batch / rate > _LONGEST:
                took = f"{batch / rate:.0f} s, more than {_LONGEST:.0f} s"
                yield what | {"why": f"a batch would take {took}"}
                continue
            try:
                subject = work.load()(game, batch, devices)
            except UserError as error:
                yield what | {"why": str(error)}
                continue
            warm = timing.warm_up(subject, plan.seed, plan.seconds)
            ready[batch, devices] = warm
            rates.append(warm.done.amounts[work.unit] / warm.seconds)
        rate = max(rates, default=rate)
    results = timing.take_turns(list(ready.values()), plan.repeats, plan.seed)
    taken = dict(zip(ready, results, strict=True))
    for (batch, devices), own in taken.items():
        figure = {"game": game.id, "work": work.name, "batch": batch, "devices": devices}
        figure |= _figure(work, ready[batch, devices].subject, own)
        others = {"to_one_device": (batch, 1), "to_usual_batch": (usual, devices)}
        for name, other in others.items():
            if other in taken and other != (batch, devices):
                figure[name] = timing.summary(_ratios(work, own, taken[other]))
        yield figure


def _ratios(work: Workload, own: list[Timed], others: list[Timed]) -> list[float]:
    """Return the ratio of the speeds of two subjects, repeat by repeat."""
    rates = [
        [done.amounts[work.unit] / seconds for seconds, done in results] for results in (own, others)
    ]
    return [a / b for a, b in zip(*rates, strict=True)]


def _figure(work: Workload, subject: Subject, results: list[Timed]) -> dict[str, Any]:
    rates = {
        unit: timing.summary([done.amounts[unit] / seconds for seconds, done in results])
        for unit in results[0][1].amounts
    }
    wrong = next((done.wrong for _, done in results if done.wrong), "")
    return {
        "unit": work.unit,
        "amount_per_repeat": results[0][1].amounts,
        "per_second": rates.pop(work.unit),
        "also_per_second": {unit: rate["median"] for unit, rate in rates.items()},
        "compile_seconds": subject.program.seconds,
        "jaxpr_equations": subject.program.equations,
        "program": cost.of_program(subject.program.compiled),
        "facts": results[-1][1].facts,
        "wrong": wrong,
    }
