"""Imitation: a network learns what somebody chose, from records of games (behavioural cloning).

`config` has every setting, `examples` turns recorded deals into decisions, `slots` has the network and
the player of the 72 integers of Jass, `measures` says how well held-out games are foretold, and
`learner` is one compiled step. The batches come from `jaxcards.training.feeding`.
"""
