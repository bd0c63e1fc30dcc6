"""Players of third-party engines at our table: `openspiel:ismcts:1000`, `pyschieber:challenge`.

`names` has every player by name, without importing JAX or the engines. Each engine has one adapter
module, which translates cards, actions and seats, and corrects nothing; `engine` defines its interface.
`lockstep` plays a deal in both engines, decision by decision, and stops if they disagree.
"""
