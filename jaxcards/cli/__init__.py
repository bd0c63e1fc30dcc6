"""The commands of `jaxcards`, a module each with `run(args: argparse.Namespace) -> int`.

`run` returns the exit status. `jaxcards.cli.main` has checked every argument, without JAX, before it
imports the module of the command; it says which fields `args` has.
"""
