"""Euchre as a `Game`. The rules are in docs/euchre.md."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards import history
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.opening import Fact
from jaxcards.cards.seats import totals_before
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.symmetry import SuitSymmetry
from jaxcards.contract import Hints
from jaxcards.games.euchre import calls, features, hidden, play, score, view
from jaxcards.games.euchre.play import Call, Observation, Public, State
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.kit import TrickGame
from jaxcards.stages import Schedule, Stage, known
from jaxcards.xla import prng
from jaxcards.xla.lookup import lookup


@dataclasses.dataclass(frozen=True)
class Euchre(TrickGame[EuchreRules, State, Observation]):
    """Euchre for four players, or for three.

    Actions: 0-23 play or lay down a card, 24 the joker (or ask for a new deal, where a farmer's hand
    may), 25 pass, 26-29 name a suit (in the first round: order up), 30 alone, 31 together.
    """

    rules: EuchreRules = EuchreRules()

    name = "euchre"

    @property
    def deck(self) -> Deck:  # type: ignore[override]
        return play.deck_of(self.rules)

    @property
    def num_players(self) -> int:
        return seating_of(self.rules).num_agents

    @property
    def hints(self) -> Hints:  # type: ignore[override]
        return Hints(dealers=seating_of(self.rules).bidders, secret_actions=True)

    @property
    def teams(self) -> tuple[int, ...] | None:
        return seating_of(self.rules).teams

    hand_size = play.HAND_SIZE

    # ---- Written in other files -----------------------------------------------------------------

    action_layout = property(calls.action_layout)
    history = calls.history_of
    observe, sample_state, card_places = hidden.observe, hidden.sample_state, hidden.card_places
    write_features, write_full_state = features.write_features, features.write_full_state
    view_class = view.EuchreView
    cards_to_play = play.cards_to_play

    # ---- The deal -------------------------------------------------------------------------------

    dealt_from_seat_0 = True

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """Five cards for each seat, then for a dummy of open cards; the card turned up; the kitty."""
        dealt = seating_of(self.rules).num_dealt
        return (play.HAND_SIZE,) * (dealt // play.HAND_SIZE) + (1, self.deck.num_cards - dealt - 1)

    def random_dealer(self, words: prng.KeyWords) -> jax.Array:
        bidders = seating_of(self.rules).bidders
        drawn = prng.random_word(words, play.DECK_WITH_JOKER.num_cards)
        return lookup(bidders, prng.below(drawn, jnp.uint32(len(bidders)), len(bidders)))

    def next_dealer(self, words: prng.KeyWords, state: State) -> jax.Array:
        del words
        dealer = state.public.dealer
        following = seating_of(self.rules).next_bidder(dealer)
        # After a farmer's hand the same seat deals again.
        if self.rules.farmers_hand:
            following = jnp.where(play.dealt_again(state.calls), dealer, following)
        return following

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, *, totals: Any = None
    ) -> State:
        """See `TrickGame.first_state`: the blocks of `block_sizes`; a dealer is a seat that bids.

        Args:
          totals: match totals of the sides (else of the players) before the deal; zeros if None.
        """
        rules, seating, zero = self.rules, seating_of(self.rules), jnp.uint32(0)
        *dealt, turned, kitty = blocks
        # The number of the single card turned up, from the zeros above its bit.
        up_card = jnp.uint32(31) - jax.lax.clz(turned.words[0])
        # The up-card counts as dealt to the dealer, and lies aside until it is picked up.
        in_seats = enumerate(dealt[: seating.num_seats])
        hands = [hand | turned.where(dealer == seat) for seat, hand in in_seats]
        aside = kitty | turned
        if seating.pool:
            aside = aside | dealt[-1]
        phase = jnp.uint32(play.BID1)
        bidders = jnp.uint32(seating.bidder_bits)
        seat = seating.next_bidder(dealer)
        # If the joker is turned up, the dealer names trumps without looking at its hand.
        if rules.joker:
            blind = up_card == play.JOKER
            phase = jnp.where(blind, jnp.uint32(play.NAME_BLIND), phase)
            seat = jnp.where(blind, dealer, seat)
        call = Call(phase, seat, jnp.uint32(NO_SUIT), zero, zero, jnp.uint32(play.NOBODY), bidders)
        public = Public(
            history=history.empty(play.HAND_SIZE * seating.num_seats), up_card=up_card,
            dealer=dealer, call=play.CALL_WORD.pack(call), table=jnp.uint32(play.EMPTY_TABLE),
            voids=zero, totals=totals_before(totals, 3 if self.teams is None else 2, jnp.uint16),
        )  # fmt: skip
        return State(
            public=public, hands=tuple(hands), dummy=dealt[-1] if seating.pool else None,
            aside=aside, played=CardSet.empty(self.deck), mode=rules.mode,
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        return {"totals": Fact(0, self.rules.target - 1, size=3 if self.teams is None else 2)}

    def blocks_of(self, state: State) -> Sequence[CardSet]:
        turned = CardSet.single(self.deck, state.public.up_card)
        dummy = () if state.dummy is None else (state.dummy,)
        blocks = [*(hand - turned for hand in state.hands), *dummy, turned]
        return [*blocks, reduce(CardSet.__sub__, blocks, CardSet.full(self.deck))]

    # ---- The course of a deal ----------------------------------------------------------------------

    @property
    def max_steps(self) -> int:
        """Return the largest number of decisions of a deal."""
        rules = self.rules
        seating = seating_of(rules)
        # The longest bidding has two rounds, and the up-card stays on the table.
        bids = 2 * len(seating.bidders) + rules.allow_alone
        together = seating.num_seats * play.NUM_TRICKS
        # Five cards laid down for the dummy's, or the answers of two defenders.
        together += 5 if seating.pool else 2 if rules.defend_alone == "always" else 0
        alone = (seating.num_seats - 1) * play.NUM_TRICKS + (2 if rules.defend_alone != "never" else 0)
        return bids + max(together, alone)

    def schedule(self, round: Any = None) -> Schedule:
        """Return the stages of a deal, of tricks in which every seat plays."""
        del round  # every deal has the same stages
        rules = self.rules
        seating = seating_of(rules)
        bidders = len(seating.bidders)
        before = {
            play.NAME_BLIND: int(rules.joker), play.BID1: bidders, play.DISCARD: 1,
            play.BID2: bidders, play.ALONE: int(rules.allow_alone),
            play.EXCHANGE: play.HAND_SIZE if seating.pool else 0,
            play.DEFEND: 2 if rules.defend_alone != "never" else 0,
        }  # fmt: skip
        # A trick is short if players sit out, so a stage knows how many cards come after its own.
        waits = range(seating.num_seats - 2, 0, -1)
        between = [dataclasses.replace(stages.FOLLOW, after=after) for after in waits]
        trick = (stages.LEAD, *between, stages.COMPLETE)
        return stages.of_phases(before) + stages.with_last(play.NUM_TRICKS, trick)

    def _legal(self, state: State, stage: Stage) -> ActionSet:
        (card,) = play.legal_cards(self.rules, state, stage).words
        chooses = known(stage.plays or None, calls.chooses_card(state.calls_in(stage).phase))
        word = jnp.where(chooses, card, calls.legal_calls(self.rules, state, stage))
        return ActionSet(self.action_layout, [word])

    def _step(self, state: State, action: jax.Array, stage: Stage) -> State:
        rules, public = self.rules, state.public
        deck = play.deck_of(rules)
        turn = calls.turn_of(state, action, stage)
        single = CardSet.single(deck, action).words[0]
        table, lacks, complete = play.table_after(rules, state, turn.plays, action, stage)
        call, begins, takes = calls.call_after(rules, state, turn, action, complete, table, stage)
        call = call._replace(phase=state.phase_after(call.phase, stage))
        table = table._replace(waiting=jnp.where(begins, call.active, table.waiting))

        up_card = jnp.uint32(1) << public.up_card
        # A suit named in the first round, or blindly, makes the dealer take the up-card.
        picked = turn.names & (state.calls_in(stage).phase != play.BID2)
        moved = jnp.where(turn.discards | turn.exchanges, single, jnp.where(picked, up_card, 0))
        if state.dummy is not None:
            # Without `allow_alone` the dealer's discard and the dummy move at once.
            moved = moved | jnp.where(takes, state.dummy.words[0], 0)
        after = state.with_public(
            history=history.append(public.history, state.num_played, action, turn.plays),
            call=play.CALL_WORD.pack(call),
            table=play.TABLE_WORD.pack(table),
            voids=public.voids | lacks,
        )
        return dataclasses.replace(
            after,
            # Cards that are picked up lie there, cards that are laid down do not.
            aside=CardSet(deck, [state.aside.words[0] ^ moved]),
            played=CardSet(deck, [state.played.words[0] | jnp.where(turn.plays, single, 0)]),
        )

    # ---- The score, the match -------------------------------------------------------------------

    points, progress, sides_of = score.points, score.progress, score.sides_of
    match_over, longest_match = score.match_over, property(score.longest_match)

    # ---- Suits ----------------------------------------------------------------------------------

    def relabel_legal(self, observation: Observation, legal: ActionSet) -> ActionSet:
        first = features.first_suit(observation)
        return ActionSet(legal.layout, [features.swap_actions(first, legal.words[0])])

    def relabel_action(self, observation: Observation, action: jax.Array) -> jax.Array:
        first = features.first_suit(observation)
        number = jnp.asarray(action).astype(jnp.uint32)
        suit, rank = self.deck.suit_and_rank(number)
        card = (suit ^ first) * self.deck.ranks_per_suit + rank
        named = calls.CALL + ((number - calls.CALL) ^ first)
        is_call = (number >= calls.CALL) & (number < calls.CALL + len(self.deck.suits))
        other = jnp.where(is_call, named, number)
        return jnp.where(number < self.deck.num_suit_cards, card, other).astype(jnp.int32)

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        """The two suits of the colour that trumps are not may be exchanged."""
        return SuitSymmetry(((0, 1, 2, 3), (0, 2, 1, 3)))

    # ---- In words -------------------------------------------------------------------------------

    def action_names(self) -> Sequence[str]:
        return view.action_names(self.rules)
