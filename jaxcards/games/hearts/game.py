"""Hearts as a `Game`. The rules are in docs/hearts.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import seat_after, totals_before
from jaxcards.cards.sets import CardSet
from jaxcards.contract import Hints
from jaxcards.games.hearts import calls, features, hidden, play, score, view
from jaxcards.games.hearts.play import DECK, NUM_PASSED, Observation, Public, State
from jaxcards.games.hearts.rules import HeartsRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Stage
from jaxcards.xla.lookup import lookup


@dataclasses.dataclass(frozen=True)
class Hearts(TrickGame[HeartsRules, State, Observation]):
    """Hearts for three to six players, everyone alone; the fewest points win.

    Actions 0 to 51 pass a card, and later play it: 13 * suit + rank.
    """

    rules: HeartsRules = HeartsRules()

    name = "hearts"
    deck = DECK
    state_class = State
    hints = Hints(secret_actions=True)

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return NUM_PASSED * self.num_players if self.rules.passes else 0

    @property
    def num_rounds(self) -> int:
        return len(self.rules.directions)

    @property
    def left_out(self) -> tuple[int, ...]:
        return play.left_out(self.rules)

    # ---- Written in other files -----------------------------------------------------------------

    legal_calls, call = calls.legal_calls, calls.call
    calls_seen, legal_cards, play = calls.calls_seen, play.legal_cards, play.play
    points, progress = score.deal_points, score.taken
    write_features, write_standing = features.write_features, features.write_standing
    view_class = view.HeartsView
    observe, blocks_of = hidden.observe, hidden.dealt_blocks
    sample_state = hidden.sample_state

    # ---- The deal -------------------------------------------------------------------------------

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, round: Any = 0, totals: Any = None
    ) -> State:
        """See `TrickGame.first_state`.

        Args:
          round: int scalar, the number of the deal in its match; `directions` repeat.
          totals: int[num_players], match totals before the deal; zeros if None.
        """
        rules, players, zero = self.rules, self.num_players, jnp.uint32(0)
        check_range("round", round, rules.max_deals)
        hands, nothing = tuple(blocks[:players]), CardSet.empty(DECK)
        round = jnp.asarray(round).astype(jnp.uint32)
        direction = lookup(list(rules.directions), jax.lax.rem(round, jnp.uint32(self.num_rounds)))
        passer = seat_after(dealer.astype(jnp.uint32), 1, players)
        first = jnp.where(direction == 0, calls.leader(rules, hands), passer.astype(jnp.int32))
        public = Public(
            **first_public(players * self.hand_size, first),
            dealer=dealer.astype(jnp.uint8), round=round.astype(jnp.uint8),
            direction=direction.astype(jnp.uint8), num_passed=jnp.uint8(0), taken=zero,
            voids=zero, with_jack=zero if rules.jack else None,
            with_trick=zero if rules.no_trick else None,
            totals=totals_before(totals, players, jnp.int32),
        )  # fmt: skip
        return State(public=public, hands=hands, played=nothing, passed=(nothing,) * players)

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        totals = Fact(-(2**31), 2**31 - 1, self.num_players)
        return {"round": Fact(0, self.rules.max_deals - 1), "totals": totals}

    # ---- Decisions ------------------------------------------------------------------------------

    def is_call(self, observation: Observation, legal: ActionSet) -> jax.Array:
        return ~play.all_passed(observation.public, self.num_players)

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        if stage.plays is not False:
            # The play is first, so that the card that ends the passing is not played as well.
            card = action if stage.plays else jnp.where(state.playing, action, jnp.uint32(IDLE))
            state = self.play(state, card, stage)
        return self.call(state, action) if self.num_calls and stage.plays is not True else state

    # ---- The score, the match -------------------------------------------------------------------

    def returns(self, state: State) -> jax.Array:
        """Return float32[num_players], minus the penalty points."""
        return -super().returns(state)

    def carried_facts(self, state: State, totals: jax.Array) -> dict[str, Any]:
        round = jnp.minimum(state.public.round.astype(jnp.uint32) + 1, self.rules.max_deals - 1)
        return {"round": round, **super().carried_facts(state, totals)}

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: a total of `target` ends it, and the lowest total wins."""
        over = (totals.max() >= self.rules.target) | (num_deals >= self.rules.max_deals)
        return over, totals == totals.min()
