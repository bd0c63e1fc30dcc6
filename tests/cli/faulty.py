"""A command line in a process of its own in which something goes wrong: `python faulty.py FAULT ARGS`.

SIGTERM and SIGKILL come when a new file is written and not yet in its place. Commands that take long
to compile do no work, and write what came of it.
"""

import os
import resource
import shutil
import signal
import sys
from dataclasses import dataclass

from support import quick

from jaxcards import files, review, xla
from jaxcards.bench import measure, report
from jaxcards.cli.main import main
from jaxcards.evaluation import duplicate, plot
from jaxcards.evaluation.picture import picture
from jaxcards.records import verify
from jaxcards.xla import cache

fault, *argv = sys.argv[1:]
limit = 1000 if argv[0] == "convert" else 5  # bytes of a file on a full disk
xla.jit = quick.jit
cache.enable = lambda wanted: None
verify.problems = lambda records: [None] * len(records)  # records of the tests are right
measure.run = lambda plan, say: {"figures": []}
report.table = lambda result: "no figures"
review.review = lambda record, agent, params, **more: []
review.to_html = review.to_text = lambda reviews: "no reviews"
duplicate.evaluate = lambda *args, **more: NoPairs()
open_to_others, access = files._open_to_others, os.access


@dataclass
class NoPairs:
    """A result without pairs, as `Evaluation` is used by the command line."""

    provenance: object = None

    def to_text(self):
        return self.to_json()

    def to_json(self):
        return "no pairs"


def draw(result, path):
    with picture(path, (1, 1), "nothing"):
        pass


def at_the_end(path, mode):
    open_to_others(path, mode)
    if fault.startswith("SIG"):
        os.kill(os.getpid(), signal.Signals[fault])
    if fault == "vanished":
        shutil.rmtree("out")


plot.plot = draw
files._open_to_others = at_the_end
if fault == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
if fault == "read-only":  # a superuser may write everywhere
    os.access = lambda path, mode: not mode & os.W_OK and access(path, mode)
sys.exit(main(argv))
