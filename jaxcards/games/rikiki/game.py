"""Rikiki (Oh Hell) as a `Game`. The rules are in docs/rikiki.md."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards import dealing, sets
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.arguments import check_range
from jaxcards.cards.opening import Fact, Opening, opening
from jaxcards.cards.seats import by_seat, seat_after, totals_before, vector
from jaxcards.cards.sets import CardSet
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.games.rikiki import calls, features, hidden, play, score, view
from jaxcards.games.rikiki.play import DECK, NO_CARD, Observation, Public, State
from jaxcards.games.rikiki.rules import NO_TRUMP, RikikiRules
from jaxcards.kit import TrickGame, first_public
from jaxcards.stages import Schedule, of_calls_and_tricks
from jaxcards.xla import prng
from jaxcards.xla.fence import fence
from jaxcards.xla.leaves import first_state, unshared
from jaxcards.xla.lookup import lookup

_TURNUP_COUNTER = DECK.num_cards + 2  # the random word of `init` behind that of the round


@dataclasses.dataclass(frozen=True)
class Rikiki(TrickGame[RikikiRules, State, Observation]):
    """Rikiki for two to seven players, everyone alone.

    Actions: 0-51 play a card, 52 + b bids b tricks.
    """

    rules: RikikiRules = RikikiRules()

    name = "rikiki"
    deck = DECK

    @property
    def hand_size(self) -> int:
        return max(self.rules.schedule)

    @property
    def num_calls(self) -> int:  # type: ignore[override]
        return self.num_players

    # ---- Written in other files -----------------------------------------------------------------

    call_names, legal_calls, call = calls.call_names, calls.legal_calls, calls.call
    calls_seen, legal_cards, play = calls.calls_seen, play.legal_cards, play.play
    write_features, write_full_state = features.write_features, features.write_full_state
    view_class = view.RikikiView
    observe, card_places, sample_state = hidden.observe, hidden.card_places, hidden.sample_state

    # ---- Rounds ---------------------------------------------------------------------------------

    def schedule(self, round: Any = None) -> Schedule:
        size = self.hand_size if round is None else self._round(round)[1]
        return of_calls_and_tricks(self.num_calls, size, self.num_players)

    @property
    def num_rounds(self) -> int:
        return len(self.rules.schedule)

    # ---- The deal -------------------------------------------------------------------------------

    def init(self, key: jax.Array, round: Any = None) -> State:
        """Return a fresh deal: uniformly random cards, dealer and, if `round` is None, round.

        With an int the size of the hands is known when the function is compiled.
        """
        words, alike = prng.key_words(key), round is not None
        round = self.random_round(words) if round is None else round
        return self._deal(words, self.random_dealer(words), round, None, alike)

    def init_from_deck(  # type: ignore[override]
        self, deck: Any, dealer: Any, *, round: Any = 0, totals: Any = None
    ) -> State:
        """See `TrickGame.init_from_deck`: k = schedule[round], seat s gets deck[s*k : (s+1)*k].

        The card behind the hands is turned up, if there is one and the rules want it. With
        `all_dealt="dealers_card"` it is the last card of the dealer's block where no card is left.

        Args:
          round: int scalar, the number of the deal in the schedule.
          totals: int[num_players], match totals before the deal; zeros if None.
        """
        DECK.check_permutation(deck)
        check_range("dealer", dealer, self.num_players)
        round, size = self._round(round)
        dealt = self.num_players * size
        order = jnp.asarray(deck, jnp.uint32)
        hands = dealing.from_deck(DECK, order, (size,) * self.num_players)
        # The card behind the hands, or any card where all are dealt.
        behind = order[jnp.minimum(dealt, DECK.num_cards - 1)]
        turnup = jnp.where(dealt < DECK.num_cards, behind, NO_CARD)
        # Where all cards are dealt, the last card of the dealer's block is turned up.
        if self.rules.shows_dealers_card:
            last = order[(jnp.asarray(dealer, jnp.uint32) + 1) * size - 1]
            turnup = jnp.where(dealt < DECK.num_cards, behind, last)
        return self._start(hands, turnup, jnp.asarray(dealer, jnp.uint32), round, size, totals)

    def _deal(
        self, words: prng.KeyWords, dealer: jax.Array, round: Any, totals: Any, alike: bool = False
    ) -> State:
        round, size = self._round(round)
        players = self.num_players
        rest = DECK.num_cards - players * size
        sizes = (size,) * players + (rest,)
        # The cards that are not dealt are the last block.
        *hands, undealt = dealing.deal(words, DECK, sizes)
        if self.rules.shows_dealers_card:
            undealt = sets.select(jnp.asarray(rest == 0), by_seat(hands, dealer), undealt)
        # Any card of the rest may be on top, and any card of the dealer may be its last one.
        layout = ActionLayout.after_cards(DECK, DECK.num_cards, most=DECK.num_cards)
        pack = ActionSet.of_cards(layout, undealt)
        top = pack.sample_word(prng.random_word(words, _TURNUP_COUNTER)).astype(jnp.uint32)
        turnup = fence(top if self.rules.shows_dealers_card else jnp.where(rest > 0, top, NO_CARD))
        return self._start(tuple(hands), turnup, dealer, round, size, totals, alike)

    def _round(self, round: Any) -> tuple[Any, Any]:
        """Return a round and the size of its hands, as ints where they are known, else uint32."""
        schedule = self.rules.schedule
        check_range("round", round, len(schedule))
        if isinstance(round, (int, np.integer)):
            return int(round), schedule[int(round)]
        round = jnp.asarray(round).astype(jnp.uint32)
        # Hands of one size in all rounds are a constant, too.
        return round, schedule[0] if len(set(schedule)) == 1 else lookup(schedule, round)

    def _start(
        self, hands: tuple[CardSet, ...], turnup: jax.Array, dealer: jax.Array, round: Any,
        size: Any, totals: Any, alike: bool = False,
    ) -> State:  # fmt: skip
        rules, n = self.rules, self.num_players
        zero = jnp.uint32(0)
        round = jnp.asarray(round, jnp.uint32)
        if rules.trump_mode == "turnup":
            # Without a card turned up, the round has no trumps.
            trump = jnp.where(turnup < NO_CARD, DECK.suit_and_rank(turnup)[0], NO_TRUMP)
        else:
            turnup, trump = jnp.uint32(NO_CARD), jnp.uint32(NO_TRUMP)
        if rules.trump_mode == "cycle":
            cycle = rules.trump_cycle
            trump = lookup([cycle[i % len(cycle)] for i in range(len(rules.schedule))], round)
        # The history has room for the largest hands: states of all rounds have the same shape.
        public = Public(
            **first_public(n * self.hand_size, seat_after(dealer, 1, n)), num_bids=zero,
            bids=zero, tricks_won=zero, voids=zero, hand_size=jnp.asarray(size, jnp.uint32),
            trump=trump.astype(jnp.uint32), turnup=turnup.astype(jnp.uint8),
            dealer=dealer.astype(jnp.uint8), round=round.astype(jnp.uint8),
            totals=totals_before(totals, n, jnp.int32) if len(rules.schedule) > 1 else None,
        )  # fmt: skip
        state = State(
            public=public, hands=hands, played=CardSet.empty(DECK), bid_total=zero,
            ends_early=len(set(rules.schedule)) > 1,
        )  # fmt: skip
        # In a known round all hands have one size, and what counts their cards stays unbatched.
        return unshared(state) if alike else first_state(state, dealer)

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        facts = {"round": Fact(0, self.num_rounds - 1)}
        many = self.num_rounds > 1
        return facts | ({"totals": Fact(-(2**31), 2**31 - 1, self.num_players)} if many else {})

    def opening(self, state: State) -> Opening:
        public = state.public
        facts = {name: getattr(public, name) for name in self.opening_facts}
        blocks = state.hands
        if self.rules.trump_mode == "turnup":  # the last block, and empty where no card is left
            blocks = (*blocks, CardSet.single(DECK, public.turnup))
        found = opening(DECK, blocks, public.dealer, sizes=None, **facts)
        if not self.rules.shows_dealers_card:
            return found
        # The card that the dealer showed is the last one of its block.
        deck, place = found.deck, jnp.argmax(found.deck == public.turnup)
        last = ((found.dealer + 1) * public.hand_size.astype(jnp.int32) - 1).astype(place.dtype)
        last = jnp.where(play.dealers_card(self.rules, public).any(), last, place)
        # Exchange it with the card that is there now.
        return found._replace(deck=deck.at[place].set(deck[last]).at[last].set(deck[place]))

    # ---- The score ------------------------------------------------------------------------------

    def points(self, state: State) -> jax.Array:
        """Return int32[num_players]: each seat's score of the deal (docs/rikiki.md, 6)."""
        return vector(score.deal_points(self.rules, state))

    def progress(self, state: State) -> jax.Array:
        won, players = state.public.tricks_won, self.num_players
        return vector([play.tricks_of(won, seat, players) for seat in range(players)])

    # ---- The match ------------------------------------------------------------------------------

    @property
    def max_match_deals(self) -> int:
        return len(self.rules.schedule)

    def next_deal(self, key: jax.Array, state: State, totals: jax.Array) -> State:
        """See `Game.next_deal`: the next round of the schedule, and after the last one that again."""
        public = state.public
        last = len(self.rules.schedule) - 1
        round = jnp.minimum(public.round.astype(jnp.uint32) + 1, last) if last else 0
        dealer = public.dealer.astype(jnp.uint32)
        if self.rules.dealer_rotates:
            dealer = seat_after(dealer, 1, self.num_players)
        return self._deal(prng.key_words(key), dealer, round, totals)

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """See `Game.match_over`: the last round ends it, and the highest total wins."""
        return state.public.round == len(self.rules.schedule) - 1, totals == totals.max()

    # ---- Suits ----------------------------------------------------------------------------------

    def trump_suit(self, observation: Observation) -> jax.Array:
        return observation.public.trump

    @property
    def suit_symmetry(self) -> SuitSymmetry:
        return SuitSymmetry(permutations_of_others(0))
