"""The host loop: calls of the compiled step, and between them metrics, evaluations and checkpoints.

The result depends only on the configuration, the number of updates and the plan. It never depends on
the clock or on the number of interruptions.
"""

import dataclasses
import functools
import math
import signal
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxcards.errors import UserError
from jaxcards.training import checkpoints, plan
from jaxcards.training.config import TrainingConfig
from jaxcards.training.counters import Counters
from jaxcards.training.folder import RunFolder
from jaxcards.training.host_learner import HostLearner, Step
from jaxcards.training.interrupt import Interrupt
from jaxcards.training.metrics import MetricsLog, read_metrics
from jaxcards.training.progress import Progress
from jaxcards.training.records import Records, mean_record, results_of
from jaxcards.training.yardstick import Measure, Result

# Fraction of the minutes of a run that is spent before its plan is made.
_TRIAL_SHARE = 0.02
# Above this share of one call among all calls, the run prints a warning.
_ONE_CALL = 0.99
# The plan is made at once if another call would take more than this share of the remaining time.
_HURRY_SHARE = 0.1


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The end of a run.

    Attributes:
      state: of the learner.
      counters: its progress.
      interrupted: whether it was stopped by a signal.
      late: whether the machine was too slow for the plan.
      exit_status: 0, or that of the signal which stopped it.
    """

    state: Any
    counters: Counters
    interrupted: bool
    late: bool
    exit_status: int

    @property
    def complete(self) -> bool:
        """True if the plan was completed."""
        done = self.counters.plan
        return done is not None and self.counters.update >= done.updates

    @property
    def resumable(self) -> bool:
        """True if the run can continue on its own plan: it was stopped before its end."""
        return not (self.complete or self.late)


class Loop:
    """Do one training run, or several together.

    Counters, and lines of progress, are means over the runs.

    Args:
      folder: of the run; its configuration is written already.
      config: every setting.
      learner: the learner.
      compile_measure: from the parameters of a player to the compiled function that measures it.
      player: `describe_player` of the learner, stored in the checkpoints.
      end_seconds: from the seconds of one measurement to an estimate of the time after the training.
      replan: make a new plan for a resumed run whose checkpoint, from an earlier version, lacks the
        settings behind its plan.
      write_player: writes the player of a state beside its checkpoint, into a run folder.
      groups: folders with the run folders of their seeds, all of them new. A folder of several seeds
        gets their mean metrics. Empty for the one run of `folder`.
      stopped_elsewhere: returns the signal received by another process of the run, or None.
      clock: seconds.
    """

    def __init__(
        self,
        folder: RunFolder,
        config: TrainingConfig,
        learner: HostLearner,
        compile_measure: Callable[[Any], Measure],
        player: dict[str, Any],
        end_seconds: Callable[[float], float] = lambda once: 0.0,
        replan: bool = False,
        write_player: Callable[[Any, RunFolder], None] = lambda state, folder: None,
        groups: Mapping[RunFolder, Sequence[RunFolder]] | None = None,
        stopped_elsewhere: Callable[[], signal.Signals | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder, self.config, self.learner, self.player = folder, config, learner, player
        self._compile_measure, self._end_seconds = compile_measure, end_seconds
        self._replan, self._stopped_elsewhere, self._clock = replan, stopped_elsewhere, clock
        self._write_player = write_player
        self._groups = groups or {folder: (folder,)}
        # Measured seconds: of each call of the step; then of an evaluation, a checkpoint and the end.
        self._times: list[float] = []
        self._evaluation = self._checkpoint = self._end = 0.0
        self._result = ""
        self._late = self._warned = False

    def run(self) -> Outcome:
        """Train until the plan is done, the time is over, or a signal arrives.

        Raises:
          UserError: if the checkpoint cannot be read, or metrics become infinite or NaN.
        """
        self._progress = Progress()
        with Interrupt() as self._interrupt:
            try:
                self._begin()
                self._train()
            finally:
                self._progress.close()
        stopped = self._interrupt.signal is not None
        outcome = Outcome(self._state, self._counters, stopped, self._late, self._interrupt.exit_status)
        # A signal after the last update does not interrupt the run.
        return dataclasses.replace(outcome, interrupted=not outcome.complete and outcome.interrupted)

    # ---- The beginning --------------------------------------------------------------------------

    def _begin(self) -> None:
        update = checkpoints.latest(self.folder.checkpoints)
        self._resumed = update is not None
        self._counters = Counters()
        if update is None:
            self._check_new()
            self._state = self._interrupt.wait_for(self.learner.init)
        else:
            self._restore(update)
        self._set(asked=plan.asked(self.config))
        # With a number of updates the plan is known at once; with minutes, calls are timed first.
        if self.config.updates and self._counters.plan is None:
            self._set(plan=plan.plan_updates(self.config, self._counters.update))

    def _check_new(self) -> None:
        """Raise `UserError` if a folder has records of updates, but no checkpoint."""
        records = read_metrics(self.folder.metrics)
        if records and (last := records[-1]["update"]):
            raise UserError(
                f"{self.folder.metrics} has {last} updates, but {self.folder.checkpoints} has no "
                "checkpoint: restore the checkpoints, or begin a new run"
            )

    def _restore(self, update: int) -> None:
        state, counters, player = checkpoints.read(
            self.folder.checkpoints, update, self.learner.shapes()
        )
        if player != self.player:
            changed = [name for name, value in self.player.items() if player.get(name) != value]
            raise UserError(f"{self.folder.path}: its checkpoint has another {' and '.join(changed)}")
        self._state = self.learner.place(state)
        # New values of the settings behind the plan make a new plan. Checkpoints of earlier versions
        # lack these settings, so the caller decides.
        if self._replan or counters.asked not in ({}, plan.asked(self.config)):
            counters = dataclasses.replace(counters, plan=None)
        self._counters = counters

    # ---- The loop -------------------------------------------------------------------------------

    def _train(self) -> None:
        # A resumed run may be complete already.
        if self._finished():
            return
        step = self._compile()
        # Only learning counts as minutes; compiling does not, the first time or again.
        self._zero = self._clock() - self._counters.seconds
        folders = [run for runs in self._groups.values() for run in runs]
        self._runs = [Records(one, self.player, self._counters, self._write_player) for one in folders]
        self._logs = {one: MetricsLog(one) for one, runs in self._groups.items() if len(runs) > 1}
        try:
            if self._resumed:
                self._show_results(self._first_results[0])
            else:
                self._first_record()
            self._last_save = self._clock()
            while not (self._finished() or self._late or self._interrupt.signal):
                self._dispatch(step)
            self._save()
        finally:
            for run in self._runs:
                run.close()
            for log in self._logs.values():
                log.close()

    def _compile(self) -> Step:
        self._progress.say("compiling ...")
        step = self._interrupt.wait_for(lambda: self.learner.compile(self._state, self._per_call()))
        # The parameters of all runs have the same shapes, so one compiled measurement serves all.
        params = self.learner.parameters(self.learner.each(self._state)[0])
        self._measure = self._interrupt.wait_for(lambda: self._compile_measure(params))
        # The first measurement gives both the first record and the time of an evaluation.
        before = self._clock()
        self._first_results = self._against()
        self._evaluation = self._clock() - before
        self._end = self._end_seconds(self._evaluation)
        return step

    def _first_record(self) -> None:
        """Evaluate and save the player before the first update."""
        record = {"update": 0, "deals": 0, "decisions": 0, "seconds": self._seconds()}
        self._write([record | results for results in self._first_results])
        # The first checkpoint also gives the time of one, for the plan.
        before = self._clock()
        self._save()
        self._checkpoint = self._clock() - before

    def _dispatch(self, step: Step) -> None:
        """Call the compiled step once, then run everything that is due."""
        current, calls = self._counters, self._per_call()
        # Without a plan, settings that change over the run keep their first values.
        schedule = current.plan.updates if current.plan else math.inf
        before = self._clock()
        self._state, metrics = self._interrupt.wait_for(lambda: step(self._state, schedule))
        taken = max(self._clock() - before, 1e-9)
        # Another process of this run may have received the signal.
        self._interrupt.take(self._stopped_elsewhere())
        by_run, deals = self.learner.each(metrics), calls * self.config.deals_per_update
        self._times.append(taken)
        self._set(update=current.update + calls, deals=current.deals + deals)
        for one in by_run:
            self._check(one)
            self._warn(one)
        self._make_plan()
        records = []
        for run, one in zip(self._runs, by_run, strict=True):
            # Metrics are means over the updates of the call.
            decisions = round(one.pop("decisions") * calls)
            run.decisions += decisions
            records.append(
                {
                    "update": self._counters.update,
                    "deals": self._counters.deals,
                    "decisions": run.decisions,
                    "seconds": self._seconds(),
                    "deals_per_second": deals / taken,
                    "decisions_per_second": decisions / taken,
                    **one,
                }
            )
        self._late = self._is_late()
        if self._evaluation_due(calls) or self._finished() or self._late:
            records = [one | more for one, more in zip(records, self._against(), strict=True)]
        record = self._write(records)
        if self._clock() - self._last_save >= 60 * self.config.checkpoint_minutes:
            self._save()
        self._progress.show(self._counters, record, self._left(), self._result)

    # ---- Decisions ------------------------------------------------------------------------------

    def _per_call(self) -> int:
        made = self._counters.plan
        return made.dispatch if made else self.config.updates_per_dispatch

    def _finished(self) -> bool:
        made = self._counters.plan
        return made is not None and self._counters.update >= made.updates

    def _make_plan(self) -> None:
        """Make the plan of a run for some minutes, once enough calls have been timed."""
        if self._counters.plan is not None:
            return
        budget, tried = 60 * self.config.minutes, sum(self._times)
        left = budget - self._seconds() - self._end
        hurried = self._times[-1] > _HURRY_SHARE * left
        if hurried or (tried >= _TRIAL_SHARE * budget and len(self._times) > 2):
            # A GPU takes several times as long for its first call.
            times = self._times[1:] or self._times
            pace = plan.Pace(statistics.median(times), self._evaluation, self._checkpoint, self._end)
            made = plan.plan_minutes(self.config, self._counters.update, self._seconds(), pace)
            self._set(plan=made)

    def _is_late(self) -> bool:
        # A run for a number of updates may take any time.
        if self.config.updates or self._finished():
            return False
        return self._seconds() > plan.PATIENCE * 60 * self.config.minutes

    def _evaluation_due(self, calls: int) -> bool:
        made, update = self._counters.plan, self._counters.update
        if made is None:
            return False
        # Due when the updates of this call pass a multiple of `evaluate_every`.
        return update // made.evaluate_every > (update - calls) // made.evaluate_every

    def _left(self) -> float | None:
        made = self._counters.plan
        if made is None:
            return None
        calls = (made.updates - self._counters.update) / made.dispatch
        # The last calls show how fast the machine is now.
        return calls * statistics.median(self._times[-20:])

    def _check(self, metrics: dict[str, float]) -> None:
        for name, value in metrics.items():
            if not math.isfinite(value):
                raise UserError(
                    f"{name} is {value} after update {self._counters.update}: try a smaller "
                    "learning_rate"
                )

    def _warn(self, metrics: dict[str, float]) -> None:
        """Warn once if the policy makes one call almost always, before it has learned others."""
        if metrics.get("commonest_call", 0) > _ONE_CALL and not self._warned:
            self._warned = True
            self._progress.say(
                f"warning: {metrics['commonest_call']:.1%} of the calls are the same call. If others "
                "should pay, raise --entropy (docs/learners.md, Exploration)"
            )

    # ---- Records --------------------------------------------------------------------------------

    def _set(self, **changes: Any) -> None:
        self._counters = dataclasses.replace(self._counters, **changes)

    def _seconds(self) -> float:
        return self._clock() - self._zero

    def _against(self) -> list[dict[str, float]]:
        """Measure the player of each run; return the results as entries of records."""
        found = []
        for state in self.learner.each(self._state):
            params = self.learner.parameters(state)
            results = self._interrupt.wait_for(functools.partial(self._measure, params))
            values = {}
            for name, result in results.items():
                values[f"against_{name}"] = result.mean
                values[f"against_{name}_half_width"] = result.half_width
            found.append(values)
        return found

    def _show_results(self, record: dict[str, Any]) -> None:
        """Store the text of the results in a record."""
        results = [f"{Result(*pair)} against {name}" for name, pair in results_of(record).items()]
        if results:
            self._result = f"at update {self._counters.update}: {', '.join(results)}"

    def _write(self, records: list[dict[str, Any]]) -> dict[str, Any]:
        """Write a record of each run, and the means of the seeds; return the mean of all."""
        for run, record in zip(self._runs, records, strict=True):
            run.write(record)
        # Records are in the order of the groups, and within a group in that of its runs.
        first = 0
        for folder, runs in self._groups.items():
            if folder in self._logs:
                self._logs[folder].write(mean_record(records[first : first + len(runs)]))
            first += len(runs)
        mean = mean_record(records)
        self._set(decisions=round(mean["decisions"]), metrics_bytes=self._runs[0].metrics_bytes)
        self._show_results(mean)
        return mean

    def _save(self) -> None:
        self._set(seconds=self._seconds())
        for run, state in zip(self._runs, self.learner.each(self._state), strict=True):
            run.save(state, self._counters)
        self._last_save = self._clock()
