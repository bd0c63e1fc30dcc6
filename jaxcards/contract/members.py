"""What a new game has to write."""

import abc
import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.features import BitWriter
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.sets import Deck
from jaxcards.contract.calls import CHECKS, checked
from jaxcards.stages import Stage

StateT = TypeVar("StateT")
ObservationT = TypeVar("ObservationT")
RulesT = TypeVar("RulesT")


def _never(state: Any) -> jax.Array:
    del state
    return jnp.zeros((), bool)


@dataclasses.dataclass(frozen=True)
class Hints:
    """What `jaxcards.testing.check_game` has to know of a game whose rules it does not know.

    Attributes:
      told_by_rules: parts of an observation through which the rules themselves tell something of
        hidden cards, whatever anybody chooses: melds that are announced; the phase that follows a
        call, where it depends on the hand of the caller; or which of its cards a player has picked up.
      names_cards: from a state to a bool scalar: an action below `deck.num_cards` only names a card
        there, as where a partner is called by a card. Elsewhere such an action takes the card of its
        number out of the hand of the player to act.
      dealers: the seats that may deal; None for all players.
      secret_actions: whether players choose something that the others may not know, so that
        `Game.history` does not show it to them.
    """

    told_by_rules: tuple[str, ...] = ()
    names_cards: Callable[[Any], jax.Array] = _never
    dealers: tuple[int, ...] | None = None
    secret_actions: bool = False


class Contract(abc.ABC, Generic[RulesT, StateT, ObservationT]):
    """What every game writes for itself, in this order; all else of a `Game` has a default or follows.

    A state has at least `current_player` (int32 scalar) and `terminated` (bool scalar).
    """

    name: ClassVar[str]
    deck: ClassVar[Deck]
    hints: ClassVar[Hints] = Hints()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Put the checks of `contract.calls` around the methods of a subclass."""
        super().__init_subclass__(**kwargs)
        for name in CHECKS.keys() & vars(cls).keys():
            if inspect.isfunction(method := vars(cls)[name]):
                setattr(cls, name, checked(method, name))

    @property
    @abc.abstractmethod
    def num_players(self) -> int:
        """Number of players."""

    @property
    @abc.abstractmethod
    def action_layout(self) -> ActionLayout:
        """How a set of actions is packed into words."""

    @property
    @abc.abstractmethod
    def max_steps(self) -> int:
        """The largest number of decisions of a deal."""

    @abc.abstractmethod
    def init(self, key: jax.Array, round: Any = None) -> StateT:
        """Return a fresh deal: uniformly random cards and dealer.

        Args:
          key: a JAX PRNG key, typed or raw uint32[2].
          round: the round that the deal is of, an int or int scalar below `num_rounds`; a random one
            if None. Games without rounds do not read it.
        """

    @abc.abstractmethod
    def init_from_deck(self, deck: Any, dealer: Any, **more: Any) -> StateT:
        """Return a given deal.

        Args:
          deck: int[num_cards], a permutation of the cards.
          dealer: int scalar, the seat that deals.
          **more: facts of a deal that the game adds, such as `totals`, by name.

        Raises:
          UserError: if `deck` is no permutation or `dealer` no seat (known values only).
        """

    @abc.abstractmethod
    def _legal(self, state: StateT, stage: Stage) -> ActionSet:
        """Return the legal actions of a state that has something to decide; of others any set.

        Args:
          state: any state.
          stage: see `_step`.
        """

    @abc.abstractmethod
    def _step(self, state: StateT, action: jax.Array, stage: Stage) -> StateT:
        """Return the state after an action of the current player.

        Args:
          state: any state.
          action: uint32 scalar, assumed to be legal and computed once (see `xla.fence`); or
            `actions.IDLE`, for which the state must be returned unchanged.
          stage: what is known of the decision, one of `schedule`, `stages.ANY` or `stages.PLAYS`. What
            it rules out may be left out; a game without stages has no use for it.
        """

    @abc.abstractmethod
    def points(self, state: StateT) -> jax.Array:
        """Return int32[num_players]: what a finished deal adds to the score of a player's side.

        Before the end it is what the deal would add if it ended now, as far as the rules say.
        """

    @abc.abstractmethod
    def observe(self, state: StateT, player: jax.Array) -> ObservationT:
        """Return all that a player (int scalar) may know at this moment, and no more."""

    @abc.abstractmethod
    def write_features(self, observation: ObservationT) -> BitWriter:
        """Write an observation as bits; every `features` comes from here."""

    @abc.abstractmethod
    def sample_state(self, key: jax.Array, observation: ObservationT) -> StateT:
        """Return a state with random hidden cards, uniform over all that fit what a player knows.

        Args:
          key: a JAX PRNG key, typed or raw uint32[2].
          observation: `observe(state, player)` at any moment of a deal, its end included. The
            sampled state gives the player the same observation.
        """

    @abc.abstractmethod
    def card_places(self, state: StateT) -> CardPlaces:
        """Return where every card is, hidden ones included; for tests and for people."""

    @abc.abstractmethod
    def action_names(self) -> Sequence[str]:
        """Return the name of every action by number, such as "Th" or "bid 3"; no two are the same."""
