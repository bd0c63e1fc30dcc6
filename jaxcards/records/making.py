"""Recording of deals and matches, played by hand or by agents."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import stages, xla
from jaxcards.agent import Agent
from jaxcards.cards.opening import Opening
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.loops import Choose
from jaxcards.match import Match, deal_of
from jaxcards.records.arrays import action_dtype, no_action
from jaxcards.records.record import DealRecord, MatchRecord, Record, id_and_rules
from jaxcards.rollouts import chooser
from jaxcards.xla import prng


class Played(NamedTuple):
    """A deal that agents have played; a pytree for one deal.

    Attributes:
      opening: the facts that determine the deal.
      actions: uint8[max_steps] or uint16[max_steps], as in `arrays.DealArrays`.
      points: int32[num_players].
      state: the final state.
      place: uint32, the place of the random numbers of a further deal.
    """

    opening: Opening
    actions: jax.Array
    points: jax.Array
    state: Any
    place: jax.Array


def played(game: Game, choose: Choose, start: Any, place: jax.Array) -> Played:
    """Play a deal to its end and keep the data for a record. A pure function: batch it.

    The decisions are those of `rollout`, bit for bit.

    Args:
      game: of single deals.
      choose: makes the decisions; see `rollouts.chooser`.
      start: a deal before its first decision.
      place: uint32, the place of its first random numbers; see `prng.place`.
    """
    none = jnp.asarray(no_action(action_dtype(game)), action_dtype(game))

    def once(carry: tuple[Any, jax.Array], _: None) -> tuple[tuple[Any, jax.Array], jax.Array]:
        state, place = carry
        action, __ = choose(game, carry, stages.ANY)
        after = game.step(state, action)
        said = jnp.where(state.terminated, none, action.astype(none.dtype))
        # A finished deal makes no decision, so that the next one keeps its random numbers.
        further = jnp.where(state.terminated, jnp.uint32(0), jnp.uint32(prng.PLACE_STEP))
        return (after, place + further), said

    # XLA needs a fixed number of steps: that of the longest deal. Steps after the end change nothing.
    (final, place), actions = jax.lax.scan(once, (start, place), length=game.max_steps)
    return Played(game.opening(start), actions, game.points(final), final, place)


def play_deal(
    game: Game,
    agents: Agent | Sequence[Agent],
    params: Any,
    key: jax.Array,
    *,
    seats: Sequence[int] | None = None,
    **said: Any,
) -> DealRecord:
    """Play one deal, that of `rollout` with the same arguments, and return its record.

    Args:
      game: of single deals, one of `jaxcards.make`.
      agents, params, key, seats: as for `rollout`.
      said: further attributes of the record, such as `players`.

    Raises:
      UserError: see `rollout`; also if `jaxcards.make` does not know the game.
    """
    if isinstance(game, Match):
        raise UserError("a match is recorded by play_match")
    play = _compiled_deal(game, *_hashable(agents, seats))
    return record_of_played(game, jax.device_get(play(params, key)), **said)


def play_match(
    game: Game,
    agents: Agent | Sequence[Agent],
    params: Any,
    key: jax.Array,
    *,
    seats: Sequence[int] | None = None,
    **said: Any,
) -> MatchRecord:
    """Play one match, that of `rollout(Match(game), …)`, and return its record.

    Args, errors: as for `play_deal`; `game` is a `Match`, or the game of its deals.
    """
    match = game if isinstance(game, Match) else Match(game)
    begin, play = _compiled_match(match, *_hashable(agents, seats))
    state, place = begin(key)
    deals: list[DealRecord] = []
    while True:
        done, state = play(params, key, state, place)
        # The final state stays on the device: a record does not need it.
        deals.append(record_of_played(match.game, jax.device_get(done._replace(state=None)), **said))
        # The next deal goes on with the random numbers where this one has stopped, as in `rollout`.
        place = done.place
        if bool(state.over):
            return MatchRecord(tuple(deals), tuple(np.flatnonzero(state.winners).tolist()))


Assignment = tuple[Any, tuple[int, ...] | None]


def _hashable(agents: Agent | Sequence[Agent], seats: Sequence[int] | None) -> Assignment:
    # The arguments become keys of the caches of programs below, and lists cannot be keys.
    together = tuple(agents) if isinstance(agents, Sequence) else agents
    return together, None if seats is None else tuple(int(seat) for seat in seats)


@functools.lru_cache(maxsize=16)
def _compiled_deal(game: Game, agents: Any, seats: Any) -> Any:
    def play(params: Any, key: jax.Array) -> Played:
        choose = chooser(game, _listed(agents), params, key, seats)
        start = game.init(key)
        done = played(game, choose, start, prng.place(prng.key_words(key), 0))
        # A record does not need the final state.
        return done._replace(state=None)

    return xla.jit(play)


@functools.lru_cache(maxsize=16)
def _compiled_match(match: Match, agents: Any, seats: Any) -> Any:
    def begin(key: jax.Array) -> tuple[Any, jax.Array]:
        return match.init(key), prng.place(prng.key_words(key), 0)

    def play(params: Any, key: jax.Array, state: Any, place: jax.Array) -> tuple[Played, Any]:
        choose = chooser(match, _listed(agents), params, key, seats)
        done = played(match.game, choose, state.deal, place)
        after, following = match.close(dataclasses.replace(state, deal=done.state))
        # The last deal of a match stays on the table.
        on_table = jax.tree.map(lambda a, b: jnp.where(after.over, a, b), done.state, following)
        return done, dataclasses.replace(after, deal=on_table)

    return xla.jit(begin), xla.jit(play)


def _listed(agents: Any) -> Any:
    return list(agents) if isinstance(agents, tuple) else agents


def record_of_played(game: Game, done: Played, **said: Any) -> DealRecord:
    """Return the record of a deal of `played`, with NumPy arrays."""
    # Padding is the number that stands for no action.
    actions = done.actions[done.actions != no_action(done.actions.dtype)]
    return DealRecord(
        **_beginning(game, done.opening),
        actions=tuple(actions.tolist()),
        points=tuple(done.points.tolist()),
        **said,
    )


def _beginning(game: Game, opening: Opening) -> dict[str, Any]:
    """Return the attributes of a record that describe the game and the opening of the deal."""
    id, rules = id_and_rules(game)
    facts = {name: np.asarray(value).tolist() for name, value in opening.facts.items()}
    return {
        "game": id,
        "rules": rules,
        "deck": tuple(np.asarray(opening.deck).tolist()),
        "dealer": int(opening.dealer),
        "facts": {n: tuple(v) if isinstance(v, list) else v for n, v in facts.items()},
    }


class Recorder:
    """Record a deal or a match that is played by hand, action by action.

    recorder = Recorder(game, game.init(key))
    recorder.step("pass")
    record = recorder.record()
    """

    def __init__(self, game: Game, state: Any, players: Sequence[str] | None = None) -> None:
        """Begin with a deal or a match before its first decision.

        Args:
          game: the game to play, one of `jaxcards.make` or a `Match` of it.
          state: its first state.
          players: a name for each player.

        Raises:
          UserError: if `jaxcards.make` does not know the game, or it cannot be recorded.
        """
        self._game, self._state = game, state
        self._players = None if players is None else tuple(players)
        self._deals: list[DealRecord] = []
        self._begin()

    @property
    def state(self) -> Any:
        """The current state."""
        return self._state

    def step(self, action: int | str, seconds: float | None = None, note: str | None = None) -> Any:
        """Play an action, a number or a name, and return the next state.

        Args:
          action: of the current player.
          seconds: the time that it took; for all actions of a deal or for none.
          note: a comment on it.

        Raises:
          UserError: if the action is not legal, or the deal or the match is over.
        """
        number = self._game.string_to_action(action) if isinstance(action, str) else int(action)
        before = self._state
        self._state = self._game.checked_step(before, number)
        if note is not None:
            self._notes[len(self._actions)] = note
        if seconds is not None:
            self._seconds.append(seconds)
        self._actions.append(number)
        # The deal has been added to the totals: record it, and begin the next.
        if isinstance(self._game, Match) and int(self._state.num_deals) > len(self._deals):
            # A match keeps only totals: the points of a deal are the difference that it has made.
            points = np.asarray(self._state.totals) - np.asarray(before.totals)
            self._deals.append(self._deal(points))
            self._begin()
        return self._state

    def record(self) -> Record:
        """Return the record of all actions so far."""
        if isinstance(self._game, Match):
            over = bool(self._state.over)
            # An unfinished deal is recorded if it has actions, or is the first.
            rest = () if over or (self._deals and not self._actions) else (self._deal(None),)
            winners = tuple(np.flatnonzero(self._state.winners).tolist()) if over else None
            return MatchRecord((*self._deals, *rest), winners)
        return self._deal(self._game.points(self._state) if self._state.terminated else None)

    def _begin(self) -> None:
        deal = self._state.deal if isinstance(self._game, Match) else self._state
        game = deal_of(self._game)
        self._start: Mapping[str, Any] = _beginning(game, jax.device_get(game.opening(deal)))
        self._actions: list[int] = []
        self._seconds: list[float] = []
        self._notes: dict[int, str] = {}

    def _deal(self, points: Any) -> DealRecord:
        return DealRecord(
            **self._start,
            actions=tuple(self._actions),
            points=None if points is None else tuple(np.asarray(points).tolist()),
            players=self._players,
            seconds=tuple(self._seconds) if self._seconds else None,
            notes=dict(self._notes),
        )
