"""The parameters of a game of OpenSpiel; see `interop.openspiel`. Does not need OpenSpiel."""

import dataclasses
from typing import Any

from jaxcards import registry, settings
from jaxcards.errors import UserError, quote
from jaxcards.game import Game

PARAMETERS: dict[str, Any] = {"preset": "", "rules": "", "round": 0, "cards": "", "deals": 0, "seed": 0}
"""The parameters of every game, with their defaults."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """The settings that the parameters of a game describe.

    Attributes:
      game: the game of single deals.
      cards: the cards to shuffle.
      draws: for each chance node before the cards, its name and its outcomes.
      fixed: facts of a deal that chance does not draw.
      deals, seed: the number of deals that chance chooses among, or 0, and their seed.
    """

    game: Game
    cards: tuple[int, ...]
    draws: tuple[tuple[str, tuple[int, ...]], ...]
    fixed: tuple[tuple[str, int], ...]
    deals: int
    seed: int

    @property
    def chance_nodes(self) -> int:
        """Number of chance nodes in every history."""
        return 1 if self.deals else len(self.draws) + len(self.cards)

    @property
    def most_outcomes(self) -> int:
        """The largest number of outcomes of a chance node."""
        outcomes = [max(outcomes) + 1 for _, outcomes in self.draws]
        return max(self.game.deck.num_cards, self.deals, *outcomes)

    def __deepcopy__(self, memo: Any) -> "Settings":
        return self  # OpenSpiel copies states deeply; copies share the settings


def read_settings(name: str, given: dict[str, Any]) -> Settings:
    """Return the settings described by the parameters of a game.

    Raises:
      UserError: an unknown preset, rule, value or card; numbers out of range.
    """
    values = PARAMETERS | given
    id = f"{name}/{values['preset']}" if values["preset"] else name
    game = registry.make(id, **_rules(id, values["rules"]))
    if not 0 <= values["round"] < game.num_rounds:
        raise UserError(f"round must be 0 to {game.num_rounds - 1}, not {values['round']}")
    if values["deals"] < 0 or not 0 <= values["seed"] < 2**32:
        raise UserError("deals must be 0 or more, and seed 0 to 2**32 - 1")
    dealers = tuple(game.hints.dealers or range(game.num_players))
    draws = [("dealer", dealers)]
    for fact_name, fact in game.opening_facts.items():
        if fact.drawn:
            draws.append((fact_name, tuple(range(fact.lowest, fact.highest + 1))))
    has_rounds = "round" in game.opening_facts
    fixed = (("round", values["round"]),) if has_rounds else ()
    return Settings(
        game, _cards(game, values["cards"]), tuple(draws), fixed, values["deals"], values["seed"]
    )


def _rules(id: str, text: str) -> dict[str, Any]:
    known = settings.annotations(type(registry.resolve(id)[1]))
    found = {}
    for part in text.split():
        name, colon, value = part.partition(":")
        if not colon:
            raise UserError(f"rules are written name:value, such as num_players:3, not {quote(part)}")
        if name not in known:
            registry.resolve(id, **{name: value})  # raises the error with the allowed values
        # OpenSpiel separates the parameters of a game by commas, so lists have plus signs.
        found[name] = settings.parse(name, known[name], value.replace("+", ","))
    return found


def _cards(game: Game, text: str) -> tuple[int, ...]:
    if not text:
        return tuple(range(game.deck.num_cards))
    cards = tuple(game.string_to_action(name) for name in text.split())
    if len(set(cards)) != len(cards) or max(cards) >= game.deck.num_cards:
        raise UserError(f"cards must be different cards of the deck, not {quote(text)}")
    return cards
