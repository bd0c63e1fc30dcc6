"""Spades as a `Game`. The rules are in docs/spades.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import by_team, seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.games.spades import calls, features, hidden, play, score, view
from jaxcards.games.spades.play import DECK, SPADES, Observation, Public, State
from jaxcards.games.spades.rules import SpadesRules
from jaxcards.kit import TrickGame, distinct_by_rank, first_public


@dataclasses.dataclass(frozen=True)
class Spades(TrickGame[SpadesRules, State, Observation]):
    """Spades for two sides of two, or three or four players alone.

    Actions 0 to 51 play a card, 13 * suit + rank; 52 + n bids n tricks. With a blind nil two more
    follow: to bid it, and to look at the cards first.
    """

    rules: SpadesRules = SpadesRules()

    name = "spades"
    deck = DECK
    state_class = State

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        players, rules = self.num_players, self.rules
        if not rules.blind_nil:
            return players
        # Players who may bid nil blind also choose to look; one side is not behind.
        return 2 * players - (players // rules.num_sides if rules.blind_behind else 0)

    @property
    def teams(self) -> tuple[int, ...] | None:
        return (0, 1, 0, 1) if self.rules.partners else None

    @property
    def left_out(self) -> tuple[int, ...]:
        """The cards that are not in the pack of this number of players."""
        return tuple(DECK.cards("2c")) if self.num_players == 3 else ()

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """The plain suits may be exchanged, except clubs if they lack a card."""
        orders = permutations_of_others(SPADES)
        return SuitSymmetry(tuple(o for o in orders if not self.left_out or o[0] == 0))

    # ---- Written in other files -----------------------------------------------------------------

    call_names, legal_calls, call = calls.call_names, calls.legal_calls, calls.call
    calls_seen, legal_cards, play = calls.calls_seen, play.legal_cards, play.play
    write_features, write_standing = features.write_features, features.write_standing
    view_class = view.SpadesView
    observe, card_places, sample_state = hidden.observe, hidden.card_places, hidden.sample_state

    # ---- The deal -------------------------------------------------------------------------------

    def first_public(  # type: ignore[override]
        self, hands: Sequence[CardSet], dealer: jax.Array, totals: Any = None
    ) -> Public:
        """See `TrickGame.first_public`; `totals` are those of the sides, zeros if None."""
        zero, rules, players = jnp.uint32(0), self.rules, self.num_players
        return Public(
            **first_public(players * self.hand_size, seat_after(dealer, 1, players)),
            dealer=dealer.astype(jnp.uint32), bids=zero, blind=zero if rules.blind_nil else None,
            won=zero, voids=zero, totals=totals_before(totals, rules.num_sides, jnp.int32),
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        rules = self.rules
        equal_from = rules.target if rules.partners else None
        return {"totals": Fact(rules.floor + 1, 2**30, rules.num_sides, equal_from=equal_from)}

    # ---- The score, the match -------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[num_players], the score of each player's side (docs/spades.md, 5)."""
        sides = range(self.rules.num_sides)
        return self._by_player([score.side_points(self.rules, state.public, side) for side in sides])

    def progress(self, state: State) -> jax.Array:
        """Return int32[num_players], the tricks of each player's side."""
        rules, won = self.rules, state.public.won_by
        sides = range(rules.num_sides)
        return self._by_player([sum(map(won, score.seats_of(rules, side))) for side in sides])

    def distinct_cards(self, state: State, legal: CardSet) -> CardSet:
        return distinct_by_rank(state, legal, SPADES)

    def _by_player(self, values: Sequence[Any]) -> jax.Array:
        """Return int32[num_players] of one value for each side."""
        return by_team(*values) if self.rules.partners else vector(values)

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`. If several sides are best at the target, the match goes on."""
        rules, best = self.rules, totals.max()
        # Totals have an entry for each player: a side of two counts twice.
        alone = (totals == best).sum() * rules.num_sides == rules.num_players
        over = (best >= rules.target) & alone
        over = over | (totals.min() <= rules.floor) | (num_deals >= rules.max_deals)
        return over, totals == best
