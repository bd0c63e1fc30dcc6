"""Belote (Bela, belote, contrée, coinche) as a `Game`. The rules are in docs/belote.md."""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, history
from jaxcards.cards.features import BitWriter
from jaxcards.cards.opening import Fact
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_team, dealt_after, dealt_in_turn, totals_before
from jaxcards.cards.sets import CardSet
from jaxcards.cards.standing import write_missing_points
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.contract import Hints
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote import features, hidden, play, score, view
from jaxcards.games.belote.declarations import announced_belote, find_straights
from jaxcards.games.belote.hidden import NUM_LAST, TALON_SIZE
from jaxcards.games.belote.play import DECK, Observation, Public, State
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.xla import prng
from jaxcards.xla.leaves import first_state

_TALON_COUNTER = DECK.num_cards + 1  # of the random words of `init`, behind that of the dealer

# Sizes of the blocks of a deck, by how it is dealt.
_WHOLE = (play.HAND_SIZE,) * play.NUM_SEATS
_BELA = (play.HAND_SIZE - TALON_SIZE,) * play.NUM_SEATS + (TALON_SIZE,) * play.NUM_SEATS
_TURNED_UP = (5,) * play.NUM_SEATS + (1, *(TALON_SIZE, 1) * NUM_LAST, TALON_SIZE)


