"""Adapters for other libraries: our games as their environments, and their policies as our agents.

    pgx          environments of pgx
    pettingzoo   environments of PettingZoo, AEC
    gymnasium    one seat against fixed opponents: an Env, and a VectorEnv of whole batches
    gymnax       the same for gymnax and for PureJaxRL
    jaxmarl      multi-agent environments of JaxMARL, all seats
    bridge       double-dummy results and par of Bridge, by DDS
    openspiel    games of OpenSpiel; importing it registers them
    policies     functions of features as agents
    seat         the table behind gymnasium and gymnax: one learner against fixed opponents
    turns        the observations and the names of actions for learners

docs/interop.md compares their terms with ours. Each adapter is a separate extra; a package is imported
with its adapter.
"""
