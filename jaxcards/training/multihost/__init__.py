"""Training in several processes, on one host or on many.

`processes` says how they meet, `lockstep` makes them all do what process 0 does.

Needed only where `jaxcards train` is started more than once with `--coordinator` or `--distributed`.
"""
