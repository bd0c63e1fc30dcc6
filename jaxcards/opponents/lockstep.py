"""Play the same deals in this package and in another engine, decision by decision.

Every action is applied to both. Before each action, the player to act and the legal actions are
compared, and at the end the counts. The other engine keeps the score.
"""

import functools
import itertools
import pkgutil
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.host.programs import LOOK, compiled_choice, deal_key, programs_of
from jaxcards.opponents.engine import Deal, Engine, Score, Seated, Start
from jaxcards.opponents.names import Opponent


class Disagreement(UserError):
    """Two engines disagree, or a player fails. The message has both views and the deal so far."""


def engine_of(opponent: Opponent, game: Game) -> Engine:
    """Return the adapter of a player's engine, for a game that passes `names.check_game`."""
    return _engine(opponent.entry.adapter, game)


@functools.lru_cache(maxsize=8)
def _engine(adapter: str, game: Game) -> Engine:
    return pkgutil.resolve_name(adapter)(game)


class Lockstep:
    """Plays deals one by one in two engines.

    Args:
      engine: another engine, for the game that is played.
      players: our agents, and at least one player of that engine.
      params: the parameters of each agent; ignored for other players.
      seed: of the deals and of all random choices.
      caller: one of our agents and its parameters. It makes every call; see `Game.is_call`.
    """

    def __init__(
        self,
        engine: Engine,
        players: Sequence[Agent | Opponent],
        params: Sequence[Any],
        seed: int,
        caller: tuple[Any, Any] | None = None,
    ) -> None:
        self._engine, self._players, self._params, self._seed = engine, players, params, seed
        self._game = engine.game
        self._title = next(player for player in players if isinstance(player, Opponent)).entry.title
        self._programs = programs_of(self._game)
        self._hands, self._counted = _hands(self._game), _counting(engine)
        # None stands for a player of the other engine, which chooses by itself.
        ours: list[Any] = [None if isinstance(one, Opponent) else one for one in players]
        self._choices = [one and compiled_choice(self._game, one) for one in ours]
        self._caller = caller and (compiled_choice(self._game, caller[0]), caller[1])
        self._is_call = _is_call(self._game)

    def play(self, number: int, seats: Sequence[int], seating: int) -> Score:
        """Play a deal to its end.

        Our players make the same choices as in `rollout` with the same seats.

        Args:
          number: of the deal.
          seats: for each seat, the number of its player.
          seating: a number for these seats, part of the seed of the other engine's players.

        Raises:
          Disagreement: if the engines disagree, or a player fails or breaks the rules.
        """
        programs, key = self._programs, deal_key(self._seed, number)
        # `LOOK` reads the first moment and plays nothing.
        look = programs.look(programs.one("advance", programs.one("begin", key), LOOK))
        seated = {
            seat: Seated(player, _seed(self._seed, number, seating, seat))
            for seat, player in enumerate(self._players[who] for who in seats)
            if isinstance(player, Opponent)
        }
        # The other engine gets the cards themselves: its own seeds would deal other ones.
        hands = [hand.to_list() for hand in jax.device_get(self._hands(look.state))]
        start = Start(hands, programs.state.read(look.state).public, look.state)
        theirs = self._engine.deal(start, seated)
        where = (
            f"deal {number} of seed {self._seed}, players by seat {' '.join(map(str, seats))} "
            f"(seating {seating})"
        )
        played = _Played(self._game, self._title, where, hands)
        for step in itertools.count():
            legal = played.compare(theirs, look.player, look.over, np.flatnonzero(look.legal).tolist())
            if look.over:
                break
            who = seats[look.player]
            choose, params = self._choices[who], self._params[who]
            # The actions that are legal in both engines.
            words = np.array(self._game.action_layout.constant(legal), np.uint32)
            if self._caller is not None and self._is_call(look.seen[look.player], words):
                choose, params = self._caller
            if choose is None:
                action = played.ask(theirs)
            else:
                action = int(choose(params, look.seen[look.player], words, key, np.uint32(step)))
            played.note(look.player, action, legal)
            theirs.step(action)
            look = programs.look(programs.one("advance", look.state, np.int32(action)))
        counted = self._counted(look.state).tolist()
        if counted != list(theirs.counted()):
            raise played.differ(f"the end counts {counted}", theirs.counted())
        return theirs.score(look.points, look.returns)


class _Played:
    """A deal so far, to compare two engines and to report where they differ.

    Args:
      game: the jaxcards game.
      title: name of the other engine.
      where: description of the deal.
      hands: the cards dealt to each seat.
    """

    def __init__(self, game: Game, title: str, where: str, hands: Sequence[Sequence[int]]) -> None:
        self._names, self._title = game.action_names(), title
        self._where = f"{where}, hands {' | '.join(map(game.deck.names, hands))}"
        self._actions: list[int] = []

    def compare(self, theirs: Deal, seat: int, over: bool, legal: list[int]) -> list[int]:
        """Return the legal actions of the other engine, given our state."""
        if over != theirs.terminated:
            raise self.differ(_over(over), _over(theirs.terminated))
        if over:
            return []
        if seat != theirs.current_player:
            raise self.differ(f"seat {seat} is to act", f"seat {theirs.current_player}")
        found = theirs.legal()
        if theirs.predict(legal) != found:
            raise self.differ(f"for seat {seat} legal are {self._said(legal)}", self._said(found))
        return found

    def ask(self, theirs: Deal) -> int:
        """Return the choice of the other engine's player."""
        try:
            return theirs.choose()
        # An error that already says what to do needs no frame.
        except UserError:
            raise
        except Exception as error:  # players of other engines raise errors of any kind
            raise self._stop(f"{self._title} failed ({type(error).__name__}: {error})") from error

    def note(self, seat: int, action: int, legal: list[int]) -> None:
        """Add an action. It must be one of the legal ones."""
        if action not in legal:
            chosen = f"seat {seat} chose {self._said([action])}"
            raise self._stop(f"{chosen}, which is not one of {self._said(legal)}")
        self._actions.append(action)

    def differ(self, ours: object, theirs: object) -> Disagreement:
        """Return the error for two views."""
        return self._stop(f"{ours} in jaxcards, {theirs} in {self._title}")

    def _stop(self, what: str) -> Disagreement:
        return Disagreement(f"{what}: {self._where}, actions so far: {self._said(self._actions)}")

    def _said(self, actions: Sequence[int]) -> str:
        known = range(len(self._names))
        named = (self._names[n] if n in known else f"action {n}" for n in actions)
        return ", ".join(named) or "nothing"


def _over(over: bool) -> str:
    return "over" if over else "not over"


def _seed(*numbers: int) -> int:
    """Return a seed below 2**31 that depends on all numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0]) >> 1


@functools.lru_cache(maxsize=8)
def _hands(game: Game) -> Any:
    """Compile a function from a state, as words, to the cards of each seat."""
    return xla.jit(lambda row: game.card_places(programs_of(game).state.unpack(row)).hands)


@functools.lru_cache(maxsize=8)
def _is_call(game: Game) -> Any:
    """Compile `Game.is_call` from an observation and legal actions, as words."""
    seen, layout = programs_of(game).seen, game.action_layout
    return xla.jit(lambda row, legal: game.is_call(seen.unpack(row), ActionSet(layout, list(legal))))


@functools.lru_cache(maxsize=8)
def _counting(engine: Engine) -> Any:
    """Compile a function from a final state, as words, to the counts of `Engine.counted`."""
    return xla.jit(lambda row: engine.counted(programs_of(engine.game).state.unpack(row)))
