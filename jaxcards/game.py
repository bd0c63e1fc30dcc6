"""What every game offers: the interface that agents, rollouts and tools are written against."""

import abc
import dataclasses
import functools
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.features import BitWriter, Feature, unpack
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.stages import Repeat, Schedule, Stage

StateT = TypeVar("StateT")
ObservationT = TypeVar("ObservationT")
RulesT = TypeVar("RulesT")


class CardPlaces(NamedTuple):
    """Where every card of a deal is; hands, played and aside are disjoint, together the whole deck.

    Attributes:
      hands: for each player, the cards it holds (of a hand that it plays besides its own as well).
      played: for each player, the cards it has played.
      aside: cards in no hand and not played: a talon, discards, cards not dealt, a hand that its
        player may not look at yet; and cards that were played face down, as long as they are.
      shown: cards that everybody knows of although they are held, such as one turned up or announced,
        wherever they are now; a set for each place in which they were.
    """

    hands: tuple[CardSet, ...]
    played: tuple[CardSet, ...]
    aside: CardSet
    shown: tuple[CardSet, ...] = ()


def totals_before(totals: Any, number: int, dtype: Any) -> tuple[jax.Array, ...]:
    """Returns the match totals before a deal as scalars of a state.

    Args:
      totals: a number for each side or player; None for zeros.
      number: how many there must be.
      dtype: of each.

    Raises:
      UserError: if there are more or fewer.
    """
    totals = (0,) * number if totals is None else totals
    if len(totals) != number:
        raise UserError(f"totals must be {number} numbers, not {len(totals)}")
    return tuple(jnp.asarray(totals[index], dtype) for index in range(number))


