"""One seat against fixed opponents, as pure functions: the table behind gymnasium and gymnax.

A step is a decision of the learner. The other seats then play on until the learner has its next
decision, or the deal is over. Deals without a decision of the learner are dealt again.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent, RandomAgent, act, check_agent
from jaxcards.cards.actions import IDLE
from jaxcards.cards.seats import by_seat
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop import turns
from jaxcards.interop.turns import Turn, check_game
from jaxcards.xla import prng

_DEAL, _SEAT, _PLAY = range(3)  # sub-streams of the key of an episode


class SeatState(NamedTuple):
    """An episode: a deal, or a match, and the learner's place in it.

    Attributes:
      deal: the state of the game; the learner is to act, or it is over.
      seat: int32, the learner's seat.
      key: uint32[2], for the opponents' random choices.
      time: uint32, decisions of the opponents so far.
    """

    deal: Any
    seat: jax.Array
    key: jax.Array
    time: jax.Array


class Step(NamedTuple):
    """The result of a step.

    Attributes:
      state: the next state.
      turn: the learner's turn there.
      reward: float32, the learner's `Game.returns` at the end, times `scale`; 0 before.
      done: bool, whether the episode is over.
      illegal: bool, whether the action was illegal and a legal one replaced it.
    """

    state: SeatState
    turn: Turn
    reward: jax.Array
    done: jax.Array
    illegal: jax.Array


@dataclasses.dataclass(frozen=True)
class OneSeat:
    """A game from the view of one learner. Every method is a pure function of one episode.

    Attributes:
      game: a game or a match.
      opponents: agents: one for all other seats, or one for each seat; the learner's entry is ignored.
      seat: the learner's; None for a random one in each episode.
      scale: factor of the rewards.
      axis: the name of the axis if `jax.vmap` makes the batch. Loops then run until all tables are
        done, and need not choose between old and new states, which is three times as fast.

    Raises:
      UserError: a seat out of range, a wrong number of opponents, or one that cannot play the game.
    """

    game: Game
    opponents: tuple[Agent, ...] = (RandomAgent(),)
    seat: int | None = None
    scale: float = 1.0
    axis: str | None = None

    def __post_init__(self) -> None:
        players = check_game(self.game).num_players
        if self.seat is not None and not 0 <= self.seat < players:
            raise UserError(f"seat must be None or 0 to {players - 1}, not {self.seat!r:.20}")
        if len(self.opponents) not in (1, players):
            raise UserError(
                f"opponents names {len(self.opponents)} agents: one for all other seats or {players}, "
                "one for each seat, are needed"
            )
        for opponent in self.opponents:
            check_agent(opponent, self.game)

    def reset(self, params: Sequence[Any], key: jax.Array) -> tuple[SeatState, Turn]:
        """Return a fresh episode in which the learner is to act, and its turn.

        Args:
          params: of each opponent.
          key: PRNG key of the episode, typed or raw.
        """
        words = prng.key_words(key)

        def again(carry: tuple[SeatState, jax.Array]) -> tuple[SeatState, jax.Array]:
            # Sub-key 0 is that of the first try, below; further ones count up from 1.
            old, number = carry
            ended, new = old.deal.terminated, self.deal(params, prng.fold(words, number))
            return jax.tree.map(lambda a, b: jnp.where(ended, a, b), new, old), number + 1

        first = self.deal(params, prng.fold(words, 0))
        state, _ = jax.lax.while_loop(
            lambda carry: self._anywhere(carry[0].deal.terminated), again, (first, jnp.uint32(1))
        )
        return state, self.look(state)

    def deal(self, params: Sequence[Any], words: prng.KeyWords) -> SeatState:
        """Return a fresh episode in which the learner is to act, or one that ends before that.

        A deal may end before the learner decides, as when its partner plays alone.

        Args:
          params: of each opponent.
          words: key of the deal, from `prng.key_words`.
        """
        state = self.game.init(jnp.stack(prng.fold(words, _DEAL)))
        seat = jnp.int32(0 if self.seat is None else self.seat)
        if self.seat is None:
            players = self.game.num_players
            seat = prng.below(prng.fold(words, _SEAT)[0], jnp.uint32(players), players)
        luck = jnp.stack(prng.fold(words, _PLAY))
        return self._advance(params, SeatState(state, seat.astype(jnp.int32), luck, jnp.uint32(0)))

    def step(self, params: Sequence[Any], state: SeatState, action: Any) -> Step:
        """Play an action of the learner, and the opponents' turns up to its next one.

        Args:
          params: of each opponent.
          state: an episode.
          action: int scalar, under the names of the features (see `turns`). An illegal one is replaced
            by a legal one; see `turns.legal_one`. After the end nothing happens, and the reward is 0.
        """
        deal, illegal = turns.play_legal(self.game, state.deal, action)
        after = self._advance(params, state._replace(deal=deal))
        over = after.deal.terminated
        earned = by_seat(list(self.game.returns(after.deal)), after.seat) * self.scale
        return Step(
            state=after,
            turn=self.look(after),
            # Only the step that ends the episode is rewarded.
            reward=jnp.where(over & ~state.deal.terminated, earned, 0).astype(jnp.float32),
            done=over,
            illegal=illegal,
        )

    def look(self, state: SeatState) -> Turn:
        """Return the observation of the learner: at its own turn, or at the end."""
        return turns.turn(self.game, state.deal, state.seat)

    def _advance(self, params: Sequence[Any], state: SeatState) -> SeatState:
        """Return the next state in which the learner is to act, or the deal is over."""

        def waits(state: SeatState) -> jax.Array:
            return ~state.deal.terminated & (state.deal.current_player != state.seat)

        def once(state: SeatState) -> SeatState:
            waiting, player = waits(state), state.deal.current_player
            observation = self.game.observe(state.deal, player)
            legal = self.game.legal_actions(state.deal)
            # Decisions are numbered, so that each has random numbers of its own.
            key = prng.wrap(prng.fold((state.key[0], state.key[1]), state.time))
            # A search of one seat need not think at the turns of another.
            turns_of = [waiting & (player == seat) for seat in range(len(params))]
            asked = [waiting] if len(params) == 1 else turns_of

            def choose(agent: Agent, own: Any, used: jax.Array) -> jax.Array:
                return act(agent, own, state.deal, observation, legal, key, lambda: used)

            actions = [choose(*one) for one in zip(self.opponents, params, asked, strict=True)]
            action = actions[0] if len(actions) == 1 else by_seat(actions, player)
            # An idle action changes nothing: the tables of learners that are to act stand still.
            deal = self.game.step(state.deal, jnp.where(waiting, action, IDLE))
            return state._replace(deal=deal, time=state.time + waiting.astype(jnp.uint32))

        return jax.lax.while_loop(lambda state: self._anywhere(waits(state)), once, state)

    def _anywhere(self, condition: jax.Array) -> jax.Array:
        """Return whether a condition holds at any table of the batch, as far as `axis` tells."""
        if self.axis is None:
            return condition
        # A sum over the batch is the same for all tables, so that the loop has a single condition.
        return jax.lax.psum(condition.astype(jnp.int32), self.axis) > 0


def opposed(
    game: Game,
    opponents: Agent | Sequence[Agent] | None,
    params: Any,
    seat: int | None,
    scale: float = 1.0,
) -> tuple[OneSeat, tuple[Any, ...]]:
    """Return the table of one learner, and the parameters of its opponents.

    Args:
      game: the game to play.
      opponents: an agent for all other seats, or one for each seat; None for random play.
      params: its parameters, or those of each.
      seat, scale: see `OneSeat`.

    Raises:
      UserError: see `OneSeat`; also unless there are parameters for each opponent.
    """
    if opponents is None:
        agents: tuple[Agent, ...] = (RandomAgent(),)
        given: tuple[Any, ...] = ((),)
    elif isinstance(opponents, Sequence):
        agents, given = tuple(opponents), tuple(params)
    else:
        agents, given = (opponents,), (params,)
    if len(agents) != len(given):
        raise UserError(f"{len(agents)} opponents need one set of parameters each, not {len(given)}")
    return OneSeat(game, agents, seat, scale), given
