"""The benchmark suite: workloads, timing, sizes of programs, reports.

`workloads` lists the workloads, `measure` runs them. Quote a figure with the machine, the versions and
the spread, which the same result contains.
"""
