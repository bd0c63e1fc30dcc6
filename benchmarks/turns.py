"""Other engines and ours in turns, on one core, each in a separate process."""

import argparse
import contextlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


class Worker:
    """A process that plays on request; see `peers/worker.py`."""

    def __init__(self, python: str, name: str, variant: str | None, core: int) -> None:
        command = [python, "-m", "peers.worker", name, *([variant] if variant else [])]
        paths = [str(HERE.parent), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [*command, "--core", str(core)],
            cwd=HERE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.name = f"{name} {variant}" if variant else name
        self.about = self._answer()

    def ask(self, **question: Any) -> dict[str, Any]:
        """Send a line and wait for the answer."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # its error message is in stderr
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            _, error = self._process.communicate()
            sys.exit(
                f"error: {self.name}: {(error.strip() or 'ended without a word').splitlines()[-1]}"
            )
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def compare(args: argparse.Namespace) -> tuple[list[dict[str, Any]], list[str]]:
    """Measure all requested engines.

    Args:
      args: `peers`, `peer_python`, `core`, `repeats` and `seconds` of the command line.

    Returns:
      A row for each engine, as JSON values, and a line for each that is missing.
    """
    rows, absent = [], []
    for name in args.peers:
        module = importlib.import_module(f"peers.{name}")
        for variant in getattr(module, "VARIANTS", (None,)):
            peer = Worker(args.peer_python, name, variant, args.core)
            if "missing" in peer.about:
                peer.close()
                absent.append(f"{module.TITLE}: {peer.about['missing']}; to have it: {module.INSTALL}")
                break
            us = Worker(sys.executable, "ours", module.OURS, args.core)
            print(f"{peer.name} beside {module.OURS}", file=sys.stderr)
            rows.append(_row(args, module, variant, peer, us))
            peer.close()
            us.close()
    return rows, absent


def _row(
    args: argparse.Namespace, module: Any, variant: str | None, peer: Worker, us: Worker
) -> dict[str, Any]:
    from jaxcards.bench.timing import summary

    unit, theirs, own, ratios, done = module.UNIT, [], [], [], {}
    for their_rate, our_rate, done in _turns(args, unit, peer, us):  # noqa: B007
        theirs.append(their_rate)
        own.append(our_rate)
        ratios.append(our_rate / their_rate)
    return {
        "name": peer.name,
        "title": f"{module.TITLE} {variant}" if variant else module.TITLE,
        "versions": peer.about["versions"],
        "ours": module.OURS,
        "unit": unit,
        "same": module.SAME,
        "not_same": module.NOT_SAME,
        "per_second": summary(theirs),
        "ours_per_second": summary(own),
        "ratio": summary(ratios),
        "deals_per_second": done["deals"] / done["seconds"],
    }


def _turns(
    args: argparse.Namespace, unit: str, peer: Worker, us: Worker
) -> Iterator[tuple[float, float, dict[str, Any]]]:
    """Yield their rate and ours, timed one after the other, and the work done."""
    for worker in (peer, us):
        worker.ask(seconds=args.seconds)
    for seed in range(args.repeats):
        done, ours = peer.ask(seed=seed), us.ask(seed=seed)
        yield done[unit] / done["seconds"], ours[unit] / ours["seconds"], done
