"""A table whose moves are computed at once, one after the other."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from jaxcards.agent import Agent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.host.programs import LOOK, compiled_choice, deal_key, programs_of
from jaxcards.match import Match
from jaxcards.play.table import Table
from jaxcards.view.text import Text
from jaxcards.xla import prng


@dataclasses.dataclass(frozen=True)
class LocalPlayer:
    """A person, or an agent with its parameters.

    Attributes:
      known_as: the name.
      agent: None for a person.
      params: of the agent.
    """

    known_as: str
    agent: Agent | None = None
    params: Any = None

    def known_at(self, seat: int) -> str:
        """Return the name, the same at every seat."""
        return self.known_as


class LocalTable(Table):
    """The deals of a seed one after the other, or a match.

    The same seed, occupants and actions give the same cards and decisions.

    Attributes:
      occupants: for each player.
      seed: decides all cards and all choices of agents.
      history: all actions so far, of the deal or of the whole match.
    """

    def __init__(
        self, game: Game, occupants: Sequence[LocalPlayer], seed: int, *, match: bool, number: int = 0,
        totals: Sequence[int] = (), num_deals: int = 0,
    ) -> None:  # fmt: skip
        """Deal the first deal.

        Args:
          game: of single deals.
          occupants: for each player.
          seed: see the class.
          match: whether to play a match.
          number: of the first deal of the seed, for single deals.
          totals: points before the first deal here, of each player or side; empty for zeros.
          num_deals: deals of the match that were played elsewhere.

        Raises:
          UserError: for a wrong number of occupants, or a score that no match can have.
        """
        if len(occupants) != game.num_players:
            raise UserError(f"{game.id} has {game.num_players} players, not {len(occupants)}")
        if match:
            Match(game)  # raises an error for a game without matches
        key = deal_key(seed, 0)
        super().__init__(
            programs_of(game), tuple(occupants), match=match, totals=totals, cards=key, luck=key
        )
        self.seed, self.history = seed, list[int]()
        self._first = num_deals
        self._choices: dict[Agent, Any] = {}
        if not match:
            self._deal_alone(number, self.totals)
        elif totals or num_deals:
            row = self.programs.begin_at(self.cards, totals, num_deals)
            # For a given score, `Match.init` mixes the key of the following deals twice.
            self.cards = np.stack(prng.key_words(jnp.asarray(key)))
            self._deal(num_deals, row, self.totals)
        else:
            self._deal(0, self.programs.one("begin match", self.cards), self.totals)

    def _deal_alone(self, number: int, totals: list[int]) -> None:
        """Deal a deal of the seed, with its own key."""
        self.cards = self.luck = deal_key(self.seed, number)
        self.history.clear()
        self._deal(number, self.programs.one("begin", self.cards), totals)

    def _deal(self, number: int, row: np.ndarray, totals: list[int]) -> None:
        self.begin(number, self.programs.look(self.programs.one("advance", row, LOOK)), totals)

    # ---- The players ----------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The name of each player."""
        return [occupant.known_as for occupant in self.occupants]

    @property
    def people(self) -> list[int]:
        """The players that are people."""
        return [n for n, occupant in enumerate(self.occupants) if occupant.agent is None]

    def names_for(self, player: int | None) -> list[Text | str]:
        """Return the name of each player: "you" for the only person at the terminal."""
        return super().names_for(self.people[0] if len(self.people) == 1 else None)

    @property
    def deal(self) -> Any:
        """The state of the deal on the table."""
        return self.programs.state.read(self.look.state)

    # ---- Actions --------------------------------------------------------------------------------

    def play(self, action: int) -> None:
        """Play an action for the player to act.

        Raises:
          UserError: if the action is not legal, or the deal is over.
        """
        self.check_legal(action)
        programs, closed = self.programs, None
        look = programs.look(programs.one("advance", self.look.state, np.int32(action)))
        if self.match and look.over:
            closed = programs.closed(programs.one("close", *self.standing(look)))
        self.apply(int(action), look, closed)
        self.history.append(int(action))

    def ready(self, player: int) -> bool:
        """Return whether all functions for the choices of a player are compiled."""
        agent = self.occupants[player].agent
        return agent is None or agent in self._choices

    def decide(self) -> int:
        """Return the action that the agent of the player to act chooses.

        Raises:
          UserError: if a person is to act.
        """
        occupant = self.occupants[self.player]
        if occupant.agent is None:
            raise UserError(f"{occupant.known_as} is a person and must choose the action")
        if occupant.agent not in self._choices:
            self._choices[occupant.agent] = compiled_choice(self.game, occupant.agent)
        # Deals of the match that were played elsewhere do not count.
        row = self.decision(self.number - self._first)
        return int(self._choices[occupant.agent](occupant.params, *row))

    def next_deal(self) -> None:
        """Deal the next deal of the seed, or of the match.

        Raises:
          UserError: if the deal is not over, or the match is.
        """
        if not self.deal_over or (self.match and self.over):
            raise UserError(
                "cannot deal again: " + ("the match is over" if self.over else "this one goes on")
            )
        if self.closed is None:
            self._deal_alone(self.number + 1, self.totals_after(self.look.points))
        else:
            self._deal(self.number + 1, self.closed.following, self.closed.totals)
