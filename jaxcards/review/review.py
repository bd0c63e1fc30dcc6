"""A deal or a match, move by move: legal actions, played action, cost. Plain values."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxcards.agent import Agent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.agent import CLEAR, SearchAgent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records import verify
from jaxcards.records.record import DealRecord, Record, deals_of
from jaxcards.records.states import replay
from jaxcards.review import values
from jaxcards.view.structure import View
from jaxcards.view.text import Text

WORLDS = 64
ENDINGS = 4
_WORST = 3


@dataclasses.dataclass(frozen=True)
class Option:
    """A legal action of a decision.

    Attributes:
      action: its number.
      name: its name: "♥J", "pass".
      policy: the policy's probability of it.
      value: the return that the search expects of it, in points (`Game.returns`); None for the only
        legal action, which is not searched.
      value_error: its standard error.
      cost: the value of the search's choice less this value; negative if this one is higher.
      cost_error: its standard error, from differences world by world.
      won: the fraction of worlds in which the player has the highest return.
      double_dummy: the return in the actual deal, with all hands open and best play of both sides from
        there on; None if that was not solved (see `Reviewer`).
    """

    action: int
    name: str
    policy: float
    value: float | None = None
    value_error: float | None = None
    cost: float = 0.0
    cost_error: float = 0.0
    won: float | None = None
    double_dummy: float | None = None


@dataclasses.dataclass(frozen=True)
class Move:
    """A decision of a deal, and its evaluation by a player and its search.

    Attributes:
      number: of the decision in its deal, counted from 0.
      player: who decided.
      played: the action that was played.
      liked: the most likely action of the policy, without a search.
      choice: the choice of the search: that of the policy, or another action that leads by two standard
        errors.
      options: every legal action, the highest value first.
    """

    number: int
    player: int
    played: int
    liked: int
    choice: int
    options: tuple[Option, ...]

    @property
    def forced(self) -> bool:
        """True if there was only one legal action."""
        return len(self.options) == 1

    @property
    def agrees(self) -> bool:
        """True if the search would have played the same action."""
        return self.played == self.choice

    @property
    def cost(self) -> float:
        """Points that the played action lost against the search's choice; negative if it gained."""
        return self.option(self.played).cost

    @property
    def cost_error(self) -> float:
        """The standard error of `cost`."""
        return self.option(self.played).cost_error

    @property
    def double_dummy_cost(self) -> float | None:
        """Points that the played action lost in the actual deal; None if that was not solved.

        This value depends on cards that the player could not see.
        """
        played = self.option(self.played).double_dummy
        if played is None:
            return None
        return max(o.double_dummy for o in self.options if o.double_dummy is not None) - played

    def option(self, action: int) -> Option:
        """Return the facts about a legal action."""
        return next(option for option in self.options if option.action == action)


@dataclasses.dataclass(frozen=True)
class Tally:
    """The moves of one player together.

    Attributes:
      player: its number.
      choices: decisions with more than one legal action.
      agreed: how many of them were the search's choice.
      cost: the total cost of them, in points.
      cost_error: its standard error.
    """

    player: int
    choices: int
    agreed: int
    cost: float
    cost_error: float


