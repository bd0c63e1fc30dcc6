"""A command line in a process of its own in which something goes wrong: `python faulty.py FAULT ARGS`.

SIGTERM and SIGKILL come when a new file is written and not yet in its place.
"""

import os
import resource
import shutil
import signal
import sys

from support import quick

from jaxcards import files, xla
from jaxcards.cli.main import main
from jaxcards.records import verify
from jaxcards.xla import cache

LIMIT = 1000  # bytes of a file on a full disk

fault, *argv = sys.argv[1:]
xla.jit = quick.jit
cache.enable = lambda: None
verify.problems = lambda records: [None] * len(records)  # records of the tests are right
open_to_others, access = files._open_to_others, os.access


def at_the_end(path, mode):
    open_to_others(path, mode)
    if fault.startswith("SIG"):
        os.kill(os.getpid(), signal.Signals[fault])
    if fault == "vanished":
        shutil.rmtree("out")


files._open_to_others = at_the_end
if fault == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
if fault == "read-only":  # a superuser may write everywhere
    os.access = lambda path, mode: not mode & os.W_OK and access(path, mode)
sys.exit(main(argv))
