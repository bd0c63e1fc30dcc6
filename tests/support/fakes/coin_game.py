"""The class of the made-up game. Imports JAX, as the class of a real game does."""

import jax  # noqa: F401
from support.fakes.coin_rules import Rules


class Coin:
    def __init__(self, rules: Rules, id: str) -> None:
        self.rules, self.id = rules, id
