"""A table where players of ours and of another engine play the same deals, decision by decision.

Their engine keeps the score, ours follows. Every decision is applied to both, who is to act and what is
legal are compared before each, and what was counted at the end.
"""

import functools
import importlib
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.opponents.engine import Deal, Engine, Score, Seated, Start
from jaxcards.opponents.names import Opponent
from jaxcards.rollouts import deal_keys
from jaxcards.xla import prng


class Disagreement(UserError):
    """Two engines part in a deal, or a player fails; the message has both views and the deal so far."""


def engine_of(opponent: Opponent, game: Game) -> Engine:
    """Return the adapter of a player's engine, for a game that passes `names.check_game`."""
    return _engine(opponent.entry.adapter, game)


@functools.lru_cache(maxsize=8)
def _engine(adapter: str, game: Game) -> Engine:
    module, _, name = adapter.partition(":")
    return getattr(importlib.import_module(module), name)(game)


class Table:
    """Plays deals one by one.

    Args:
      engine: another engine, for the game that is played.
      players: agents of ours, and players of that engine, at least one.
      params: the parameters of each; of theirs whatever.
      seed: of the deals and of all random choices.
      caller: an agent of ours and its parameters, who decides for every player where a call is legal.
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
        self._programs = _programs(self._game)
        ours: list[Any] = [None if isinstance(one, Opponent) else one for one in players]
        self._acting = [None if one is None else _acting(self._game, one) for one in ours]
        self._finish = _finishing(engine)
        self._caller = None if caller is None else (_acting(self._game, caller[0]), caller[1])

    def play(self, number: int, seats: Sequence[int], seating: int) -> Score:
        """Play a deal to its end.

        Our players make the choices that they make in `rollout` with the same seats.

        Args:
          number: of the deal.
          seats: for each seat, the number of its player.
          seating: a number for these seats; with seed, deal and seat it is the seed of their players.

        Raises:
          Disagreement: the engines do not agree, or a player of theirs fails or breaks the rules.
        """
        key, state, view = self._programs.deal(jnp.uint32(self._seed), jnp.uint32(number))
        seated = {
            seat: Seated(player, _seed(self._seed, number, seating, seat))
            for seat, player in enumerate(self._players[who] for who in seats)
            if isinstance(player, Opponent)
        }
        hands = [hand.to_list() for hand in jax.device_get(self._programs.hands(state))]
        theirs = self._engine.deal(Start(hands, jax.device_get(state.public)), seated)
        where = (
            f"deal {number} of seed {self._seed}, players by seat {' '.join(map(str, seats))} "
            f"(seating {seating})"
        )
        played = _Played(self._game, self._title, where, hands)
        for step in itertools.count():
            player, over, mask = jax.device_get(view)
            legal = played.compare(theirs, int(player), bool(over), np.flatnonzero(mask).tolist())
            if over:
                break
            who = seats[player]
            acting, params = self._acting[who], self._params[who]
            if self._caller is not None and max(legal) >= self._game.deck.num_cards:
                acting, params = self._caller
            if acting is None:
                action = played.ask(theirs)
            else:
                words = np.array(self._game.action_layout.constant(legal), np.uint32)
                action = int(acting(params, state, key, jnp.uint32(step), words))
            played.note(int(player), action, legal)
            theirs.step(action)
            state, view = self._programs.step(state, jnp.int32(action))
        points, returns, counted = jax.device_get(self._finish(state))
        if counted.tolist() != list(theirs.counted()):
            raise played.differ(f"the end counts {counted.tolist()}", theirs.counted())
        return theirs.score(points.tolist(), returns.tolist())


class _Played:
    """A deal so far, to compare two engines and to say where they part.

    Args:
      game: ours.
      title: what the other engine is called.
      where: which deal this is.
      hands: the cards dealt to each seat.
    """

    def __init__(self, game: Game, title: str, where: str, hands: Sequence[Sequence[int]]) -> None:
        self._names, self._title = game.action_names(), title
        self._where = f"{where}, hands {' | '.join(map(game.deck.names, hands))}"
        self._actions: list[int] = []

    def compare(self, theirs: Deal, seat: int, over: bool, legal: list[int]) -> list[int]:
        """Return the actions that are legal in the other engine, given what holds in ours."""
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
        """Return what the other engine's player chooses."""
        try:
            return theirs.choose()
        except Exception as error:  # whatever a player of theirs may raise
            raise self._stop(f"{self._title} failed ({type(error).__name__}: {error})") from error

    def note(self, seat: int, action: int, legal: list[int]) -> None:
        """Add an action, which has to be one of the legal ones."""
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
        return ", ".join(self._names[action] for action in actions) or "nothing"


def _over(over: bool) -> str:
    return "over" if over else "not over"


def _seed(*numbers: int) -> int:
    """Return a seed below 2**31 that depends on all numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0]) >> 1


class _Programs(NamedTuple):
    """Compiled for a single deal. A view is who is to act, whether all is over, and the legal mask.

    Attributes:
      deal: (seed, number) -> key of the deal, fresh state, view.
      hands: state -> the cards of each seat.
      step: (state, action) -> state, view.
    """

    deal: Any
    hands: Any
    step: Any


@functools.lru_cache(maxsize=8)
def _programs(game: Game) -> _Programs:
    def view(state: Any) -> tuple[jax.Array, ...]:
        return state.current_player, state.terminated, game.legal_action_mask(state)

    def deal(seed: jax.Array, number: jax.Array) -> tuple[jax.Array, Any, Any]:
        key = deal_keys(seed, number[None])[0]
        state = game.init(key)
        return key, state, view(state)

    def step(state: Any, action: jax.Array) -> tuple[Any, Any]:
        after = game.step(state, action)
        return after, view(after)

    return _Programs(xla.jit(deal), xla.jit(lambda state: game.card_places(state).hands), xla.jit(step))


@functools.lru_cache(maxsize=32)
def _acting(game: Game, agent: Any) -> Any:
    """Compile the choice of an agent: (params, state, key of the deal, step, legal words) -> int32."""

    def act(params: Any, state: Any, key: jax.Array, step: jax.Array, words: jax.Array) -> jax.Array:
        observation = game.observe(state, state.current_player)
        legal = ActionSet(game.action_layout, list(words))
        return agent.act(params, observation, legal, prng.wrap(prng.fold(prng.key_words(key), step)))

    return xla.jit(act)


@functools.lru_cache(maxsize=8)
def _finishing(engine: Engine) -> Any:
    """Compile the end of a deal: state -> points, returns, and what their engine should count."""
    game = engine.game
    return xla.jit(lambda state: (game.points(state), game.returns(state), engine.counted(state)))
