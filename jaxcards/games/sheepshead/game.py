"""Sheepshead as a `Game`. The rules are in docs/sheepshead.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import sets
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.opening import Fact
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.contract import Hints
from jaxcards.errors import UserError
from jaxcards.games.sheepshead import calls, features, hidden, play, score, view
from jaxcards.games.sheepshead.play import DECK, Observation, Public, State
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Schedule, Stage
from jaxcards.xla import prng


def _names_cards(state: State) -> jax.Array:
    return (state.public.phase == play.CALL) | (state.public.phase == play.UNKNOWN)


@dataclasses.dataclass(frozen=True)
class Sheepshead(TrickGame[SheepsheadRules, State, Observation]):
    """Sheepshead for three to six players.

    Actions: 0-31 a card, which by phase is called, made the unknown, buried or played; 32 pass, 33
    pick, 34 partner, 35 alone, 36 crack, 37 crack back; with that rule 38 blitz.
    """

    rules: SheepsheadRules = SheepsheadRules()

    name = "sheepshead"
    deck = DECK

    @property
    def hints(self) -> Hints:  # type: ignore[override]
        # The phase tells whether a call needs an unknown, or (without a question) whether there can be
        # a partner. The blind tells which of its cards a picker has from there, and a higher jack that
        # it has the lower ones.
        told = ("public.phase", "blind", *(["public.called"] if self.rules.call_up else []))
        return Hints(told_by_rules=told, names_cards=_names_cards, secret_actions=True)

    @property
    def hand_size(self) -> int:
        return self.rules.hand_size

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        # Seats that had no turn to pick are asked to crack: together everybody is asked once.
        once = self.rules.crack and self.rules.crack_who == "unasked"
        return sum(calls.most_calls(self.rules).values()) - (self.num_players - 1) * once

    # ---- Written in other files -----------------------------------------------------------------

    action_layout = property(calls.action_layout)
    history = hidden.history_of
    observe, sample_state = hidden.observe, hidden.sample_state
    write_features, write_full_state = features.write_features, features.write_full_state
    view_class = view.SheepsheadView

    def call_names(self) -> Sequence[str]:
        return calls.call_names(self.rules)

    # ---- The deal -------------------------------------------------------------------------------

    dealt_from_seat_0 = True

    @property
    def block_sizes(self) -> tuple[int, ...]:
        return (self.hand_size,) * self.num_players + (self.rules.blind_size,)

    def blocks_of(self, state: State) -> Sequence[CardSet]:
        return [*state.hands, state.blind]

    def init_from_deck(  # type: ignore[override]
        self, deck: Any, dealer: Any, *, stakes: Any = 1, queue: Any = None, totals: Any = None
    ) -> State:
        """See `TrickGame.init_from_deck`: seat s gets deck[s*h : (s+1)*h], and the rest is the blind.

        Args:
          stakes: int scalar, the multiplier of the deal, at least 1.
          queue: int scalar, doubled deals to come, this one included; only with
            `doubler_mode="queue"`, where it replaces `stakes`. If None, `stakes` (1 or 2) less 1.
          totals: int[num_players], the match totals before the deal; all 0 if None.
        """
        queued = self._doublers_queue
        check_range("stakes", stakes, 3 if queued else 2**20, lowest=1)
        if queue is None:
            queue = jnp.asarray(stakes, jnp.uint32) - 1
        elif not queued:
            raise UserError("queue= is for rules with no_pick='doubler' and doubler_mode='queue'")
        else:
            check_range("queue", queue, 2**20)
        return super().init_from_deck(deck, dealer, stakes=stakes, queue=queue, totals=totals)

    @property
    def _doublers_queue(self) -> bool:
        return self.rules.no_pick == "doubler" and self.rules.doubler_mode == "queue"

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, *, stakes: Any = 1, queue: Any = 0,
        totals: Any = None,
    ) -> State:  # fmt: skip
        rules, n = self.rules, self.num_players
        zero, no_seat, no_card = jnp.uint32(0), jnp.uint32(play.NO_SEAT), jnp.uint32(play.NO_CARD)
        queue = jnp.asarray(queue, jnp.uint32)
        queued = self._doublers_queue
        stakes = score.stakes_of(queue) if queued else jnp.asarray(stakes, jnp.uint32)
        public = Public(
            **first_public(rules.num_plays, seat_after(dealer, 1, n)),
            phase=jnp.uint32(play.PICK if rules.picks else play.PLAY), dealer=dealer, stakes=stakes,
            queue=queue if queued else None, totals=totals_before(totals, n, jnp.int32),
            picker=no_seat, called=no_card if rules.has_partner_card else None,
            unknown_taker=no_seat if rules.has_unknown else None,
            keeps=jnp.zeros((), bool) if rules.calls else None,
            cracker=no_seat if rules.crack else None,
            recracked=jnp.zeros((), bool) if rules.recrack else None,
            recracker=no_seat if rules.partner_recracks else None,
            blitzer=no_seat if rules.blitz else None,
            # A word for every four seats, rounded up.
            points=(zero,) * -(-n // play.SEATS_PER_WORD), winners=zero, voids=zero,
        )  # fmt: skip
        return State(
            public=public, hands=tuple(blocks[:n]), blind=blocks[n], played=CardSet.empty(DECK),
            buried=CardSet.empty(DECK), unknown=no_card if rules.has_unknown else None,
            ends_early=rules.no_pick == "doubler",
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        multiplied = {"stakes": Fact(1, 2**20 - 1, default=1)}
        if self._doublers_queue:
            multiplied = {"queue": Fact(0, 2**20 - 1)}
        return multiplied | {"totals": Fact(-(2**31), 2**31 - 1, self.num_players)}

    # ---- The course of a deal ----------------------------------------------------------------------

    def schedule(self, round: Any = None) -> Schedule:
        del round  # every deal has the same stages
        tricks = stages.of_tricks(self.hand_size, self.num_players)
        return stages.of_phases(calls.most_calls(self.rules)) + tricks

    def _legal(self, state: State, stage: Stage) -> ActionSet:
        return ActionSet(self.action_layout, calls.legal_words(self.rules, state, stage))

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        rules = self.rules
        plays = state.plays((state.public.phase == play.PLAY) & (action < play.NO_CARD), stage)
        if rules.picks and stage.plays is not True:
            state = calls.prepare(rules, state, action, stage)
        return state if stage.plays is False else play.play_tricks(rules, state, action, plays, stage)

    # ---- The score ------------------------------------------------------------------------------

    points, sides_of = score.chips, score.sides_of

    def progress(self, state: State) -> jax.Array:
        """Return int32[num_players]: card points that all can count (docs/sheepshead.md, 10.3).

        The unknown, and the blind of a leaster, count at the end; what was buried never does.
        """
        return vector(score.public_points(self.rules, state))

    # ---- The match ------------------------------------------------------------------------------

    def next_dealer(self, words: prng.KeyWords, state: State) -> jax.Array:
        following = super().next_dealer(words, state)
        if not (self.rules.same_dealer and state.ends_early):
            return following
        return jnp.where(state.public.picker == play.NO_SEAT, state.public.dealer, following)

    def carried_facts(self, state: State, totals: jax.Array) -> dict[str, Any]:
        stakes, queue = score.next_stakes(self.rules, state)
        return {"stakes": stakes, "queue": queue, "totals": totals}

    # ---- What a player sees ---------------------------------------------------------------------

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """Return the exchanges of the three fail suits; all queens and jacks are trumps, and stay."""
        return SuitSymmetry(permutations_of_others(self.rules.trump_suit), fixed=play.rank_set("QJ"))

    def card_places(self, state: State) -> CardPlaces:
        public = state.public
        cards = play.owned(state)
        aside = sets.select(public.picker == play.NO_SEAT, state.blind, state.buried)
        open_ = state.played
        if state.unknown is not None:
            # Played face down, it lies aside until the end.
            hidden = CardSet.single(DECK, state.unknown).where(public.phase != play.DONE)
            open_ = open_ - hidden
            aside = aside | (hidden & state.played)
        return CardPlaces(
            hands=tuple(own - state.played - state.buried for own in cards),
            played=tuple(own & open_ for own in cards),
            aside=aside,
        )

    # ---- In words -------------------------------------------------------------------------------

    def string_to_action(self, name: str) -> int:
        return super().string_to_action(view.without_phase(name))