@dataclasses.dataclass(frozen=True)
class Game(abc.ABC, Generic[RulesT, StateT, ObservationT]):
    """A card game as pure functions of one deal. Batches come from `jax.vmap`.

    A game is frozen and hashable: it may be closed over, or be a static argument of `jax.jit`. Every
    method that takes a state is pure and traceable, except those that deal with text and
    `checked_step`, which are for people.

    Attributes:
      rules: a frozen dataclass of everything that players of the game differ on.
      id: the name that `jaxcards.make` gives back, such as "jass/schieber_1000".
    """

    rules: RulesT
    id: str = dataclasses.field(default="", compare=False)

    name: ClassVar[str]
    deck: ClassVar[Deck]

    # Parts of an observation that `determinize` may change, because what they say of hidden cards is
    # not used; all other parts of the player's own observation stay the same.
    changed_by_determinize: ClassVar[tuple[str, ...]] = ()

    # Parts of an observation by which the rules tell a player something of the deal, without anybody's
    # choice: the phase that a call leads to, where it depends on the hand of the caller, or which of
    # its cards a player has picked up.
    told_by_rules: ClassVar[tuple[str, ...]] = ()

    @property
    @abc.abstractmethod
    def num_players(self) -> int:
        """Number of players."""

    @property
    def dealers(self) -> tuple[int, ...]:
        """The seats that may deal: all, but where a hand is no player's own."""
        return tuple(range(self.num_players))

    @property
    @abc.abstractmethod
    def action_layout(self) -> ActionLayout:
        """How a set of actions is packed into words."""

    @property
    def num_actions(self) -> int:
        """Number of actions; actions are 0 to num_actions - 1."""
        return self.action_layout.num_actions

    @property
    @abc.abstractmethod
    def max_steps(self) -> int:
        """The largest number of decisions of a deal."""

    @property
    @abc.abstractmethod
    def max_match_deals(self) -> int:
        """The largest number of deals of a match."""

    @property
    def match_bound(self) -> int | None:
        """Deals after which a match is ended where no rule of the game has ended it; None: no need."""
        return None

    @property
    @abc.abstractmethod
    def teams(self) -> tuple[int, ...] | None:
        """The side of each player where sides are the same in every deal, else None."""

    @property
    def schedule(self) -> Schedule:
        """The stages that every deal goes through side by side with others; see `jaxcards.stages`."""
        return (Repeat(self.max_steps, (stages.ANY,)),)

    @property
    def num_rounds(self) -> int:
        """How many rounds deals belong to; 1 unless deals of different rounds differ in length."""
        return 1

    def schedule_of(self, round: Any) -> Schedule:
        """Returns the stages of the deals of a round, an int or uint32 scalar: see `schedule`."""
        return self.schedule

    def init_round(self, key: jax.Array, round: Any) -> StateT:
        """Returns a fresh deal of a round, an int or uint32 scalar below `num_rounds`; see `init`."""
        return self.init(key)

    def at(self, state: StateT, stage: Stage) -> StateT:
        """Returns a state of which it is known what decision comes; `stages.ANY` forgets that again.

        Only called for the stages of `schedule`, which by default are none.
        """
        return dataclasses.replace(state, stage=stage)  # type: ignore[type-var]

    @abc.abstractmethod
    def init(self, key: jax.Array) -> StateT:
        """Returns a fresh deal: uniformly random cards and dealer.

        Args:
          key: a JAX PRNG key, typed or raw uint32[2].
        """

    def init_match(self, key: jax.Array) -> StateT:
        """Returns the first deal of a match; like `init` unless rounds differ by their number."""
        return self.init(key)

    @abc.abstractmethod
    def init_from_deck(self, deck: Any, dealer: Any, **more: Any) -> StateT:
        """Returns a given deal.

        Args:
          deck: int[num_cards], a permutation of the cards.
          dealer: int scalar, the seat that deals.
          **more: what else the rules of the game name.

        Raises:
          UserError: if `deck` is no permutation or `dealer` no seat (known values only).
        """

    @abc.abstractmethod
    def legal_actions(self, state: StateT) -> ActionSet:
        """Returns the legal actions as words. After the end every action is in the set."""

    def legal_action_mask(self, state: StateT) -> jax.Array:
        """Returns the legal actions as bool[num_actions]. All True after the end."""
        return self.legal_actions(state).mask()

    @abc.abstractmethod
    def step(self, state: StateT, action: jax.Array) -> StateT:
        """Returns the state after an action of the current player.

        Args:
          state: any state; after the end it is returned unchanged.
          action: int32 scalar, assumed to be legal.
        """

    def names_cards(self, state: StateT) -> jax.Array:
        """Returns whether an action below `deck.num_cards` only names a card now: bool scalar.

        So it does where a partner is called by a card. Everywhere else it takes the card of its
        number out of the hand of the player to act.
        """
        del state
        return jnp.zeros((), bool)

    @abc.abstractmethod
    def points(self, state: StateT) -> jax.Array:
        """Returns int32[num_players]: what a finished deal adds to the score of a player's side."""

    @abc.abstractmethod
    def returns(self, state: StateT) -> jax.Array:
        """Returns float32[num_players]: what a player of a finished deal wants to be large.

        In games of two sides it is the own side's points less the other side's.
        """

    @abc.abstractmethod
    def progress(self, state: StateT) -> jax.Array:
        """Returns int32[num_players]: card points (or tricks) that a player's side has so far."""

    @abc.abstractmethod
    def next_deal(self, key: jax.Array, state: StateT, totals: jax.Array) -> StateT:
        """Returns the deal that follows a finished one in a match.

        Args:
          key: PRNG key of the new deal.
          state: the finished deal; says who deals next and what is carried over.
          totals: int32[num_players], the match totals with the finished deal.
        """

    @abc.abstractmethod
    def match_over(
        self, state: StateT, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Says whether a finished deal ends the match, and who has won.

        Args:
          state: the finished deal.
          totals: int32[num_players], the match totals with this deal.
          num_deals: int32, the number of finished deals, this one included.

        Returns:
          bool scalar, and bool[num_players], which means nothing while the first is False.
        """

    @abc.abstractmethod
    def observe(self, state: StateT, player: jax.Array) -> ObservationT:
        """Returns all that a player may know at this moment, and no more."""

    @abc.abstractmethod
    def write_features(self, observation: ObservationT) -> BitWriter:
        """Writes an observation as bits; every `features` comes from here."""

    @abc.abstractmethod
    def write_full_state(self, state: StateT) -> BitWriter:
        """Writes the whole deal as bits; every `full_state_features` comes from here."""

    @functools.cached_property
    def _feature_tables(self) -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
        tables: list[tuple[Feature, ...]] = []

        def write(key: jax.Array) -> list[jax.Array]:
            state = self.init(key)
            partial = self.write_features(self.observe(state, jnp.int32(0)))
            full = self.write_full_state(state)
            tables.extend([tuple(partial.features), tuple(full.features)])
            return partial.words()

        jax.eval_shape(write, jax.random.key(0))
        return tables[0], tables[1]

    @property
    def feature_table(self) -> tuple[Feature, ...]:
        """Name and size of every part of `features`, in order."""
        return self._feature_tables[0]

    @property
    def num_features(self) -> int:
        """Length of `features`."""
        return sum(feature.size for feature in self.feature_table)

    def feature_words(self, observation: ObservationT) -> jax.Array:
        """Returns the features of an observation as bits: uint32[ceil(num_features / 32)].

        All features are 0 or 1, so this is what a buffer of experience keeps.
        """
        return jnp.stack(self.write_features(observation).words())

    def features(self, observation: ObservationT) -> jax.Array:
        """Returns float32[num_features], an encoding of an observation for networks."""
        return unpack(self.feature_words(observation), self.num_features)

    @property
    def num_full_state_features(self) -> int:
        """Length of `full_state_features`."""
        return sum(feature.size for feature in self._feature_tables[1])

    def full_state_words(self, state: StateT) -> jax.Array:
        """Returns `full_state_features` as bits: uint32[ceil(num_full_state_features / 32)]."""
        return jnp.stack(self.write_full_state(state).words())

    def full_state_features(self, state: StateT) -> jax.Array:
        """Returns the whole deal, seen from the player to act, hidden cards included.

        float32[num_full_state_features]; for critics and for tests.
        """
        return unpack(self.full_state_words(state), self.num_full_state_features)

    @abc.abstractmethod
    def determinize(self, key: jax.Array, state: StateT, player: jax.Array) -> StateT:
        """Returns a state with the hidden cards dealt anew, consistent with what a player knows."""

    @abc.abstractmethod
    def card_places(self, state: StateT) -> CardPlaces:
        """Returns where every card is, hidden ones included; for tests and for people."""

    @abc.abstractmethod
    def action_to_string(self, action: int) -> str:
        """Returns the name of an action."""

    @abc.abstractmethod
    def string_to_action(self, text: str) -> int:
        """Returns the action of a name.

        Raises:
          UserError: for an unknown name.
        """

    @abc.abstractmethod
    def to_string(self, state: StateT) -> str:
        """Returns a state as text for people, every hand open."""

    def relabel_legal(self, observation: ObservationT, legal: ActionSet) -> ActionSet:
        """Returns legal actions under the names that `features` uses.

        Where suits are interchangeable, features put the trump suit first, whatever it is called, so
        that a network learns a position once and not four times. This and `relabel_action`
        translate; without such a symmetry they change nothing.
        """
        del observation
        return legal

    def relabel_action(self, observation: ObservationT, action: jax.Array) -> jax.Array:
        """Translates an action to the names that `features` uses and, being its own inverse, back."""
        del observation
        return action

    def checked_step(self, state: StateT, action: Any) -> StateT:
        """Returns the state after an action, for people and other untrusted callers.

        Raises:
          UserError: if the deal is over or the action is not legal; says who wanted what, and what
            was legal.
        """
        if bool(state.terminated):  # type: ignore[attr-defined]
            raise UserError("the deal is over: no action is legal")
        player = int(state.current_player)  # type: ignore[attr-defined]
        mask = self.legal_action_mask(state)
        legal = ", ".join(f"{a} ({self.action_to_string(a)})" for a in jnp.flatnonzero(mask).tolist())
        if isinstance(action, str):
            action = self.string_to_action(action)
        number = int(action)
        if not 0 <= number < self.num_actions:
            raise UserError(
                f"player {player} chose action {number}, which is none of 0 to "
                f"{self.num_actions - 1}; legal are {legal}"
            )
        if not bool(mask[number]):
            raise UserError(
                f"player {player} chose action {number} ({self.action_to_string(number)}), which is "
                f"not legal here; legal are {legal}"
            )
        return self.step(state, jnp.int32(number))
