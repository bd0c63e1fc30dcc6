"""Policy networks: their layers, the agent that plays by one, and its file.

`network` has the agent, `encoding` its inputs, `saved` the file format. `masking` has distributions
over legal actions. `vocabulary` names the inputs and outputs of one network for several games.
`integers` has the network for Swisslos data.
"""
