"""Bridge as a `Game`. The rules are in docs/bridge.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import by_team, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.contract import Hints
from jaxcards.games.bridge import calls, features, hidden, play, score, view
from jaxcards.games.bridge.imps import TABLE_SCORES
from jaxcards.games.bridge.play import DECK, SEATS, Observation, Public, State
from jaxcards.games.bridge.rules import BridgeRules
from jaxcards.kit import TrickGame, distinct_by_rank, first_public
from jaxcards.stages import Schedule
from jaxcards.xla import prng

_VULNERABLE_WORD = DECK.num_cards + 1  # the random word behind those of cards and dealer


@dataclasses.dataclass(frozen=True)
class Bridge(TrickGame[BridgeRules, State, Observation]):
    """Bridge for two partnerships.

    Actions: 0-51 play a card, 13 * suit + rank; 52 pass, 53 double, 54 redouble,
    55 + 5 * (level - 1) + strain bid, with the strains clubs, diamonds, hearts, spades, no trump.
    """

    rules: BridgeRules = BridgeRules()

    name = "bridge"
    deck = DECK
    num_players = SEATS
    teams = (0, 1, 0, 1)
    state_class = State
    hints = Hints(told_by_rules=("dummy",))
    table_scores = TABLE_SCORES

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return calls.TINY_CALLS if self.rules.tiny else calls.MOST_CALLS

    @property
    def left_out(self) -> tuple[int, ...]:
        pack = DECK.cards("Jh Qh Kh Ah Js Qs Ks As") if self.rules.tiny else range(DECK.num_cards)
        return tuple(card for card in range(DECK.num_cards) if card not in pack)

    def call_names(self) -> tuple[str, ...]:
        return calls.NAMES

    # ---- Written in other files -----------------------------------------------------------------

    legal_calls, call = calls.legal_calls, calls.call
    calls_seen, history = calls.calls_seen, calls.history_of
    legal_cards, play = play.legal_cards, play.play
    observe, card_places, possible_cards = hidden.observe, hidden.card_places, hidden.possible_cards
    write_features = features.write_features
    view_class = view.BridgeView

    # ---- The deal -------------------------------------------------------------------------------

    def schedule(self, round: Any = None) -> Schedule:
        del round  # every deal has the same stages
        return stages.of_phases({play.BID: self.num_calls}) + stages.of_tricks(self.hand_size, SEATS)

    def drawn_facts(self, words: prng.KeyWords) -> dict[str, Any]:
        if self.rules.vulnerability != "drawn":
            return {}
        return {"vulnerability": prng.random_word(words, _VULNERABLE_WORD) >> 30}

    def first_public(  # type: ignore[override]
        self, hands: Sequence[CardSet], dealer: jax.Array, totals: Any = None,
        vulnerability: Any = 0, deal: Any = 0, part_scores: Any = (0, 0),
    ) -> Public:  # fmt: skip
        """See `TrickGame.first_public`; the facts are those of `opening_facts`."""
        zero, rules = jnp.uint32(0), self.rules.vulnerability
        number, sides = (jnp.asarray(fact).astype(jnp.uint32) for fact in (deal, vulnerability))
        if rules == "both":
            sides = jnp.uint32(3)
        if rules == "chicago":
            # None, the dealer's side twice, both.
            of_dealer = jnp.uint32(1) << (dealer.astype(jnp.uint32) & 1)
            sides = jnp.where(number == 0, 0, jnp.where(number == 3, 3, of_dealer))
        if rules == "rubber":
            self.opening_facts["part_scores"].check("part_scores", part_scores)
            first, second = (jnp.asarray(tens).astype(jnp.uint32) for tens in part_scores)
            number = first | second << 4
        return Public(
            **first_public(SEATS * self.hand_size, dealer), phase=jnp.uint32(play.BID),
            dealer=dealer.astype(jnp.uint32), auction=(zero,) * play.LEVELS,
            last=sides << 13 | number << 15, namers=zero, won=zero, voids=zero,
            totals=totals_before(totals, 2, jnp.int32),
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        facts, rules = {"totals": Fact(-(2**31), 2**31 - 1, 2)}, self.rules.vulnerability
        if rules in ("drawn", "rubber"):
            facts["vulnerability"] = Fact(0, 3, drawn=rules == "drawn")
        if rules == "chicago":
            facts["deal"] = Fact(0, 3)
        if rules == "rubber":
            facts["part_scores"] = Fact(0, 9, 2)
        return facts

    def carried_facts(self, state: State, totals: jax.Array) -> dict[str, Any]:
        facts = super().carried_facts(state, totals)
        if self.rules.vulnerability == "chicago":
            facts["deal"] = (state.public.deal + 1) & 3
        if self.rules.vulnerability == "rubber":
            facts["part_scores"], facts["vulnerability"], _ = score.below_the_line(state.public)
        return facts

    def cards_to_play(self, state: State) -> jax.Array:
        """See `Game.cards_to_play`; the hand of the dummy is a hand of its own."""
        held = vector([(hand - state.played).count() for hand in state.hands])
        return jnp.where(state.playing, held, DECK.num_cards)

    def distinct_cards(self, state: State, legal: CardSet) -> CardSet:
        return distinct_by_rank(state, legal, state.public.strain)

    @property
    def match_bound(self) -> int | None:
        return self.rules.num_deals if self.rules.vulnerability == "rubber" else None

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: a second game ends a rubber, and equal totals are a draw."""
        over, winners = super().match_over(state, totals, num_deals)
        if self.match_bound is not None:
            over = over | (score.below_the_line(state.public)[2] > 0)
            winners = winners & (totals[0] != totals[1])
        return over, winners

    # ---- The score ------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[4], the score of each player's side (docs/bridge.md, 6 and 7)."""
        return by_team(*score.side_points(self.rules, state))

    def progress(self, state: State) -> jax.Array:
        """Return int32[4], the tricks of each player's side."""
        return by_team(state.public.won_by(0), state.public.won_by(1))
