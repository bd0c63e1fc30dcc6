"""One engine in a separate process: `python -m peers.worker NAME [VARIANT] [--core N]`.

The worker answers each line of stdin with a line of JSON. `{"seconds": s}` finds the number of deals
that take this long; `{"seed": n}` plays this number, and reports the time and the work done. Needs only
the engine.
"""

import argparse
import importlib
import json
import os
import sys
import time
from importlib import metadata

_GROWTH = 16


def calibrate(play, seconds: float) -> int:
    """Return the number of deals that take the given seconds; this is also the warm-up."""
    deals = 1
    for trial in range(100):
        start = time.perf_counter()
        play(1_000_000 + trial, deals)
        took = time.perf_counter() - start
        if trial and took >= seconds:
            break
        deals = max(deals, min(_GROWTH * deals, int(1.1 * deals * seconds / max(took, 1e-9)) + 1))
    return deals


def versions(packages) -> dict[str, str]:
    """Return the versions of the installed distributions."""
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "?"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("variant", nargs="*")
    parser.add_argument("--core", type=int)
    args = parser.parse_args()
    if args.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {args.core})
    os.environ["JAX_PLATFORMS"] = "cpu"
    # Some engines write to stdout; the answers go where stdout was.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**values) -> None:
        print(json.dumps(values), file=answers, flush=True)

    module = importlib.import_module(f"peers.{args.name}")
    try:
        play = module.start(*args.variant)
    except (ImportError, OSError) as error:
        answer(missing=str(error).splitlines()[0])
        return 0
    answer(versions={"python": sys.version.split()[0], **versions(module.PACKAGES)})
    deals = 1
    for line in sys.stdin:
        asked = json.loads(line)
        if "seconds" in asked:
            deals = calibrate(play, asked["seconds"])
            answer(deals=deals)
        else:
            start = time.perf_counter()
            done = play(asked["seed"], deals)
            # An engine with its own clock, such as a program that starts and ends, reports the time.
            answer(**{"seconds": time.perf_counter() - start, **done})
    return 0


if __name__ == "__main__":
    sys.exit(main())
