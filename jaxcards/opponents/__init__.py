"""Players of other people's engines, at our table: `openspiel:ismcts:1000`, `pyschieber:challenge`.

`names` has every player by name, and imports neither JAX nor the engines. An adapter, one module an
engine, translates cards, actions and seats, and corrects nothing; `engine` says what it offers.
`lockstep` plays a deal in both engines, decision by decision, and stops where they disagree.
"""
