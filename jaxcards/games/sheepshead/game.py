"""Sheepshead as a `Game`. The rules are in docs/sheepshead.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, history, sets, tricks
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.features import BitWriter
from jaxcards.cards.history import History
from jaxcards.cards.opening import Fact, Opening, opening
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.contract import Hints
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.games.sheepshead import calls, features, hidden, past, play, score, text, view
from jaxcards.games.sheepshead.deck import DECK, NO_CARD, rank_set
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    CALL,
    DONE,
    NO_SEAT,
    PICK,
    SEATS_PER_WORD,
    UNKNOWN,
    Observation,
    Public,
    State,
    leader,
    observe,
    owned,
    seat_points,
    single,
)
from jaxcards.stages import Schedule, Stage
from jaxcards.view.structure import View
from jaxcards.xla import prng
from jaxcards.xla.leaves import first_state

_DEALER_COUNTER = DECK.num_cards  # of the random words of `init`, behind those of the deal


@dataclasses.dataclass(frozen=True)
class Sheepshead(Game[SheepsheadRules, State, Observation]):
    """Sheepshead for three to six players.

    Actions: 0-31 a card, which by phase is called, made the unknown, buried or played; 32 pass, 33
    pick, 34 partner, 35 alone, 36 crack, 37 re-crack.
    """

    rules: SheepsheadRules = SheepsheadRules()

    name = "sheepshead"
    deck = DECK
    hints = Hints(
        # Whether a call needs an unknown (or, where nobody asks, whether there can be a partner), and
        # which of its cards a picker has from the blind.
        told_by_rules=("public.phase", "blind"),
        names_cards=lambda state: (state.public.phase == CALL) | (state.public.phase == UNKNOWN),
        secret_actions=True,
    )

    @property
    def num_players(self) -> int:
        return self.rules.num_players

    @property
    def action_layout(self) -> ActionLayout:
        return calls.action_layout(self.rules)

    @property
    def max_steps(self) -> int:
        rules = self.rules
        n = rules.num_players
        steps = n + rules.blind_size + rules.num_plays  # the dealer picks
        if rules.partner != "none":
            steps += rules.loner_choice
        if rules.calls:
            steps += 1 + rules.allow_unknown
        if rules.crack:
            # Seats that had no turn to pick are asked now: together everybody is asked once.
            steps += rules.recrack + (n - 1 if rules.crack_who == "defenders" else 0)
        return steps

    def schedule(self, round: Any = None) -> Schedule:
        del round  # every deal has the same stages
        return play.schedule(self.rules)

    # ---- The deal -------------------------------------------------------------------------------

    def init(self, key: jax.Array, round: Any = None) -> State:
        del round  # there is but one
        words = prng.key_words(key)
        dealer = prng.below(
            prng.random_word(words, _DEALER_COUNTER), jnp.uint32(self.num_players), self.num_players
        )
        return self._start(self._deal(words), dealer, 1, 0, None)

    def _deal(self, words: prng.KeyWords) -> tuple[CardSet, ...]:
        sizes = (self.rules.hand_size,) * self.num_players
        return dealing.deal(words, DECK, (*sizes, self.rules.blind_size))

    def init_from_deck(  # type: ignore[override]
        self, deck: Any, dealer: Any, *, stakes: Any = 1, queue: Any = None, totals: Any = None
    ) -> State:
        """Returns a given deal: with h cards a hand, seat s gets deck[s * h : s * h + h].

        The cards behind the hands are the blind.

        Args:
          deck: int[32], a permutation of the cards.
          dealer: int scalar, a seat.
          stakes: int scalar, the multiplier of the deal, at least 1.
          queue: int scalar, doubled deals to come, this one included; only with
            `doubler_mode="queue"`, where it replaces `stakes`. If None, `stakes` (1 or 2) less 1.
          totals: int[num_players], the match totals before the deal; all 0 if None.
        """
        rules = self.rules
        DECK.check_permutation(deck)
        check_range("dealer", dealer, rules.num_players)
        queued = rules.no_pick == "doubler" and rules.doubler_mode == "queue"
        check_range("stakes", stakes, 3 if queued else 2**20, lowest=1)
        if queue is None:
            queue = jnp.asarray(stakes, jnp.uint32) - 1
        elif not queued:
            raise UserError("queue= is for rules with no_pick='doubler' and doubler_mode='queue'")
        else:
            check_range("queue", queue, 2**20)
        sizes = (rules.hand_size,) * rules.num_players
        hands = dealing.from_deck(DECK, deck, (*sizes, rules.blind_size))
        return self._start(hands, jnp.asarray(dealer, jnp.uint32), stakes, queue, totals)

    def _start(
        self, dealt: tuple[CardSet, ...], dealer: jax.Array, stakes: Any, queue: Any, totals: Any
    ) -> State:
        rules, n = self.rules, self.num_players
        zero, nobody, no_card = jnp.uint32(0), jnp.uint32(NO_SEAT), jnp.uint32(NO_CARD)
        queue = jnp.asarray(queue, jnp.uint32)
        queued = rules.no_pick == "doubler" and rules.doubler_mode == "queue"
        stakes = score.stakes_of(queue) if queued else jnp.asarray(stakes, jnp.uint32)
        public = Public(
            history=history.empty(rules.num_plays),
            current_player=seat_after(dealer, 1, n).astype(jnp.int32),
            phase=jnp.uint32(PICK),
            num_played=zero,
            dealer=dealer,
            stakes=stakes,
            queue=queue if queued else None,
            totals=totals_before(totals, n, jnp.int32),
            picker=nobody,
            called=no_card if rules.partner != "none" else None,
            unknown_taker=nobody if rules.has_unknown else None,
            keeps=jnp.zeros((), bool) if rules.calls else None,
            cracker=nobody if rules.crack else None,
            recracked=jnp.zeros((), bool) if rules.recrack else None,
            table=jnp.uint32(tricks.EMPTY_TABLE),
            points=(zero,) * -(-n // SEATS_PER_WORD),
            winners=zero,
            voids=zero,
        )
        state = State(
            public=public,
            hands=dealt[:n],
            blind=dealt[n],
            played=CardSet.empty(DECK),
            buried=CardSet.empty(DECK),
            unknown=no_card if rules.has_unknown else None,
            ends_early=rules.no_pick == "doubler",
        )
        return first_state(state, dealer)

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        queued = self.rules.no_pick == "doubler" and self.rules.doubler_mode == "queue"
        multiplied = {"stakes": Fact(1, 2**20 - 1, default=1)}
        if queued:
            multiplied = {"queue": Fact(0, 2**20 - 1)}
        return multiplied | {"totals": Fact(-(2**31), 2**31 - 1, self.num_players)}

    def opening(self, state: State) -> Opening:
        public = state.public
        facts = {"queue": public.queue, "stakes": public.stakes, "totals": public.totals}
        own = {name: facts[name] for name in self.opening_facts}
        sizes = (*(self.rules.hand_size,) * self.num_players, self.rules.blind_size)
        return opening(DECK, [*state.hands, state.blind], public.dealer, sizes=sizes, **own)

    def action_taken(self, state: State, later: State) -> jax.Array:
        return past.action_taken(state, later)

    # ---- What is legal --------------------------------------------------------------------------

    def _legal(self, state: State, stage: Stage) -> ActionSet:
        words = play.legal_words(self.rules, state, stage)
        return ActionSet(self.action_layout, words)

    # ---- Picking, calling, burying, cracking, playing -------------------------------------------

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        return play.step(self.rules, state, action, stage)

    # ---- The score ------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Returns int32[num_players]: chips of a finished deal, together 0 (docs/sheepshead.md, 9)."""
        return vector(score.chips(self.rules, state))

    def sides_of(self, state: State) -> jax.Array:
        """See `Game.sides_of`: 0 for picker and partner, 1 for defenders; a leaster has none."""
        return score.sides(state)

    def progress(self, state: State) -> jax.Array:
        """Returns int32[num_players]: card points of each player's own tricks, as all can count them.

        The unknown counts 0, and the blind of a leaster is nobody's, until the deal is over; what
        was buried is never in it (docs/sheepshead.md, 12).
        """
        words = score.public_points(self.rules, state)
        return vector([seat_points(words, seat) for seat in range(self.num_players)])

    # ---- The match ------------------------------------------------------------------------------

    @property
    def max_match_deals(self) -> int:
        return self.rules.num_deals

    def next_deal(self, key: jax.Array, state: State, totals: jax.Array) -> State:
        stakes, queue = score.next_stakes(self.rules, state)
        dealt = self._deal(prng.key_words(key))
        return self._start(dealt, leader(state), stakes, queue, totals)

    # ---- What a player sees ---------------------------------------------------------------------

    def observe(self, state: State, player: jax.Array) -> Observation:
        return observe(state, player)

    def history(self, observation: Observation) -> History:
        return past.history_of(self.rules, observation, self.max_steps)

    def write_features(self, observation: Observation) -> BitWriter:
        return features.write_features(self.rules, observation)

    def write_full_state(self, state: State) -> BitWriter:
        return features.write_full_state(self.rules, state)

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """The three fail suits may be exchanged; all queens and jacks are trumps, and stay."""
        return SuitSymmetry(permutations_of_others(self.rules.trump_suit), fixed=rank_set("QJ"))

    def sample_state(self, key: jax.Array, observation: Observation) -> State:
        return hidden.sample_state(self.rules, key, observation)

    def card_places(self, state: State) -> CardPlaces:
        public = state.public
        cards = owned(state)
        aside = sets.select(public.picker == NO_SEAT, state.blind, state.buried)
        open_ = state.played
        if state.unknown is not None:
            # Played face down, it lies aside until the end.
            hidden = CardSet(DECK, [jnp.where(public.phase == DONE, 0, single(state.unknown))])
            open_ = open_ - hidden
            aside = aside | (hidden & state.played)
        return CardPlaces(
            hands=tuple(own - state.played - state.buried for own in cards),
            played=tuple(own & open_ for own in cards),
            aside=aside,
        )

    # ---- In words -------------------------------------------------------------------------------

    def action_names(self) -> Sequence[str]:
        return text.ACTION_NAMES

    def string_to_action(self, name: str) -> int:
        return super().string_to_action(text.without_phase(name))

    def view_of(
        self, observation: Observation, legal: Sequence[int] = (), points: Sequence[int] | None = None
    ) -> View:
        return view.view_of(self.rules, observation, legal, points)

    def to_string(self, state: State) -> str:
        return text.to_string(self.rules, state)
