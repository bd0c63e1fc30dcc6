"""One table: a deal or a match, who sits where, and what has been done so far."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.rollouts import deal_keys
from jaxcards.view.structure import View
from jaxcards.view.text import Text
from jaxcards.xla import prng


@dataclasses.dataclass(frozen=True)
class Occupant:
    """Who plays for a seat: a person, or an agent with its parameters.

    Attributes:
      name: what the others call it.
      agent: None for a person.
      params: of the agent.
    """

    name: str
    agent: Agent | None = None
    params: Any = None


class Table:
    """A deal after the other of a seed, or a match, at one table.

    The same seed, occupants and actions give the same cards and decisions. Every function of the game
    and of the agents is compiled once, when it is first needed.

    Attributes:
      game: the game of single deals.
      match: the match, or None if single deals are played.
      occupants: for each player.
      seed: decides all cards and all choices of agents.
      number: of the deal: 0 is the first of the seed, or of the match.
      actions: all actions so far, of the deal or of the whole match.
      deal: the state of the deal on the table.
    """

    def __init__(
        self, game: Game, occupants: Sequence[Occupant], seed: int, *, match: bool, number: int = 0,
        totals: Sequence[int] = (), num_deals: int = 0,
    ) -> None:  # fmt: skip
        """Deal the first deal.

        Args:
          game: of single deals.
          occupants: for each player.
          seed: see the class.
          match: whether a match is played.
          number: of the first deal of the seed, where single deals are played.
          totals: of a match before its first deal here, of each player or side; empty for zeros.
          num_deals: deals of the match that were played elsewhere.

        Raises:
          UserError: a wrong number of occupants, or a standing that no match can have.
        """
        if len(occupants) != game.num_players:
            raise UserError(f"{game.id} has {game.num_players} players, not {len(occupants)}")
        self.game, self.occupants, self.seed = game, tuple(occupants), seed
        self.match = Match(game) if match else None
        self._step = jax.jit(game.step)
        self._mask = jax.jit(game.legal_action_mask)
        self._returns = jax.jit((self.match or game).returns)
        self._close = jax.jit(self.match.close) if self.match else None
        self._choices: dict[Agent, Any] = {}
        self.number, self.actions = 0, list[int]()
        self.totals, self.num_deals = list(totals), num_deals
        self._start(0 if match else number)

    def _start(self, number: int) -> None:
        keys = deal_keys(jnp.uint32(self.seed), jnp.arange(number, number + 1, dtype=jnp.uint32))
        self._key = prng.key_words(keys[0])
        self.number, self._done = number, 0
        self._standing: Any = None
        if self.match:
            given = {"totals": self.totals or None, "num_deals": self.num_deals or None}
            self._standing = self.match.init(keys[0], **given)
        self.deal = self._standing.deal if self._standing is not None else self.game.init(keys[0])
        self._counted: Any = None  # the match with the deal that is over, and the deal that follows

    # ---- What there is to see -------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The name of each player."""
        return [occupant.name for occupant in self.occupants]

    @property
    def people(self) -> list[int]:
        """The players that are people."""
        return [n for n, occupant in enumerate(self.occupants) if occupant.agent is None]

    @property
    def player(self) -> int:
        """The player to act."""
        return int(self.deal.current_player)

    @property
    def deal_over(self) -> bool:
        """Whether the deal on the table is over."""
        return bool(self.deal.terminated)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play: of a match, or of a single deal."""
        if self.match is None:
            return self.deal_over
        return self._counted is not None and bool(self._counted[0].over)

    def view(self, player: int | None) -> View:
        """Return the view of a player, with the names of the players; see `Game.view`."""
        names: list[Text | str] = [*self.names]
        if len(self.people) == 1:
            names[self.people[0]] = Text("seat.you")
        if self.match is None:
            return self.game.view(self.deal, player).named(names).without_match()
        standing = self._counted[0] if self.over else self._standing
        seen = dataclasses.replace(standing, deal=self.deal)
        return self.match.view(seen, player).named(names)

    def returns(self) -> list[float]:
        """Return the returns of the match or deal that is over; see `Game.returns`."""
        state = self._counted[0] if self._counted is not None else self._standing or self.deal
        return self._returns(state).tolist()

    # ---- What there is to do --------------------------------------------------------------------

    def play(self, action: int) -> None:
        """Play an action for the player to act.

        Raises:
          UserError: it is not legal, or the deal is over.
        """
        if self.deal_over:
            raise UserError("the deal is over: no action is legal")
        if not 0 <= action < self.game.num_actions or not bool(self._mask(self.deal)[action]):
            raise UserError(f"action {action} is not legal for {self.names[self.player]}")
        self.deal = self._step(self.deal, jnp.int32(action))
        self.actions.append(int(action))
        self._done += 1
        if self._close is not None and bool(self.deal.terminated):
            self._counted = self._close(dataclasses.replace(self._standing, deal=self.deal))

    def ready(self, player: int) -> bool:
        """Return whether the choice of an agent needs nothing to be compiled any more."""
        agent = self.occupants[player].agent
        return agent is None or agent in self._choices

    def decide(self) -> int:
        """Return the action that the agent of the player to act chooses.

        Raises:
          UserError: a person is to act.
        """
        occupant = self.occupants[self.player]
        if occupant.agent is None:
            raise UserError(f"{occupant.name} is a person: nobody decides for them")
        if occupant.agent not in self._choices:
            self._choices[occupant.agent] = jax.jit(self._choice_of(occupant.agent))
        choose = self._choices[occupant.agent]
        numbers = jnp.uint32(self.number), jnp.uint32(self._done)
        return int(choose(occupant.params, self.deal, self._key, *numbers))

    def _choice_of(self, agent: Agent) -> Any:
        def choose(
            params: Any, deal: Any, key: prng.KeyWords, number: jax.Array, done: jax.Array
        ) -> jax.Array:
            words = prng.fold(prng.fold(key, number), done)
            observation = self.game.observe(deal, deal.current_player)
            return agent.act(params, observation, self.game.legal_actions(deal), prng.wrap(words))

        return choose

    def next_deal(self) -> None:
        """Deal the next deal of the seed, or of the match.

        Raises:
          UserError: the deal is not over, or the match is.
        """
        if not self.deal_over or (self.match and self.over):
            raise UserError(
                "there is no next deal: " + ("the match" if self.over else "this one goes on")
            )
        if self.match is None:
            self.actions.clear()
            self._start(self.number + 1)
            return
        self._standing, self.deal = self._counted
        self._counted, self.number, self._done = None, self.number + 1, 0
