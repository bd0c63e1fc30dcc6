"""The benchmark suite: what is measured, how it is timed, what it costs, and how that is shown.

`workloads` lists what is measured, `measure` runs it; a figure that is quoted should come with the
machine, the versions and the spread that its result has beside it.
"""
