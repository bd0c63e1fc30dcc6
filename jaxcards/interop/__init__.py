"""Doors to other libraries: our games as their environments, and their policies as our agents.

    pgx          environments of pgx
    pettingzoo   environments of PettingZoo, AEC
    gymnasium    one seat against fixed opponents: an Env, and a VectorEnv of whole batches
    gymnax       the same for gymnax and for PureJaxRL
    openspiel    games of OpenSpiel; importing it registers them
    policies     functions of features as agents
    seat         the table behind gymnasium and gymnax: one learner, the other seats play by themselves
    turns        what a learner sees, and how its actions are called

docs/interop.md has a table of what is what. Each door is an extra of its own; a package is imported
when its door is.
"""
