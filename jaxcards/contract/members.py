"""The members that a new game defines."""

import abc
import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.features import BitWriter
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.sets import CardSet, Deck
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
    """Facts that `jaxcards.testing.check_game` needs to test a game without knowing its rules.

    Attributes:
      told_by_rules: parts of an observation through which the rules reveal hidden cards, whatever the
        players choose. Examples: announced melds, the phase that follows a call if it depends on the
        hand of the caller, or which of its cards a player has picked up.
      names_cards: from a state to a bool scalar: an action below `deck.num_cards` only names a card,
        as when a partner is called by a card. Elsewhere such an action takes the card of its number
        out of the hand of the player to act.
      dealers: the seats that may deal; None for all players.
      secret_actions: whether players make choices that are hidden from the others, so that
        `Game.history` does not show them.
    """

    told_by_rules: tuple[str, ...] = ()
    names_cards: Callable[[Any], jax.Array] = _never
    dealers: tuple[int, ...] | None = None
    secret_actions: bool = False


class Contract(abc.ABC, Generic[RulesT, StateT, ObservationT]):
    """The members that every game defines, in this order; `Game` derives or defaults the rest.

    A state has at least `current_player` (int32 scalar) and `terminated` (bool scalar).
    """

    name: ClassVar[str]
    deck: ClassVar[Deck]
    hints: ClassVar[Hints] = Hints()
    # Scores of a deal at two tables by name, from the difference of both results; see `evaluate`.
    table_scores: ClassVar[Mapping[str, Callable[[int], int]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Wrap the methods of a subclass in the checks of `contract.calls`."""
        super().__init_subclass__(**kwargs)
        # Only methods that the class itself defines: the inherited ones are wrapped already.
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
        """Packing of a set of actions into words."""

    @property
    @abc.abstractmethod
    def max_steps(self) -> int:
        """The largest number of decisions of a deal."""

    @abc.abstractmethod
    def init(self, key: jax.Array, round: Any = None) -> StateT:
        """Return a fresh deal: uniformly random cards and dealer.

        Args:
          key: a JAX PRNG key, typed or raw uint32[2].
          round: the round of the deal, an int or int scalar below `num_rounds`; None draws one at
            random. Games without rounds ignore it.
        """

    @abc.abstractmethod
    def init_from_deck(self, deck: Any, dealer: Any, **more: Any) -> StateT:
        """Return a given deal.

        Args:
          deck: int[num_cards], a permutation of the cards.
          dealer: int scalar, the seat that deals.
          **more: additional facts of a deal, such as `totals`, by name.

        Raises:
          UserError: if `deck` is not a permutation or `dealer` is not a seat (known values only).
        """

    @abc.abstractmethod
    def _legal(self, state: StateT, stage: Stage) -> ActionSet:
        """Return the legal actions if the state has a decision; otherwise any set.

        Args:
          state: any state.
          stage: see `_step`.
        """

    @abc.abstractmethod
    def _step(self, state: StateT, action: jax.Array, stage: Stage) -> StateT:
        """Return the state after an action of the current player.

        Args:
          state: any state.
          action: uint32 scalar, assumed to be legal and computed once (see `xla.fence`). For
            `actions.IDLE` the state must be returned unchanged.
          stage: the known phase of the decision: an entry of `schedule`, `stages.ANY` or
            `stages.PLAYS`. The method may omit code that the stage rules out; a game without stages
            ignores it.
        """

    @abc.abstractmethod
    def points(self, state: StateT) -> jax.Array:
        """Return int32[num_players]: the points that a finished deal adds to each player's side.

        Before the end, return the points that the deal would add if it ended now, as far as the rules
        say.
        """

    @abc.abstractmethod
    def observe(self, state: StateT, player: jax.Array) -> ObservationT:
        """Return everything that a player (int scalar) may know now, and nothing else."""

    @abc.abstractmethod
    def write_features(self, observation: ObservationT) -> BitWriter:
        """Write an observation as bits; every `features` is computed from these bits."""

    @abc.abstractmethod
    def sample_state(self, key: jax.Array, observation: ObservationT) -> StateT:
        """Return a state with random hidden cards, uniform over all deals that fit an observation.

        Args:
          key: a JAX PRNG key, typed or raw uint32[2].
          observation: `observe(state, player)` at any moment of a deal, its end included. The
            sampled state gives the player the same observation.
        """

    @abc.abstractmethod
    def card_places(self, state: StateT) -> CardPlaces:
        """Return the place of every card, including hidden ones, for tests and displays."""

    @abc.abstractmethod
    def action_names(self) -> Sequence[str]:
        """Return the unique name of every action by number, such as "Th" or "bid 3"."""


def all_distinct(game: Any, state: Any, legal: CardSet) -> CardSet:
    """Return legal cards without those of equal worth: by default all of them.

    The search of endings tries only these.
    """
    del game, state
    return legal
