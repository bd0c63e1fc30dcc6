"""Training in several processes, on one host or on many.

`processes` connects them; `lockstep` makes them all follow process 0. The package is used only if
`jaxcards train` is started more than once with `--coordinator` or `--distributed`.
"""
