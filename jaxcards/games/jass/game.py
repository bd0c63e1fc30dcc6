"""Swiss Jass (Schieber, Slalom, Differenzler) as a `Game`. The rules are in docs/jass.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import text as card_text
from jaxcards.cards.arguments import check_range
from jaxcards.cards.features import BitWriter
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import by_team, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.cards.standing import write_missing_points
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.contract import Hints
from jaxcards.errors import UserError
from jaxcards.games.jass import calls, features, hidden, play, score, view, weis
from jaxcards.games.jass.play import DECK, Observation, Public, State
from jaxcards.games.jass.rules import WORDS, JassRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Stage
from jaxcards.xla import prng

_MODE_COUNTER = DECK.num_cards + 1  # of the random words of `init`, after that of the dealer


@dataclasses.dataclass(frozen=True)
class Jass(TrickGame[JassRules, State, Observation]):
    """Swiss Jass for four players.

    Actions: 0-35 play a card, 36-41 choose a mode, 42 push, 43-44 choose a slalom mode (only with
    `slalom`); in Differenzler 36 + p predicts p points.
    """

    rules: JassRules = JassRules()

    name = "jass"
    deck = DECK

    @property
    def hints(self) -> Hints:  # type: ignore[override]
        # The points of Weis are announced, and those that score are laid open; predictions are secret.
        secret = self._alone and not self.rules.open_predictions
        return Hints(told_by_rules=("announced", "shown"), secret_actions=secret)

    num_players = play.NUM_SEATS
    hand_size = play.HAND_SIZE

    @property
    def teams(self) -> tuple[int, ...] | None:
        return None if self._alone else (0, 1, 0, 1)

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return play.NUM_SEATS if self._alone else 2 if self.rules.push else 1

    @property
    def _alone(self) -> bool:
        return self.rules.game == "differenzler"

    # ---- Written in other files -----------------------------------------------------------------

    call_names, legal_calls, call = calls.call_names, calls.legal_calls, calls.call
    calls_seen, legal_cards = calls.calls_seen, play.legal_cards
    observe, sample_state = hidden.observe, hidden.sample_state
    write_features, write_full_state = features.write_features, features.write_full_state
    view_class = view.JassView

    # ---- The deal -------------------------------------------------------------------------------

    def init_from_deck(  # type: ignore[override]
        self, deck: Any, dealer: Any, *, totals: Any = (0, 0), mode: Any = None
    ) -> State:
        """See `TrickGame.init_from_deck`.

        Args:
          totals: match totals of the two teams before the deal (rules with a target).
          mode: int scalar, the trump suit; needed in Differenzler, where it is part of the deal.
        """
        if self._alone:
            if mode is None:
                raise UserError("differenzler deals its trump suit: give mode= a suit from 0 to 3")
            check_range("mode", mode, play.NO_TRUMP)
        elif mode is not None:
            raise UserError("mode= is for differenzler; in schieber the players choose it")
        return super().init_from_deck(deck, dealer, totals=totals, mode=mode)

    def drawn_facts(self, words: prng.KeyWords) -> dict[str, Any]:
        # The top two bits are one of the four suits.
        return {"mode": prng.random_word(words, _MODE_COUNTER) >> 30} if self._alone else {}

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, *, totals: Any = (0, 0), mode: Any = None
    ) -> State:
        rules = self.rules
        zero = jnp.uint32(0)
        forehand = (dealer + 1) & 3
        public = Public(
            **first_public(DECK.num_cards, forehand), num_calls=jnp.uint8(0),
            dealer=dealer.astype(jnp.uint8),
            mode=jnp.uint32(play.UNDECIDED if mode is None else mode), points=zero, winners=zero,
            voids=zero, totals=totals_before(totals, 2, jnp.uint16) if rules.target else None,
        )  # fmt: skip
        return State(
            public=public, hands=tuple(blocks), played=CardSet.empty(DECK),
            weis=weis.contest(rules, blocks, forehand) if rules.weis else None,
            match_winner=jnp.uint8(play.NO_WINNER) if rules.target else None,
            predictions=zero if self._alone else None, ends_early=rules.finish == "immediate",
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        facts = {"totals": Fact(0, self.rules.target - 1, size=2)} if self.rules.target else {}
        return facts | ({"mode": Fact(0, play.NO_TRUMP - 1, drawn=True)} if self._alone else {})

    # ---- Cards ----------------------------------------------------------------------------------

    def play(self, state: State, card: jax.Array, stage: Stage) -> State:
        complete, after = play.add_card(self.rules, state, card, stage)
        return score.with_match_winner(self.rules, after, complete) if self.rules.target else after

    # ---- The score ------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[4]: the score of each player's team (docs/jass.md, 4.5).

        In Differenzler it is each player's difference, a penalty: the smaller, the better.
        """
        if self._alone:
            return vector(score.differences(self.rules, state))
        first, second = score.team_score(self.rules, state)
        return by_team(first, second)

    def returns(self, state: State) -> jax.Array:
        """Return float32[4]: own team's score less the other's; Differenzler: minus the difference."""
        return -super().returns(state) if self._alone else super().returns(state)

    def progress(self, state: State) -> jax.Array:
        public = state.public
        if self._alone:
            seats = [play.card_points(public, seat) for seat in range(play.NUM_SEATS)]
            return vector(seats)
        return by_team(*play.team_points(public))

    # ---- The match ------------------------------------------------------------------------------

    @property
    def max_match_deals(self) -> int:
        # A deal brings both teams together at least the points of the cards.
        by_target = 2 * self.rules.target // play.CARD_POINTS + 1
        limits = [self.rules.deals] if self.rules.deals else []
        return min([*limits, by_target] if self.rules.target else limits)

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: the team first at the target, else the best after `deals` deals."""
        best = totals.min() if self._alone else totals.max()
        over, winners = jnp.zeros((), bool), totals == best
        if self.rules.deals:
            over = num_deals >= self.rules.deals
        if state.match_winner is not None:
            reached = state.match_winner != play.NO_WINNER
            first = jnp.arange(play.NUM_SEATS, dtype=jnp.uint8) % 2 == state.match_winner
            over, winners = over | reached, jnp.where(reached, first, winners)
        return over, winners

    # ---- What a player sees ---------------------------------------------------------------------

    def write_standing(self, out: BitWriter, observation: Observation) -> None:
        totals = observation.public.totals
        if totals is not None:
            scored = score.known_score(self.rules, observation)
            now = [a.astype(jnp.uint32) + b for a, b in zip(totals, scored, strict=True)]
            side = observation.player.astype(jnp.uint32) & 1
            write_missing_points(out, self.rules.target, now, side, in_deal=True)

    def trump_suit(self, observation: Observation) -> jax.Array:
        return observation.public.mode

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """Return the exchanges of plain suits; before a choice, those of suits that count alike."""
        orders, factors = permutations_of_others(0), self.rules.multipliers
        alike = [order for order in orders if all(factors[s] == factors[order[s]] for s in order)]
        return SuitSymmetry(orders, tuple(alike))

    # ---- In words -------------------------------------------------------------------------------

    def string_to_action(self, name: str) -> int:
        return card_text.action_number(self.deck, self.action_names(), name, WORDS)
