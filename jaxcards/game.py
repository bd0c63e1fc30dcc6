"""The interface of every game, for agents, rollouts and tools."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import actions, text
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.features import BitWriter, Feature, unpack
from jaxcards.cards.history import History
from jaxcards.cards.opening import Fact, Opening
from jaxcards.cards.seats import by_seat, seat_after, vector
from jaxcards.cards.symmetry import SuitSymmetry
from jaxcards.contract import Contract, ObservationT, RulesT, StateT, all_distinct
from jaxcards.contract.forms import abstract_deal
from jaxcards.errors import UserError
from jaxcards.stages import Repeat, Schedule, Stage
from jaxcards.view.look import look
from jaxcards.view.plain import plain_view
from jaxcards.view.structure import View

if TYPE_CHECKING:
    from jaxcards.pictures.svg import Svg


@dataclasses.dataclass(frozen=True)
class Game(Contract[RulesT, StateT, ObservationT]):
    """A card game as pure functions of one deal. Batch them with `jax.vmap`.

    Every method checks its arguments while it is traced, which costs nothing at run time. A batch
    without `jax.vmap`, a state of another game or a number out of range is a `UserError`.

    A game is frozen and hashable: it may be closed over, or be a static argument of `jax.jit`. Every
    method that takes a state is pure and traceable. The exceptions are methods for text and pictures,
    and `checked_step`, which are for people.

    A new game sets `name` and `deck` and defines the members of `jaxcards.contract.Contract`, in their
    order. The members below have defaults; those under the second heading are derived.

    Attributes:
      rules: a frozen dataclass with all options of the game's rules.
      id: the name for `jaxcards.make`, such as "jass/schieber_1000".
    """

    rules: RulesT
    id: str = dataclasses.field(default="", compare=False)
    distinct_cards = all_distinct

    # ---- Members with defaults ------------------------------------------------------------------

    @property
    def teams(self) -> tuple[int, ...] | None:
        """The side of each player, 0 or 1, if sides are the same in every deal, else None."""
        return None

    def returns(self, state: StateT) -> jax.Array:
        """Return float32[num_players]: the value of a finished deal, which each player maximises.

        By default the points, less those of the other side if `teams` names two sides.
        """
        points = self.points(state)
        if self.teams is not None:
            # Players of a side have equal points, so that its first player stands for all.
            points = points - vector([points[self.teams.index(1 - side)] for side in self.teams])
        return points.astype(jnp.float32)

    def sides_of(self, state: StateT) -> jax.Array | None:
        """Return the true sides of a deal: int32[num_players], 0 or 1 for each player.

        The value is -1 for all players in a deal in which everyone plays alone. Between two sides, an
        action that is better for one is worse for the other. The result is undefined before the first
        trick. By default `teams`; None in a game that never has two sides.
        """
        del state
        return None if self.teams is None else jnp.array(self.teams, jnp.int32)

    def cards_to_play(self, state: StateT) -> jax.Array:
        """Return the number of cards that each playing hand still has to play: int32[hands].

        By default the cards that each player holds, and the whole deck for each while `state.playing`
        is False.
        """
        held = vector([hand.count() for hand in self.card_places(state).hands])
        return jnp.where(getattr(state, "playing", True), held, self.deck.num_cards)

    def progress(self, state: StateT) -> jax.Array:
        """Return int32[num_players]: card points (or tricks) that a player's side has so far.

        They never decrease within a deal. By default the points; override this if these can decrease.
        """
        return self.points(state)

    @property
    def left_out(self) -> tuple[int, ...]:
        """The cards of the deck that are never dealt, so that hands are equal; by default ()."""
        return ()

    @property
    def num_rounds(self) -> int:
        """The number of rounds; 1 unless deals of different rounds differ in length."""
        return 1

    def schedule(self, round: Any = None) -> Schedule:
        """Return the stages that deals of a round, or of any round if None, go through side by side.

        By default one for all decisions; see `jaxcards.stages`.
        """
        del round
        return (Repeat(self.max_steps, (stages.ANY,)),)

    @property
    def max_match_deals(self) -> int:
        """The largest number of deals of a match; by default 0: the game has no matches."""
        return 0

    @property
    def match_bound(self) -> int | None:
        """The number of deals that ends a match if no rule has; None if the rules end every match."""
        return None

    def next_deal(self, key: jax.Array, state: StateT, totals: jax.Array) -> StateT:
        """Return the deal that follows a finished one in a match; by default a random fresh deal.

        Args:
          key: PRNG key of the new deal.
          state: the finished deal; determines the next dealer and the facts to carry over.
          totals: int32[num_players], the match totals with the finished deal.
        """
        del state, totals
        return self.init(key)

    def match_over(
        self, state: StateT, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Return whether a finished deal ends the match, and who has won.

        By default the highest totals win, after `max_match_deals`.

        Args:
          state: the finished deal.
          totals: int32[num_players], the match totals with this deal.
          num_deals: int32, the number of finished deals, this one included.

        Returns:
          bool scalar, and bool[num_players], which is undefined while the first is False.
        """
        del state
        return num_deals >= self.max_match_deals, totals == totals.max()

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        """The facts that determine a deal besides deck and dealer, with their ranges; by default {}."""
        return {}

    def opening(self, state: StateT) -> Opening:
        """Return the opening of a deal: `init_from_deck` rebuilds its first state from it, bit for bit.

        Records of a game need it, and beliefs of a search. By default it raises `UserError`.

        Args:
          state: a deal at any moment, played or drawn by `sample_state`.
        """
        del state
        raise UserError(f"{self.name} does not tell how its deals began: define its `opening`")

    def history(self, observation: ObservationT) -> History:
        """Return the actions of a deal so far in their order, forced ones included, and who took each.

        An action that the player may not know, such as the hidden discard of another player, is -1. The
        player's own actions are shown; cards that it laid aside come in ascending order. For networks
        that read sequences, and for beliefs of a search. By default it raises `UserError`.

        Args:
          observation: `observe(state, player)` at any moment; in a match, the deal on the table.
        """
        del observation
        raise UserError(f"{self.name} does not tell the actions of a deal: define its `history`")

    def determinize(self, key: jax.Array, state: StateT, player: jax.Array) -> StateT:
        """Return a state with other hidden cards, drawn by `sample_state`, for a player (int scalar).

        Cards that `state` hides from the player do not affect the result.
        """
        return self.sample_state(key, self.observe(state, player))

    def write_full_state(self, state: StateT) -> BitWriter:
        """Write the whole deal as bits; every `full_state_features` is computed from these bits.

        By default the features of the player to act, and the other hands, clockwise.
        """
        out = self.write_features(self.observe(state, state.current_player))  # type: ignore[attr-defined]
        hands, me = self.card_places(state).hands, state.current_player  # type: ignore[attr-defined]
        for places in range(1, self.num_players):
            hand = by_seat(hands, seat_after(me, places, self.num_players))
            out.cards(f"hand {places} to the left", hand)
        return out

    def write_standing(self, out: BitWriter, observation: ObservationT) -> None:
        """Add the features of a match to those of a deal: by default nothing."""
        del out, observation

    def is_call(self, observation: ObservationT, legal: ActionSet) -> jax.Array:
        """Return whether a decision is a call: bool. By default, calls are actions other than cards."""
        return legal.mask()[self.deck.num_cards :].any()

    def relabel_legal(self, observation: ObservationT, legal: ActionSet) -> ActionSet:
        """Return legal actions under the names that `features` uses.

        If suits are interchangeable, features put the trump suit first, whatever it is called. A
        network then learns a position once instead of four times. This method and `relabel_action`
        translate. Without such a symmetry they change nothing.
        """
        del observation
        return legal

    def relabel_action(self, observation: ObservationT, action: jax.Array) -> jax.Array:
        """Translate an action to the names that `features` uses, or back: the function is its own
        inverse.
        """
        del observation
        return action

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """The suits that may be exchanged under the names that `features` uses; by default none."""
        return SuitSymmetry()

    def string_to_action(self, name: str) -> int:
        """Return the action of a name; see `cards.text.action_number`. Raise `UserError` if unknown."""
        return text.action_number(self.deck, self.action_names(), name)

    def to_string(self, state: StateT) -> str:
        """Return a state as text for people, every hand open."""
        places = self.card_places(state)
        lines = text.place_lines(self.deck, places.hands, places.played)
        over = bool(state.terminated)  # type: ignore[attr-defined]
        due = f"player {int(state.current_player)} is to act"  # type: ignore[attr-defined]
        points = f"points by player: {', '.join(map(str, self.points(state).tolist()))}"
        return "\n".join([*lines, points if over else due])

    def view_of(
        self, observation: ObservationT, legal: Sequence[int] = (), points: Sequence[int] | None = None
    ) -> View:
        """Return the view of an observation as plain values, for pictures and terminals.

        By default hands, tricks and names of actions; a game adds its own words.

        Args:
          observation: of the player, untraced.
          legal: the legal actions if the player is to act, else none.
          points: `Game.points` if the deal is over, else None.

        Raises:
          UserError: if the default does not support observations of this form.
        """
        return plain_view(self, observation, legal, points)

    # ---- Derived members -----------------------------------------------------------------------

    def view(self, state: StateT, seat: int | None = None) -> View:
        """Return the view of a player of an untraced state; with all hands open for None.

        Args:
          state: a single deal.
          seat: the observing player. Cards that the state hides from this player do not affect the
            view.

        Raises:
          UserError: if the player does not exist, or the state is a batch.
        """
        return look(self, state, seat)

    def to_svg(self, state: StateT, seat: int | None = None) -> "Svg":
        """Return a picture of `view(state, seat)`: an SVG document, which notebooks show."""
        from jaxcards.pictures.svg import draw  # loaded only by callers that draw

        return draw(self.view(state, seat))

    @property
    def num_actions(self) -> int:
        """Number of actions; actions are 0 to num_actions - 1."""
        return self.action_layout.num_actions

    @final
    def legal_actions(self, state: StateT, stage: Stage = stages.ANY) -> ActionSet:
        """Return the legal actions as words. After the end every action is in the set.

        Args:
          state: any state.
          stage: see `step`; for a waiting deal, every action is in the set, too.
        """
        return self._legal(state, stage).or_all(stages.is_idle(state, stage))

    def legal_action_mask(self, state: StateT) -> jax.Array:
        """Return the legal actions as bool[num_actions]. All True after the end."""
        return self.legal_actions(state).mask()

    @final
    def step(self, state: StateT, action: jax.Array, stage: Stage = stages.ANY) -> StateT:
        """Return the state after an action of the current player.

        `step` trusts the action: after an illegal one the state is undefined. `checked_step` refuses an
        illegal action, and `rollout(..., check=True)` finds one in a compiled program.

        Args:
          state: any state; after the end it is returned unchanged.
          action: int32 scalar, a legal action.
          stage: the known phase of the decision (static): by default unknown; else the stage of
            `schedule` that comes next, or `stages.PLAYS` while cards are played. A deal that waits in
            this stage is returned unchanged.
        """
        # Fenced: XLA computes the action once, and not again for each leaf of the state.
        return self._step(state, actions.fenced(action, stages.is_idle(state, stage)), stage)

    def action_to_string(self, action: int) -> str:
        """Return the name of an action. Raise `UserError` if the number is out of range."""
        return text.action_name(self.action_names(), action)

    @property
    def feature_table(self) -> tuple[Feature, ...]:
        """Name and size of every part of `features`, in order."""
        return _feature_tables(self)[0]

    @property
    def num_features(self) -> int:
        """Length of `features`."""
        return sum(feature.size for feature in self.feature_table)

    def feature_words(self, observation: ObservationT) -> jax.Array:
        """Return the features of an observation as bits: uint32[ceil(num_features / 32)].

        All features are 0 or 1, so replay buffers store these bits.
        """
        return jnp.stack(self.write_features(observation).words())

    def features(self, observation: ObservationT) -> jax.Array:
        """Return float32[num_features], an encoding of an observation for networks."""
        return unpack(self.feature_words(observation), self.num_features)

    @property
    def full_state_table(self) -> tuple[Feature, ...]:
        """Name and size of every part of `full_state_features`, in order."""
        return _feature_tables(self)[1]

    @property
    def num_full_state_features(self) -> int:
        """Length of `full_state_features`."""
        return sum(feature.size for feature in self.full_state_table)

    def full_state_words(self, state: StateT) -> jax.Array:
        """Return `full_state_features` as bits: uint32[ceil(num_full_state_features / 32)]."""
        return jnp.stack(self.write_full_state(state).words())

    def full_state_features(self, state: StateT) -> jax.Array:
        """Return float32[num_full_state_features]: all cards, from the seat to act, for critics."""
        return unpack(self.full_state_words(state), self.num_full_state_features)

    def checked_step(self, state: StateT, action: Any) -> StateT:
        """Return the state after an action, an int or a name, from people and other untrusted callers.

        Raises:
          UserError: if the deal is over or the action is illegal, with the player, the action and the
            legal actions; if the state is traced or a batch; or if the action is not an int or a name.
        """
        if bool(state.terminated):  # type: ignore[attr-defined]
            raise UserError("the deal is over: no action is legal")
        number = self.string_to_action(action) if isinstance(action, str) else int(action)
        legal = jnp.flatnonzero(self.legal_action_mask(state)).tolist()
        player = int(state.current_player)  # type: ignore[attr-defined]
        text.check_legal(self.action_names(), player, number, legal)
        return self.step(state, jnp.int32(number))


@functools.lru_cache(maxsize=256)  # games of the same rules are equal
def _feature_tables(game: Game) -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
    """Return the tables of the features and of the full state; abstract tracing finds them."""
    tables: list[tuple[Feature, ...]] = []

    def write(state: Any, observation: Any) -> list[jax.Array]:
        partial, full = game.write_features(observation), game.write_full_state(state)
        tables.extend([tuple(partial.features), tuple(full.features)])
        return partial.words()

    jax.eval_shape(write, *abstract_deal(game))
    return tables[0], tables[1]
