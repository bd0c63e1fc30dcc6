"""Whole matches, deal after deal until one side has won: the same interface as one deal."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.features import BitWriter
from jaxcards.cards.history import History
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import list_of_totals, vector
from jaxcards.cards.sets import Deck
from jaxcards.cards.symmetry import SuitSymmetry
from jaxcards.contract import Hints
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.stages import Stage, is_idle
from jaxcards.view.parts import in_match
from jaxcards.view.structure import View
from jaxcards.xla import prng
from jaxcards.xla.fence import fence
from jaxcards.xla.pytrees import pytree


@pytree
@dataclasses.dataclass(frozen=True)
class MatchState:
    """A match in progress.

    Attributes:
      deal: the state of the current deal, or of the last one.
      totals: int32[num_players], points of each player's side in finished deals.
      num_deals: int32, finished deals.
      winners: bool[num_players], who has won; all False before the end.
      key: uint32[2], decides all deals to come.
      over: bool, the match has ended.
    """

    deal: Any
    totals: jax.Array
    num_deals: jax.Array
    winners: jax.Array
    key: jax.Array
    over: jax.Array

    @property
    def current_player(self) -> jax.Array:
        """int32: the seat to act."""
        return self.deal.current_player

    @property
    def terminated(self) -> jax.Array:
        """bool: the match has ended."""
        return self.over

    def idle(self, stage: Stage) -> jax.Array:
        """Return whether the deal on the table has nothing to decide: bool; see `stages.is_idle`."""
        return is_idle(self.deal, stage)


@dataclasses.dataclass(frozen=True)
class AroundDeals(Game[Any, MatchState, Any]):
    """A game whose states have a deal of another game on the table, played and observed as there.

    Its features add those of the match, such as the points that each side still needs.

    Attributes:
      game: the game of a single deal.
    """

    game: Game = dataclasses.field(init=False)

    @property
    def deck(self) -> Deck:  # type: ignore[override]
        return self.game.deck

    @property
    def hints(self) -> Hints:  # type: ignore[override]
        hints = self.game.hints
        # The hint of the game reads a deal, so take the deal out of the match.
        return dataclasses.replace(hints, names_cards=lambda state: hints.names_cards(state.deal))

    @property
    def num_players(self) -> int:
        return self.game.num_players

    @property
    def teams(self) -> tuple[int, ...] | None:
        return self.game.teams

    @property
    def action_layout(self) -> ActionLayout:
        return self.game.action_layout

    def init_from_deck(
        self,
        deck: Any,
        dealer: Any,
        *,
        totals: Any = None,
        num_deals: Any = None,
        key: Any = None,
        **more: Any,
    ) -> MatchState:
        """Return a match with a given deal on the table, at the beginning or at any score.

        Args:
          deck, dealer: the deal; see `init_from_deck` of `game`.
          totals: points before the deal, as `init_from_deck` of `game` takes them; zeros if None.
          num_deals: int scalar, finished deals. By default `round` of the deal, or 0 without rounds.
          key: a JAX key that deals the following deals; key 0 if None.
          **more: other facts of the deal, such as `round`.

        Raises:
          UserError: if the match would be over at this score, or the deal is invalid.
        """
        number = more.get("round", 0) if num_deals is None else num_deals
        check_range("num_deals", number, self.game.max_match_deals)
        # Totals count for the match, and for the deal too if its rules read them.
        standing = None
        if totals is not None:
            standing = totals_by_player(self.game, totals)
            if "totals" in self.game.opening_facts:
                self.game.opening_facts["totals"].check("totals", totals)
                more["totals"] = totals
        deal = self.game.init_from_deck(deck, dealer, **more)
        rest = jax.random.key(0) if key is None else key
        return self._start(deal, jnp.stack(prng.key_words(rest)), standing, number)

    def _start(
        self, deal: Any, key: jax.Array, totals: jax.Array | None = None, num_deals: Any = 0
    ) -> MatchState:
        """Return a match with a fresh deal on the table.

        Args:
          deal: the state of the deal.
          key: uint32[2], decides the following deals.
          totals: int32[num_players] before the deal; zeros if None.
          num_deals: int scalar, finished deals.
        """
        return MatchState(
            deal=deal,
            totals=jnp.zeros(self.num_players, jnp.int32) if totals is None else totals,
            num_deals=jnp.asarray(num_deals, jnp.int32),
            winners=jnp.zeros(self.num_players, bool),
            key=key,
            over=jnp.zeros((), bool),
        )

    def _legal(self, state: MatchState, stage: Stage) -> ActionSet:
        return self.game._legal(state.deal, stage)

    def observe(self, state: MatchState, player: jax.Array) -> Any:
        return self.game.observe(state.deal, player)

    def history(self, observation: Any) -> History:
        return self.game.history(observation)

    def write_features(self, observation: Any) -> BitWriter:
        out = self.game.write_features(observation)
        self.game.write_standing(out, observation)
        return out

    def write_full_state(self, state: MatchState) -> BitWriter:
        out = self.game.write_full_state(state.deal)
        self.game.write_standing(out, self.observe(state, state.current_player))
        return out

    def is_call(self, observation: Any, legal: ActionSet) -> jax.Array:
        return self.game.is_call(observation, legal)

    def relabel_legal(self, observation: Any, legal: ActionSet) -> ActionSet:
        return self.game.relabel_legal(observation, legal)

    def relabel_action(self, observation: Any, action: jax.Array) -> jax.Array:
        return self.game.relabel_action(observation, action)

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        return self.game.suit_symmetry

    def sample_state(self, key: jax.Array, observation: Any) -> MatchState:
        raise UserError(
            "an observation of a deal lacks the score of the match: use sample_state of the "
            "game of single deals"
        )

    def card_places(self, state: MatchState) -> CardPlaces:
        return self.game.card_places(state.deal)

    def sides_of(self, state: MatchState) -> jax.Array | None:
        return self.game.sides_of(state.deal)

    def cards_to_play(self, state: MatchState) -> jax.Array:
        return self.game.cards_to_play(state.deal)

    def action_names(self) -> Sequence[str]:
        return self.game.action_names()

    def string_to_action(self, name: str) -> int:
        return self.game.string_to_action(name)

    def view_of(
        self, observation: Any, legal: Sequence[int] = (), points: Sequence[int] | None = None
    ) -> View:
        return self.game.view_of(observation, legal, points)

    def view(self, state: MatchState, seat: int | None = None) -> View:
        """See `Game.view`: the deal on the table, with the totals of the match before it."""
        over, winners = bool(state.over), state.winners.tolist()
        # A match that goes on shows the number of the current deal, one more than the finished ones.
        number = int(state.num_deals) + (not over)
        return in_match(self.game.view(state.deal, seat), state.totals.tolist(), number, over, winners)


@dataclasses.dataclass(frozen=True)
class Match(AroundDeals):
    """A game whose episode is a whole match.

    The rules of the game choose the next dealer and the facts to carry over. `points` are the totals;
    `returns` are 1 for the winners and, so that they add up to 0, equally negative for the others. A
    step may have to deal new cards, so it is slower than a step of a single deal. A rollout goes deal
    by deal, and shuffles once for each.

    If no rule bounds a match, `rules.max_deals` does (`match_bound`). Played deal by deal, a match
    costs no more with a large bound. A trajectory has the length `max_steps`, that of the longest
    match: set a smaller `max_deals` for shorter trajectories.

    Args:
      game: the game of a single deal.

    Raises:
      UserError: if `game` is a match itself, is not a game, or has no matches.
    """

    def __init__(self, game: Game) -> None:
        if not isinstance(game, Game) or isinstance(game, Match):
            raise UserError(f"Match takes a game of single deals, not {game!r:.60}")
        if not game.max_match_deals:
            raise UserError(f"{game.id or game.name} has no matches: its max_match_deals is 0")
        object.__setattr__(self, "game", game)
        super().__init__(game.rules, f"{game.id} match")

    name = "match"

    @property
    def max_steps(self) -> int:
        return self.game.max_match_deals * self.game.max_steps

    @property
    def max_match_deals(self) -> int:
        return self.game.max_match_deals

    @property
    def match_bound(self) -> int | None:
        return self.game.match_bound

    def ended_at_bound(self, state: MatchState) -> jax.Array:
        """Return bool: the match ended after `match_bound` deals, not by a rule of the game."""
        if self.match_bound is None:
            return jnp.zeros_like(state.over)
        # With 0 as the number of deals, only the rules of the game can end the match.
        by_rule, _ = self.game.match_over(state.deal, state.totals, jnp.int32(0))
        return state.over & ~by_rule

    def init(
        self, key: jax.Array, round: Any = None, *, totals: Any = None, num_deals: Any = None
    ) -> MatchState:
        """Return a match with its first deal on the table, at zero or at any score.

        Args:
          key: a JAX key. It determines all deals; the score does not change their cards.
          round: ignored. A match begins in the first round, or in the round after `num_deals`.
          totals, num_deals: the score; see `init_from_deck`.

        Raises:
          UserError: if the match would be over at this score.
        """
        del round
        # Sub-key 0 deals the first deal; later deals use sub-keys 1, 2, … of the same key.
        words = prng.key_words(key)
        deal, rest = self.game.init(jnp.stack(prng.fold(words, 0)), 0), jnp.stack(words)
        if totals is None and num_deals is None:
            return self._start(deal, rest)
        deck, dealer, facts = self.game.opening(deal)
        if "round" in facts and num_deals is not None:
            facts = {**facts, "round": num_deals}
        # `init_from_deck` checks the score.
        return self.init_from_deck(
            deck, dealer, **{**facts, "totals": totals, "num_deals": num_deals, "key": rest}
        )

    def _step(self, state: MatchState, action: jax.Array, stage: Stage) -> MatchState:
        deal = self.game._step(state.deal, action, stage)
        after, following = self.close(dataclasses.replace(state, deal=deal))
        # Another deal has been counted, and it was not the last one.
        goes_on = (after.num_deals != state.num_deals) & ~after.over
        deal = jax.tree.map(lambda a, b: jnp.where(goes_on, a, b), following, deal)
        return dataclasses.replace(after, deal=deal)

    def close(self, state: MatchState) -> tuple[MatchState, Any]:
        """Add the finished deal to the totals, and deal the next one.

        A loop that plays the deals of a match by `game` calls this method once a deal. `step` has to
        run it at every action.

        Args:
          state: a match whose deal is over, and not added up yet. Before the end of a deal, and after
            that of the match, nothing is added up.

        Returns:
          The match with that deal in its totals, still on the table; and the deal that follows it,
          which is undefined if the match is over, or the deal is not.
        """
        deal = state.deal
        finished = deal.terminated & ~state.over
        # A fence, because totals and winners depend on the points, and the next deal on the totals.
        points = fence(self.game.points(deal))
        totals = state.totals + jnp.where(finished, points, 0)
        num_deals = state.num_deals + finished.astype(jnp.int32)
        over, winners = self.game.match_over(deal, totals, num_deals)
        # The number of the deal selects its sub-key, so all later cards follow from the match's key.
        key = jnp.stack(prng.fold((state.key[0], state.key[1]), num_deals.astype(jnp.uint32)))
        following = self.game.next_deal(key, deal, totals)
        after = dataclasses.replace(
            state,
            totals=totals,
            num_deals=num_deals,
            winners=jnp.where(finished & over, winners, state.winners),
            over=state.over | (finished & over),
        )
        return after, following

    def points(self, state: MatchState) -> jax.Array:
        return state.totals

    def returns(self, state: MatchState) -> jax.Array:
        won = state.winners.astype(jnp.float32)
        number = won.sum()
        others = self.num_players - number
        # The losers share the negative sum of the winners; without losers everyone gets 0.
        lost = jnp.where(others > 0, -number / jnp.maximum(others, 1), 0)
        return jnp.where(state.winners & (others > 0), 1.0, lost)

    def progress(self, state: MatchState) -> jax.Array:
        return self.game.progress(state.deal)

    def next_deal(self, key: jax.Array, state: MatchState, totals: jax.Array) -> MatchState:
        raise UserError("a match cannot be a deal of another match; pass the game of a single deal")

    def match_over(
        self, state: MatchState, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        raise UserError("a match cannot be a deal of another match; pass the game of a single deal")

    def determinize(self, key: jax.Array, state: MatchState, player: jax.Array) -> MatchState:
        deal = self.game.determinize(key, state.deal, player)
        # The cards of later deals are unknown as well.
        fresh = jnp.stack(prng.fold(prng.key_words(key), 1))
        return dataclasses.replace(state, deal=deal, key=fresh)

    def to_string(self, state: MatchState) -> str:
        totals = ", ".join(str(int(total)) for total in state.totals)
        lines = [f"after {int(state.num_deals)} deals the totals by seat are {totals}"]
        if bool(self.ended_at_bound(state)):
            lines.append(f"ended at the bound of {self.match_bound} deals")
        if bool(state.over):
            winners = [str(seat) for seat, won in enumerate(state.winners.tolist()) if won]
            lines.append(f"won by seat {' and '.join(winners)}" if winners else "won by nobody")
        return "\n".join([*lines, self.game.to_string(state.deal)])


def totals_by_player(game: Game, totals: Any) -> jax.Array:
    """Return match totals as int32[num_players].

    Args:
      game: the game of a single deal.
      totals: a number for each player or, in a game of two sides, for each side.

    Raises:
      UserError: for any other number of totals.
    """
    teams, found = game.teams, list_of_totals(totals, "a number for each player or side")
    if len(found) == game.num_players:
        return vector(found)
    if teams is None or len(found) != len(set(teams)):
        number = game.num_players if teams is None else len(set(teams))
        raise UserError(f"totals must be {number} numbers, not {len(found)}")
    return vector([found[side] for side in teams])


def deal_of(game: Game) -> Game:
    """Return the game of single deals: that of a match, or the game itself."""
    return game.game if isinstance(game, AroundDeals) else game
