"""The command line: `main`, and a module for each command with its options beside what it does.

The module of a command has `HELP` (one line), `add_options(parser)`, `check(args)`, which turns the
texts of an `argparse.Namespace` into checked values, and `run(args)`, which returns the exit status;
and `EXTRA`, what to install where a package is missing, unless that is `train`.
All errors of a command line are found before JAX is imported, which takes seconds: only `run` imports
modules that need it, such as `training`, the work of `train`.
"""