@dataclasses.dataclass(frozen=True)
class Belote(TrickGame[BeloteRules, State, Observation]):
    """Belote for four players.

    Actions: 0-31 play a card, 32 pass, 33-36 name a trump suit; with contracts 37 + 6 * level + mode
    bids, and the last two double (coinche) and redouble (surcoinche).
    """

    rules: BeloteRules = BeloteRules()

    name = "belote"
    deck = DECK
    # The points of declarations are announced, and those that score are laid open.
    hints = Hints(told_by_rules=("announced", "shown"))

    num_players = play.NUM_SEATS
    hand_size = play.HAND_SIZE
    teams = (0, 1, 0, 1)

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return auction.longest(self.rules)

    # ---- Written in other files -----------------------------------------------------------------

    call_names, legal_calls, call = auction.call_names, auction.legal_calls, auction.call
    calls_seen, legal_cards, play = auction.calls_seen, play.legal_cards, play.play
    observe, sample_state = hidden.observe, hidden.sample_state
    write_features, write_full_state = features.write_features, features.write_full_state
    view_class = view.BeloteView

    # ---- The deal -------------------------------------------------------------------------------

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """The first cards of each seat; then, by the rules, a card turned up and the later cards."""
        return {"contract": _WHOLE, "bela": _BELA}.get(self.rules.auction, _TURNED_UP)

    def first_state(  # type: ignore[override]
        self, blocks: Sequence[CardSet], dealer: jax.Array, *, totals: Any = (0, 0), carry: Any = 0
    ) -> State:
        """See `TrickGame.first_state`: later cards lie face down in the auction (docs/belote.md, 3).

        Args:
          totals: match totals of the two teams before the deal.
          carry: points that wait for the winner of this deal; only used with litige.
        """
        hands, later, turn_up = tuple(blocks[: play.NUM_SEATS]), blocks[play.NUM_SEATS :], None
        if not later:
            return self._start(hands, None, None, dealer, totals, carry)
        if self.rules.auction == "turnup":
            turned, *later = later
            turn_up = hidden.pack_turn_up([*later[1::2], turned])
        talon = reduce(CardSet.__or__, later)
        # Between two cards for each seat lie the single ones that are dealt last.
        pairs = dealt_after(dealer, later if turn_up is None else later[::2])
        hands = tuple(hand | pair for hand, pair in zip(hands, pairs, strict=True))
        return self._start(hands, talon, turn_up, dealer, totals, carry)

    def _dealt(  # type: ignore[override]
        self, words: prng.KeyWords, dealer: jax.Array, *, totals: Any = (0, 0), carry: Any = 0
    ) -> State:
        """Deal whole hands at random, then lay some cards aside."""
        size, turn_up, talon = play.HAND_SIZE, None, CardSet.empty(DECK)
        if self.rules.auction != "turnup":
            hands = dealing.deal(words, DECK, _WHOLE)
        else:
            size = play.HAND_SIZE - 1
            # Seven certain cards each. Of the other four, one is turned up, and three are dealt last.
            *dealt, rest = dealing.deal(words, DECK, (size,) * play.NUM_SEATS + (NUM_LAST + 1,))
            hands = tuple(dealt)
            # Random words behind those of the talons.
            counter = _TALON_COUNTER + TALON_SIZE * play.NUM_SEATS
            *last, turned = dealing.draw(words, counter, rest, NUM_LAST + 1, most=NUM_LAST + 1)
            turn_up = hidden.pack_turn_up([*last, turned])
            talon = rest - turned
        if self.rules.auction == "contract":
            return first_state(self._start(hands, None, None, dealer, totals, carry), dealer)
        # Which two cards of a hand lie face down is random, too.
        for seat, hand in enumerate(hands):
            counter = _TALON_COUNTER + TALON_SIZE * seat
            for card in dealing.draw(words, counter, hand, TALON_SIZE, most=size):
                talon = talon | card
        return first_state(self._start(hands, talon, turn_up, dealer, totals, carry), dealer)

    def _start(
        self, hands: tuple[CardSet, ...], talon: CardSet | None, turn_up: jax.Array | None,
        dealer: jax.Array, totals: Any, carry: Any,
    ) -> State:  # fmt: skip
        rules = self.rules
        zero = jnp.uint32(0)
        contracts = rules.auction == "contract"
        straights = None
        if rules.declarations and rules.straight8 == "match":
            # With a card turned up, hands are complete only after the auction.
            straights = zero if turn_up is not None else find_straights(hands)
        public = Public(
            **first_public(DECK.num_cards, (dealer + 1) & 3), num_calls=jnp.uint8(0),
            calls=history.empty(self.num_calls, bits=auction.CALL_BITS) if contracts else None,
            dealer=dealer.astype(jnp.uint8), mode=jnp.uint32(play.UNDECIDED),
            contract=zero if contracts else None, points=zero, winners=zero,
            lacks=(CardSet.empty(DECK),) * play.NUM_SEATS,
            totals=totals_before(totals, 2, jnp.uint16),
            carry=jnp.asarray(carry, jnp.uint32) if rules.tie == "litige" else None,
        )  # fmt: skip
        return State(
            public=public, hands=hands, talon=talon, played=CardSet.empty(DECK), turn_up=turn_up,
            declared=zero if rules.declarations else None, straights=straights,
            can_be_void=rules.all_pass == "void",
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        target = self.rules.target
        totals = Fact(0, target - 1, size=2)
        if self.rules.match_tie == "play_on" or not self.rules.belote_wins:
            # Equal totals above the target go on, and those that a belote alone has brought there.
            equal_from = target if self.rules.belote_wins else None
            totals = Fact(0, 2**16 - 1, size=2, equal_from=equal_from)
        facts = {"totals": totals}
        return facts | ({"carry": Fact(0, 2**16 - 1)} if self.rules.tie == "litige" else {})

    def blocks_of(self, state: State) -> Sequence[CardSet]:
        if state.talon is None:
            return state.hands
        first = [hand - state.talon for hand in state.hands]
        pairs = [hand & state.talon for hand in state.hands]
        if state.turn_up is None:
            return [*first, *dealt_in_turn(state.public.dealer, pairs)]
        *last, turned = hidden.unpack_turn_up(state.turn_up)
        # Hands have these cards only once a trump suit is named.
        first = [hand - turned for hand in first]
        pairs = [reduce(CardSet.__sub__, last, pair) for pair in pairs]
        *in_turn, end = dealt_in_turn(state.public.dealer, pairs)
        return [*first, turned, *itertools.chain(*zip(in_turn, last, strict=True)), end]

    # ---- The score ------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[4]: the score of each player's team (docs/belote.md, 4.6).

        Before the end it is the card points taken so far, for whether a bid is made shows at the end.
        """
        scores, taken = score.outcome(self.rules, state).scores, play.team_points(state.public)
        over = state.terminated
        first, second = (
            jnp.where(over, points.astype(jnp.int32), so_far.astype(jnp.int32))
            for points, so_far in zip(scores, taken, strict=True)
        )
        return by_team(first, second)

    def progress(self, state: State) -> jax.Array:
        return by_team(*play.team_points(state.public))

    # ---- The match ------------------------------------------------------------------------------

    @property
    def longest_match(self) -> int | None:
        """See `TrickGame.longest_match`: by some rules a match may go on for ever.

        A deal brings both teams together at least the points of the cards (in a litige half of them,
        rounded scores a little less), and a match can hold two totals below the target.
        """
        rules = self.rules
        if rules.all_pass == "void" or rules.match_tie == "play_on" or not rules.belote_wins:
            return None
        least = play.CARD_POINTS // 2 if rules.tie == "litige" else play.CARD_POINTS
        # Rounding down takes at most 4 points from each side.
        least -= 8 if rules.rounding == 10 else 0
        return 2 * (rules.target - 1) // least + 1

    def carried_facts(self, state: State, totals: jax.Array) -> dict[str, Any]:
        facts = super().carried_facts(state, totals)
        if "carry" in self.opening_facts:
            facts["carry"] = score.outcome(self.rules, state).carry
        return facts

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: the higher total wins once one has reached the target."""
        rules = self.rules
        team = jnp.arange(play.NUM_SEATS, dtype=jnp.int32) & 1
        reached = totals >= rules.target
        if not rules.belote_wins:
            reached = reached & ~score.by_belote_alone(rules, state, totals)
            # A side that has not reached the target cannot win, even with the higher total.
            totals = jnp.where(reached | ~reached.any(), totals, 0)
        equal = totals[0] == totals[1]
        over, winners = state.playing & reached.any(), (totals == totals.max()) & ~equal
        if rules.match_tie == "bidder":
            bidding = team == (play.bidder(state.public) & 1).astype(jnp.int32)
            winners = jnp.where(equal, bidding, winners)
        elif rules.match_tie == "play_on":
            over = over & ~equal
        if self.match_bound is not None:
            # At the bound, a tie that the rules would play on is a draw.
            winners = winners & ~(equal & ~over)
            over = over | (num_deals >= self.match_bound)
        if state.straights is not None:
            straight, winner = score.straight_winner(state)
            over = over | straight
            winners = jnp.where(straight, team == winner.astype(jnp.int32), winners)
        return over, winners

    # ---- What a player sees ---------------------------------------------------------------------

    def write_standing(self, out: BitWriter, observation: Observation) -> None:
        side = observation.player.astype(jnp.uint32) & 1
        write_missing_points(out, self.rules.target, observation.public.totals, side)

    def trump_suit(self, observation: Observation) -> jax.Array:
        return observation.public.mode

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        # Features put the trump suit in the place of suit 0.
        return SuitSymmetry(permutations_of_others(0))

    def card_places(self, state: State) -> CardPlaces:
        hands = play.visible_hands(state)
        aside = CardSet.full(DECK)
        for held in (*hands, *state.played_by):
            aside = aside - held
        # The card turned up and, by seat, announced belotes: others know where they are.
        shown: list[CardSet] = []
        if state.turn_up is not None:
            shown.append(CardSet.single(DECK, play.turned_up(state)))
        if self.rules.belote:
            shown += announced_belote(self.rules, state)
        return CardPlaces(hands, state.played_by, aside, tuple(shown))
