"""The command line: `main`, and one module for each command with its options and its action.

The module of a command has `HELP` (one line), `add_options(parser)`, `check(args)` and `run(args)`.
`check` turns the texts of an `argparse.Namespace` into checked values; `run` returns the exit status.
`EXTRA` names the extra to install for a missing package, unless that is `train`.

All errors of a command line are found before JAX is imported, which takes seconds. Only `run` imports
modules that need JAX, such as `training`, the work of `train`.
"""
