"""Learners: they train a network or a table. One folder for each algorithm.

`registry` makes a learner by its name. `base` has the base class, `config` the settings that all
learners share. `self_play` plays deals, `advantages` and `decisions` turn them into training data, and
`sharding` spreads the work over devices.
"""
