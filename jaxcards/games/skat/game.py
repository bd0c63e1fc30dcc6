"""Skat as a `Game`. The rules are in docs/skat.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.contract import Hints
from jaxcards.games.skat import calls, features, hidden, play, score, view
from jaxcards.games.skat.play import DECK, SEATS, Observation, Public, State
from jaxcards.games.skat.rules import SkatRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Schedule, Stage


@dataclasses.dataclass(frozen=True)
class Skat(TrickGame[SkatRules, State, Observation]):
    """Skat for three players.

    Actions: 0-31 discard or play a card, 8 * suit + rank; 32 pass, 33 bid the next value or say yes to
    a bid, 34 take the skat, 35-38 announce a suit, 39 Grand, 40 Null, 41 announce nothing more, 42
    Schneider, 43 Schwarz, 44 Ouvert, 45 Kontra, 46 Re.
    """

    rules: SkatRules = SkatRules()

    name = "skat"
    deck = DECK
    num_players = SEATS
    hand_size = play.HAND
    state_class = State
    # Which of its cards the declarer took out of the skat, and the cards of an open game.
    hints = Hints(told_by_rules=("skat", "open"), secret_actions=True)

    # ---- Written in other files -----------------------------------------------------------------

    history = calls.history_of
    observe, card_places, sample_state = hidden.observe, hidden.card_places, hidden.sample_state
    write_features, points = features.write_features, score.deal_points
    view_class = view.SkatView

    def call_names(self) -> Sequence[str]:
        return calls.NAMES

    # ---- The course of a deal -------------------------------------------------------------------

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        # After the longest auction the bid is too high for Null, the only game with one more choice.
        rules = self.rules
        level = rules.auction == "first" and rules.null_ouvert
        # Take the skat, discard twice and name a game; then two answers about Kontra and one about Re.
        return calls.num_bids(rules) + 4 + level + 3 * rules.kontra

    def schedule(self, round: Any = None) -> Schedule:
        del round  # every deal has the same stages
        rules = self.rules
        phases = {
            play.BID: calls.num_bids(rules), play.DECLARE: 1, play.FIRST_DISCARD: 1,
            play.SECOND_DISCARD: 1, play.ANNOUNCE: 1, play.LEVEL: int(rules.hand or rules.null_ouvert),
            play.KONTRA: 2 * rules.kontra, play.RE: int(rules.kontra),
        }  # fmt: skip
        return stages.of_phases(phases) + stages.of_tricks(play.HAND, SEATS)

    def _legal(self, state: State, stage: Stage) -> ActionSet:
        (cards,) = play.legal_cards(self, state, stage).words
        if stage.plays:
            return ActionSet(self.action_layout, [cards, jnp.uint32(0)])
        phase = state.deciding(stage)
        # The phases in which a card is chosen, as bits.
        moves = 1 << play.FIRST_DISCARD | 1 << play.SECOND_DISCARD | 1 << play.PLAY
        cards = jnp.where((jnp.uint32(moves) >> phase) & 1 == 1, cards, 0)
        return ActionSet(self.action_layout, [cards, calls.legal_calls(self, state, stage)])

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        if stage.plays is not True:
            state = calls.call(self, state, action, stage)
        return state if stage.plays is False else play.play(self, state, action, stage)

    # ---- The deal -------------------------------------------------------------------------------

    @property
    def block_sizes(self) -> tuple[int, ...]:
        return (play.HAND,) * SEATS + (play.SKAT,)

    def blocks_of(self, state: State) -> Sequence[CardSet]:
        return (*state.hands, state.skat)

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, totals: Any = None
    ) -> State:
        """See `TrickGame.first_state`.

        Args:
          totals: int[3], match totals before the deal; zeros if None.
        """
        zero, nothing = jnp.uint32(0), CardSet.empty(DECK)
        # Middlehand opens the auction; where the first bid decides, forehand is asked first.
        first = seat_after(dealer, 2 if self.rules.auction == "values" else 1, SEATS)
        public = Public(
            **first_public(SEATS * play.HAND, first), phase=jnp.uint32(play.BID),
            dealer=dealer.astype(jnp.uint32), auction=zero,
            contract=jnp.uint32(play.NO_SEAT | play.NO_GAME << 2), tally=zero, lacks=zero,
            totals=totals_before(totals, SEATS, jnp.int32),
        )  # fmt: skip
        *hands, skat = blocks
        return State(public=public, hands=tuple(hands), played=nothing, skat=skat, buried=nothing)

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        return {"totals": Fact(-(2**31), 2**31 - 1, SEATS)}

    # ---- The score ------------------------------------------------------------------------------

    def returns(self, state: State) -> jax.Array:
        """Return float32[3], the score of each player less the mean of all three.

        A list counts what players are ahead of each other, so opponents gain by a game that is lost.
        """
        points = super().returns(state)
        return points - points.mean()

    def progress(self, state: State) -> jax.Array:
        """Return int32[3], the card points that the side of each player has in tricks."""
        return vector(score.trick_points(state.public))

    def sides_of(self, state: State) -> jax.Array:
        """See `Game.sides_of`: 0 for the declarer, 1 for its opponents; Ramsch has no sides."""
        declarer = state.public.declarer
        found = vector([jnp.where(declarer == seat, 0, 1) for seat in range(SEATS)])
        return jnp.where(declarer == play.NO_SEAT, -1, found)
