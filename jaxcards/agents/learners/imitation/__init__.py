"""Imitation: a network learns recorded decisions of other players (behavioural cloning).

`config` has every setting, `examples` turns recorded deals into decisions, `measures` scores the
policy on held-out games, and `learner` is one compiled step. The batches come from
`jaxcards.training.feeding`. `networks.integers` has the network for the 72 integers of Jass.
"""