@dataclasses.dataclass(frozen=True)
class DealReview:
    """A deal, reviewed.

    Attributes:
      record: the deal.
      game: the game of single deals.
      name: of the policy behind the search.
      worlds: number of deals played out for each action.
      seed: of these deals.
      moves: all decisions in order.
      states: the states before each move, and the last one; see `records.Replay`. For pictures.
    """

    record: DealRecord
    game: Game
    name: str
    worlds: int
    seed: int
    moves: tuple[Move, ...]
    states: Any = dataclasses.field(repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """A unique name for each player: that of the record, or "seat 0" and so on."""
        return distinct_names(self.record.players, self.game.num_players)

    @functools.cached_property
    def view(self) -> View:
        """The deal before its first move; it knows the units of the game."""
        return self.game.view(jax.tree.map(lambda leaf: leaf[0], self.states), 0)

    def unit(self, *, gains: bool = False) -> str:
        """Return the unit of expected results in words, or that of their differences: costs."""
        unit = self.view.gain_unit if gains else self.view.deal_unit
        return self.view.say(Text(f"unit.{unit}"))

    @property
    def solved(self) -> bool:
        """True if some moves were solved with all hands open."""
        return any(move.double_dummy_cost is not None for move in self.moves)

    def worst(self, number: int = _WORST) -> tuple[Move, ...]:
        """Return the most costly moves, the worst first; moves without a cost are left out."""
        dear = sorted(self.moves, key=lambda move: -move.cost)
        return tuple(move for move in dear[:number] if move.cost > 0)

    def tallies(self) -> tuple[Tally, ...]:
        """Return the moves of each player together."""
        return tuple(self._tally(player) for player in range(self.game.num_players))

    def _tally(self, player: int) -> Tally:
        own = [move for move in self.moves if move.player == player and not move.forced]
        return Tally(
            player,
            choices=len(own),
            agreed=sum(move.agrees for move in own),
            cost=sum(move.cost for move in own),
            # Each decision has its own worlds.
            cost_error=sum(move.cost_error**2 for move in own) ** 0.5,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the review as JSON values."""
        return {
            "game": self.record.game,
            "rules": dict(self.record.rules),
            "players": list(self.names),
            "points": self.record.points and list(self.record.points),
            "reviewer": self.name,
            "worlds": self.worlds,
            "seed": self.seed,
            "unit": self.view.deal_unit,
            "tallies": [dataclasses.asdict(tally) for tally in self.tallies()],
            "worst": [move.number for move in self.worst()],
            "moves": [
                dataclasses.asdict(move)
                | {
                    "options": [self._option_dict(option) for option in move.options],
                    "forced": move.forced,
                    "cost": move.cost,
                    "cost_error": move.cost_error,
                    "double_dummy_cost": move.double_dummy_cost,
                }
                for move in self.moves
            ],
        }

    def _option_dict(self, option: Option) -> dict[str, Any]:
        """Return an option as JSON values, its results in the unit of the game."""
        facts = dataclasses.asdict(option)
        for name in ("value", "double_dummy"):
            if facts[name] is not None:
                facts[name] = self.view.in_unit(facts[name])
        return facts


def distinct_names(players: Sequence[str] | None, number: int) -> tuple[str, ...]:
    """Return a unique name for each player of a deal: those given, or "seat 0" and so on."""
    given = tuple(players or (f"seat {seat}" for seat in range(number)))
    twice = {name for name in given if given.count(name) > 1}
    return tuple(f"{name} {n}" if name in twice else name for n, name in enumerate(given))


class Reviewer:
    """Review deals of one game; compiled with the first one.

    Args:
      game: of single deals.
      agent: the policy, which also plays the worlds out in all seats. A `SearchAgent` counts as its
        base, with its own belief and handling of calls. The search must lead by `CLEAR`
        standard errors to leave the policy's choice.
      params: its parameters.
      worlds: deals to play out for each legal action, 2 or more.
      seed: of these deals; 0 to 2**32 - 1.
      name: of the policy.
      endings: solve the deal with all hands open from this number of cards per hand on, 0 to
        `endgame.MOST_CARDS`; see `endgame.solve`. Deals in which everyone plays alone are not solved.

    Raises:
      UserError: if `worlds` is below 2, or `endings` out of range.
    """

    def __init__(
        self,
        game: Game,
        agent: Agent,
        params: Any,
        *,
        worlds: int = WORLDS,
        seed: int = 0,
        name: str = "the policy",
        endings: int = ENDINGS,
    ) -> None:
        endgame.check_endings(endings)
        self.game, self.params, self.seed, self.name = game, params, seed, name
        self.endings = endings
        self.search = SearchAgent.around(game, agent, worlds=worlds, threshold=CLEAR)

    def deal(
        self,
        record: DealRecord,
        number: int = 0,
        progress: Callable[[int, int], None] = lambda done, all: None,
    ) -> DealReview:
        """Return the review of a deal.

        Every move is judged from its player's observation at that moment; hidden hands do not affect
        it.

        Args:
          record: a deal of the game, finished or not.
          number: of the deal in its match; different numbers draw different worlds.
          progress: see `values.decisions`.

        Raises:
          UserError: if the record is of another game, or does not replay to its result.
        """
        replayed = replay(record)
        if replayed.game != self.game:
            raise UserError(f"the record is of {replayed.game.id}, not of {self.game.id}")
        before = jax.tree.map(lambda leaf: leaf[:-1], replayed.states)
        moves = self._moves(before, replayed.actions, number, progress) if len(replayed) else ()
        return DealReview(
            record, self.game, self.name, self.search.worlds, self.seed, moves, replayed.states
        )

    def _moves(
        self, before: Any, actions: np.ndarray, number: int, progress: Callable[[int, int], None]
    ) -> tuple[Move, ...]:
        players = np.asarray(before.current_player)
        masks = np.asarray(values.masks(self.game)(before))
        # free: the decisions with a choice; forced ones are not searched.
        (free,) = np.nonzero(masks.sum(1) > 1)
        keys = values.keys_of(self.seed, number, len(actions))
        double_dummy = values.with_open_hands(self.game, before, self.endings)
        moves = {}
        if len(free):
            states = jax.tree.map(lambda leaf: np.asarray(leaf)[free], before)
            found = values.decisions(self.search, self.params, states, keys[free], progress)
            analysis, choices = values.analyses(self.search, found, players[free])
            for row, place in enumerate(free.tolist()):
                own = jax.tree.map(lambda leaf, row=row: leaf[row], (found, analysis))
                played, player = int(actions[place]), int(players[place])
                move = self._move(place, player, played, int(choices[row]), *own)
                moves[place] = _solved(move, double_dummy[place])
        for place in range(len(actions)):
            if place not in moves:
                only = int(actions[place])
                option = Option(only, self._called(only), 1.0)
                moves[place] = Move(place, int(players[place]), only, only, only, (option,))
        return tuple(moves[place] for place in range(len(actions)))

    def _move(
        self, number: int, player: int, played: int, choice: int, found: Any, analysis: Any
    ) -> Move:
        """Return a move with a choice, from the results of one decision."""
        count = int(found.legal.sum())
        own = found.returns[:, :count, player]
        # own: [worlds, actions]. Subtract world by world, where all actions have the same luck.
        loss = own[:, [found.action[:count].tolist().index(choice)]] - own
        error = loss.std(0, ddof=1) / np.sqrt(len(own))
        options = [
            Option(
                action=int(found.action[i]),
                name=self._called(int(found.action[i])),
                policy=float(analysis.policy[i]),
                value=float(analysis.value[i]),
                value_error=float(analysis.value_error[i]),
                cost=float(loss[:, i].mean()),
                cost_error=float(error[i]),
                won=float(analysis.won[i]),
            )
            for i in range(count)
        ]
        options.sort(key=lambda option: option.cost)
        return Move(number, player, played, int(found.action[0]), choice, tuple(options))

    def _called(self, action: int) -> str:
        """Return the name of an action for people: the face of a card, or the name of a call."""
        deck = self.game.deck
        return deck.pretty(action) if action < deck.num_cards else self.game.action_to_string(action)


def _solved(move: Move, values: np.ndarray) -> Move:
    """Return a move with the values of its actions with all hands open: float32[num_actions]."""
    if np.isnan(values[move.played]):
        return move
    options = (dataclasses.replace(o, double_dummy=float(values[o.action])) for o in move.options)
    return dataclasses.replace(move, options=tuple(options))


def review(
    record: Record,
    agent: Agent,
    params: Any,
    *,
    worlds: int = WORLDS,
    seed: int = 0,
    name: str = "the policy",
    endings: int = ENDINGS,
    progress: Callable[[int, int, int], None] = lambda deal, done, all: None,
) -> Sequence[DealReview]:
    """Return the review of each deal of a record: one, or those of a match.

    Args:
      record: a deal or a match.
      agent, params, worlds, seed, name, endings: see `Reviewer`.
      progress: called with the number of the deal, the number of finished decisions, and the total.

    Raises:
      UserError: if the record does not fit its game or does not replay to its result; see also
        `Reviewer`.
    """
    game = verify.check(record)
    reviewer = Reviewer(game, agent, params, worlds=worlds, seed=seed, name=name, endings=endings)
    return [
        reviewer.deal(deal, number, lambda done, all, number=number: progress(number, done, all))  # type: ignore[misc]
        for number, deal in enumerate(deals_of(record))
    ]
