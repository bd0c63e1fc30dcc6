"""Hearts as a `Game`. The rules are in docs/hearts.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.actions import IDLE, ActionLayout, ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.contract import Hints
from jaxcards.games.hearts import calls, features, hidden, play, score, view
from jaxcards.games.hearts.play import DECK, NUM_PASSED, Observation, Public, State
from jaxcards.games.hearts.rules import HeartsRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Stage
from jaxcards.xla import prng
from jaxcards.xla.lookup import lookup

_ROUND_COUNTER = DECK.num_cards + 1  # the random word of `init` behind those of the deal


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
    def num_players(self) -> int:
        return self.rules.num_players

    @property
    def hand_size(self) -> int:  # type: ignore[override]
        return play.hand_size(self.rules)

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return NUM_PASSED * self.num_players if self.rules.passes else 0

    @property
    def left_out(self) -> tuple[int, ...]:
        """The cards that are not in the pack of this number of players."""
        return play.removed(self.rules)

    @property
    def block_sizes(self) -> tuple[int, ...]:
        rest = len(self.left_out)
        return (self.hand_size,) * self.num_players + ((rest,) if rest else ())

    # ---- Written in other files -----------------------------------------------------------------

    legal_calls, call = calls.legal_calls, calls.call
    call_taken, calls_seen = calls.card_passed, calls.calls_seen
    legal_cards, play = play.legal_cards, play.play
    write_features, write_standing = features.write_features, features.write_standing
    to_string, view_class = view.to_string, view.HeartsView
    observe, card_places, sample_state = hidden.observe, hidden.card_places, hidden.sample_state
    blocks_of = hidden.dealt_blocks

    # ---- The deal -------------------------------------------------------------------------------

    @property
    def num_rounds(self) -> int:
        return len(self.rules.directions)

    def init(self, key: jax.Array, round: Any = None) -> State:
        """Return a fresh deal: uniformly random cards, dealer and, if `round` is None, direction."""
        words, rounds = prng.key_words(key), self.num_rounds
        if round is None:
            drawn = prng.random_word(words, _ROUND_COUNTER)
            round = prng.below(drawn, jnp.uint32(rounds), rounds) if rounds > 1 else 0
        return self._dealt(words, self.random_dealer(words), round=round)

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
        hands = _without_removed(rules, blocks)
        round = jnp.asarray(round).astype(jnp.uint32)
        direction = lookup(list(rules.directions), jax.lax.rem(round, jnp.uint32(self.num_rounds)))
        passer = seat_after(dealer.astype(jnp.uint32), 1, players)
        first = jnp.where(direction == 0, calls.leader(rules, hands), passer.astype(jnp.int32))
        only = rules.spare_queen or not rules.points_in_first
        public = Public(
            **first_public(players * self.hand_size, first),
            dealer=dealer.astype(jnp.uint8), round=round.astype(jnp.uint8),
            direction=direction.astype(jnp.uint8), num_passed=zero, taken=zero, voids=zero,
            penalties_only=zero if only else None, jack_taker=zero if rules.jack else None,
            with_trick=zero if rules.no_trick else None,
            totals=totals_before(totals, players, jnp.int32),
        )  # fmt: skip
        nothing = CardSet.empty(DECK)
        return State(public=public, hands=hands, played=nothing, passed=(nothing,) * players)

    def carried_facts(self, state: State, totals: jax.Array) -> dict[str, Any]:
        round = jnp.minimum(state.public.round.astype(jnp.uint32) + 1, self.rules.max_deals - 1)
        return {"round": round, "totals": tuple(totals[seat] for seat in range(self.num_players))}

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        most = 2**31 - 1
        totals = Fact(-most - 1, most, self.num_players)
        return {"round": Fact(0, self.rules.max_deals - 1), "totals": totals}

    # ---- Decisions ------------------------------------------------------------------------------

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        if not self.num_calls or stage.plays:
            return self.play(state, action, stage)
        after = self.call(state, action)
        if stage.plays is False:
            return after
        # The card that ends the passing is not played as well.
        return self.play(after, jnp.where(state.playing, action, jnp.uint32(IDLE)), stage)

    # ---- The score, the match -------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[num_players], penalty points: the fewer, the better (docs/hearts.md, 5)."""
        return vector(score.deal_points(self.rules, state))

    def returns(self, state: State) -> jax.Array:
        """Return float32[num_players], minus the penalty points."""
        return -super().returns(state)

    def progress(self, state: State) -> jax.Array:
        return vector(score.taken(state))

    @property
    def max_match_deals(self) -> int:
        return self.rules.max_deals

    @property
    def match_bound(self) -> int:
        return self.rules.max_deals

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: a total of `target` ends it, and the lowest total wins."""
        over = (totals.max() >= self.rules.target) | (num_deals >= self.rules.max_deals)
        return over, totals == totals.min()


def _without_removed(rules: HeartsRules, blocks: Sequence[CardSet]) -> tuple[CardSet, ...]:
    """Return the hands; cards of the last block replace those that are left out of the pack."""
    removed = play.removed(rules)
    if not removed:
        return tuple(blocks)
    *hands, rest = blocks
    layout = ActionLayout.after_cards(DECK, DECK.num_cards, most=len(removed))
    for card in removed:
        one = CardSet.of(DECK, [card])
        others = rest - CardSet.of(DECK, removed)
        lowest = ActionSet.of_cards(layout, others).nth(jnp.uint32(0)).astype(jnp.uint32)
        other = CardSet.single(DECK, lowest)
        hands = [sets.select((hand & one).any(), (hand - one) | other, hand) for hand in hands]
        rest = sets.select((rest & one).any(), rest, (rest - other) | one)
    return tuple(hands)
