"""`TrickGame`: a `jaxcards.Game` of calls and then tricks, with defaults for the common rules."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import jax
import jax.numpy as jnp

from jaxcards.cards import actions, arguments, dealing, history, relabel
from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.opening import Opening, opening
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.contract import ObservationT, RulesT, StateT
from jaxcards.determinize import sample_hands
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.kit import features as kit_features
from jaxcards.kit.hidden import dealt_hands, possible_cards
from jaxcards.kit.state import TrickObservation, observed
from jaxcards.stages import Schedule, Stage, known, of_calls_and_tricks
from jaxcards.view.look import facts_of
from jaxcards.view.structure import View
from jaxcards.view.written import written
from jaxcards.xla import leaves, prng


@dataclasses.dataclass(frozen=True)
class TrickGame(Game[RulesT, StateT, ObservationT]):
    """A game of calls and then tricks. Its state derives from `TrickState`.

    Every game defines, in the order of play:

    * `name`, `deck` and `state_class`; `num_players` and `hand_size` if the defaults do not fit;
    * with calls: `num_calls`, `call_names`, `legal_calls`, `call` and `calls_seen`;
    * `first_public` (or `first_state`), `legal_cards`, `play`, `points`;
    * `write_features`; and `sample_state` if the defaults below do not fit.

    The defaults are those of a game that deals the whole deck in equal hands, first to the left of the
    dealer. Override them for other rules, such as a talon.

    Attributes:
      left_out: cards that are never dealt, so that hands are equal; see `Game.left_out`.
      num_calls: the largest number of calls before the first trick.
      dealt_from_seat_0: whether seat 0 gets the first cards of a deck, not the seat after the dealer.
      fixed_trumps: the suit that is trumps in every deal, for the default view; None for other games.
      state_class: the class of states; the default `first_state` and `sample_state` set the fields of
        `TrickState` only.
      observation_class: the class of observations; the default `observe` sets the fields of
        `TrickObservation` only.
      view_class: makes views of rules and an observation; see `view.builder.ViewBuilder`. None for the
        default view of a game.
    """

    num_calls: ClassVar[int] = 0
    dealt_from_seat_0: ClassVar[bool] = False
    fixed_trumps: ClassVar[int | None] = None
    state_class: ClassVar[type]
    observation_class: ClassVar[type] = TrickObservation
    view_class: ClassVar[Any] = None

    def _unwritten(self, member: str) -> UserError:
        """Return the error for a required member that a game does not define."""
        return UserError(f"{self.name} must define `{member}`: see docs/adding_a_game.md")

    # ---- The table ------------------------------------------------------------------------------

    @property
    def num_players(self) -> int:
        """Number of players; by default the setting `num_players` of the rules."""
        if not hasattr(self.rules, "num_players"):
            raise self._unwritten("num_players")
        return int(self.rules.num_players)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat, or the most of them; by default equal shares of the pack."""
        return (self.deck.num_cards - len(self.left_out)) // self.num_players

    # ---- The length of a deal -------------------------------------------------------------------

    @property
    def max_steps(self) -> int:
        return self.num_calls + self.num_players * self.hand_size

    def schedule(self, round: Any = None) -> Schedule:
        del round  # every deal has the same stages
        return of_calls_and_tricks(self.num_calls, self.hand_size, self.num_players)

    @property
    def longest_match(self) -> int | None:
        """The most deals of a match that ends by the rules alone; by default None: no limit."""
        return None

    @property
    def match_bound(self) -> int | None:
        """See `Game.match_bound`; by default the setting `max_deals`, unless a match is shorter."""
        bound: int | None = getattr(self.rules, "max_deals", None)
        longest = self.longest_match
        # If the rules end every match within the bound, the bound has no effect.
        return bound if bound is None or longest is None or bound < longest else None

    @property
    def max_match_deals(self) -> int:
        """See `Game.max_match_deals`; by default a bound above, or the setting `num_deals`."""
        num_deals: int = getattr(self.rules, "num_deals", 0)
        return self.match_bound or self.longest_match or num_deals

    # ---- Actions --------------------------------------------------------------------------------

    def call_names(self) -> Sequence[str]:
        """Return the names of the calls, whose actions follow those of the cards."""
        return ()

    @property
    def action_layout(self) -> ActionLayout:
        calls = len(self.call_names())
        # A decision is about cards or about calls, never about both.
        most = max(self.hand_size, calls)
        return ActionLayout.after_cards(self.deck, self.deck.num_cards + calls, most)

    def action_names(self) -> Sequence[str]:
        return [*(self.deck.name(card) for card in range(self.deck.num_cards)), *self.call_names()]

    # ---- The deal -------------------------------------------------------------------------------

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """The number of cards of each dealt hand, and of each block of cards behind the hands.

        By default equal hands, and a block of the cards that are `left_out`.
        """
        left_out = (len(self.left_out),) if self.left_out else ()
        return (self.hand_size,) * self.num_players + left_out

    def first_public(self, hands: Sequence[CardSet], dealer: jax.Array, **facts: Any) -> Any:
        """Return the public state before the first action; see `kit.first_public`.

        Args:
          hands: the cards of each seat.
          dealer: uint32, the seat that dealt.
          **facts: see `opening_facts`.
        """
        raise self._unwritten("first_public")

    def first_state(self, blocks: Sequence[CardSet], dealer: jax.Array, **facts: Any) -> Any:
        """Return a deal before its first action.

        Args:
          blocks: the cards of each seat, then the cards behind the hands; see `block_sizes`.
          dealer: uint32, the seat that dealt.
          **facts: see `opening_facts`.
        """
        public = self.first_public(blocks, dealer, **facts)
        hands = tuple(blocks[: self.num_players])
        return self.state_class(public=public, hands=hands, played=CardSet.empty(self.deck))

    def drawn_facts(self, words: prng.KeyWords) -> dict[str, Any]:
        """Return the facts of a deal that chance decides; see `Fact.drawn`. By default {}."""
        del words
        return {}

    def carried_facts(self, state: StateT, totals: jax.Array) -> dict[str, Any]:
        """Return the facts that a finished deal passes to the next deal of its match.

        By default the total of each side, if `totals` is a fact.

        Args:
          state: the finished deal.
          totals: int32[num_players], the match totals including that deal.
        """
        del state
        if "totals" not in self.opening_facts:
            return {}
        sides = self.teams or range(self.num_players)
        # Players of a side have equal totals: take the total of its first player.
        return {"totals": tuple(totals[sides.index(side)] for side in range(max(sides) + 1))}

    def init(self, key: jax.Array, round: Any = None) -> StateT:
        """See `Game.init`: cards, dealer and, if `round` is None, round are uniformly random."""
        words, facts = prng.key_words(key), {}
        if "round" in self.opening_facts:
            facts["round"] = self.random_round(words) if round is None else round
        return self._dealt(words, self.random_dealer(words), **facts)

    def random_round(self, words: prng.KeyWords) -> Any:
        """Return a random round: uint32, from the random word that follows that of the dealer."""
        rounds = self.num_rounds
        word = prng.random_word(words, self.deck.num_cards + 1)
        return prng.below(word, jnp.uint32(rounds), rounds) if rounds > 1 else 0

    def next_deal(self, key: jax.Array, state: StateT, totals: jax.Array) -> StateT:
        """See `Game.next_deal`: `next_dealer` deals, with the `carried_facts`."""
        words = prng.key_words(key)
        dealer = self.next_dealer(words, state)
        return self._dealt(words, dealer, **self.carried_facts(state, totals))

    def next_dealer(self, words: prng.KeyWords, state: StateT) -> jax.Array:
        """Return the seat that deals after a finished deal: uint32.

        By default this is the seat to the left, or a random seat if `public` has no `dealer`.
        """
        public = state.public  # type: ignore[attr-defined]
        if not hasattr(public, "dealer"):
            return self.random_dealer(words)
        return seat_after(public.dealer.astype(jnp.uint32), 1, self.num_players)

    def _dealt(self, words: prng.KeyWords, dealer: jax.Array, **facts: Any) -> StateT:
        blocks = dealing.leave_out(dealing.deal(words, self.deck, self.block_sizes), self.left_out)
        state = self.first_state(blocks, dealer, **facts, **self.drawn_facts(words))
        return leaves.first_state(state, dealer)

    def random_dealer(self, words: prng.KeyWords) -> jax.Array:
        """Return a random seat: uint32, from the random word that follows those of the cards."""
        word = prng.random_word(words, self.deck.num_cards)
        return prng.below(word, jnp.uint32(self.num_players), self.num_players)

    def init_from_deck(self, deck: Any, dealer: Any, **facts: Any) -> StateT:
        """Return a given deal: the seat left of the dealer gets the first cards of the deck, and so on.

        With `dealt_from_seat_0`, seat 0 gets the first cards.

        Args:
          deck: int[num_cards], a permutation of the cards.
          dealer: int scalar, the seat that deals; one of `hints.dealers`.
          **facts: see `opening_facts`.
        """
        self.deck.check_permutation(deck)
        dealers = self.hints.dealers or range(self.num_players)
        arguments.check_range("dealer", dealer, max(dealers) + 1)
        if arguments.known(dealer) not in (None, *dealers):
            raise UserError(f"dealer must be one of the seats {dealers}, not {dealer}")
        blocks, seats = dealing.from_deck(self.deck, deck, self.block_sizes), self.num_players
        blocks = dealing.leave_out(blocks, self.left_out)
        dealer = jnp.asarray(dealer, jnp.uint32)
        if not self.dealt_from_seat_0:
            first = seat_after(dealer, 1, seats)
            in_turn, rest = blocks[:seats], blocks[seats:]
            # A seat gets the block of its distance from the first seat.
            hands = [by_seat(in_turn, places_after(first, seat, seats)) for seat in range(seats)]
            blocks = (*hands, *rest)
        return leaves.first_state(self.first_state(blocks, dealer, **facts), dealer)

    def blocks_of(self, state: StateT) -> Sequence[CardSet]:
        """Return the blocks of `first_state` at any moment of a deal; by default of its hands."""
        rest = (CardSet.of(self.deck, self.left_out),) if self.left_out else ()
        return (*state.hands, *rest)  # type: ignore[attr-defined]

    def opening(self, state: StateT) -> Opening:
        """See `Game.opening`: facts are fields of `public`; without a `dealer` the last seat deals."""
        public, seats = state.public, self.num_players  # type: ignore[attr-defined]
        dealer = getattr(public, "dealer", jnp.uint32(seats - 1)).astype(jnp.uint32)
        blocks = self.blocks_of(state)
        if not self.dealt_from_seat_0:
            # The inverse of `init_from_deck`: the hands in the order in which they are dealt.
            places = [(1 + n) % seats for n in range(seats)]
            in_turn = [by_seat(blocks[:seats], seat_after(dealer, n, seats)) for n in places]
            blocks = [*in_turn, *blocks[seats:]]
        facts = {name: getattr(public, name) for name in self.opening_facts}
        return opening(self.deck, blocks, dealer, sizes=self.block_sizes, **facts)

    # ---- Calls and cards ------------------------------------------------------------------------

    def call_set(self, calls: jax.Array) -> ActionSet:
        """Return a set of calls.

        Args:
          calls: uint32, bit c for the call of `call_names()[c]`, for up to 32 calls.
        """
        layout, words = self.action_layout, []
        for offset in layout.offsets:
            # The place of call 0 in this word: negative if it is in an earlier word, from 32 on if in a
            # later one.
            shift = self.deck.num_cards - offset
            if shift < 32:
                words.append(calls << shift if shift > 0 else calls >> -shift)
            else:
                words.append(jnp.uint32(0))
        return ActionSet(layout, words)

    def legal_calls(self, state: StateT) -> ActionSet:
        """Return the legal calls while `playing` is False; otherwise any set."""
        raise self._unwritten("legal_calls")

    def call(self, state: StateT, action: jax.Array) -> StateT:
        """Return the state after a call; any other action changes nothing.

        Args:
          state: any state.
          action: uint32 scalar, a legal action, or `actions.IDLE`.
        """
        raise self._unwritten("call")

    def legal_cards(self, state: StateT, stage: Stage) -> CardSet:
        """Return the cards that the player to act may play."""
        raise self._unwritten("legal_cards")

    def play(self, state: StateT, card: jax.Array, stage: Stage) -> StateT:
        """Return the state after a card; any other action changes nothing. See `kit.play_card`.

        Args:
          state: any state.
          card: uint32 scalar, a legal action, or `actions.IDLE`.
          stage: the known phase of the decision.
        """
        raise self._unwritten("play")

    def _legal(self, state: StateT, stage: Stage) -> ActionSet:
        plays = ActionSet.of_cards(self.action_layout, self.legal_cards(state, stage))
        if not self.num_calls:
            return plays
        # A constant if the stage determines it: XLA then drops the set that is not selected.
        playing = known(stage.plays, state.playing)  # type: ignore[attr-defined]
        return actions.select(playing, plays, self.legal_calls(state))

    def _step(self, state: StateT, action: jax.Array, stage: Stage) -> StateT:
        # The code that the stage rules out is not compiled.
        if self.num_calls and stage.plays is not True:
            state = self.call(state, action)
        return state if stage.plays is False else self.play(state, action, stage)

    # ---- The past -------------------------------------------------------------------------------

    def calls_seen(self, observation: ObservationT) -> list[History]:
        """Return the calls of a deal so far; see `cards.history.part`."""
        if self.num_calls:
            raise self._unwritten("calls_seen")
        return []

    def history(self, observation: ObservationT) -> History:
        public = observation.public  # type: ignore[attr-defined]
        played_by = observation.played_by  # type: ignore[attr-defined]
        most = self.num_players * self.hand_size
        plays = history.plays(public.history, most, public.num_played, played_by)
        return history.joined(self.max_steps, [*self.calls_seen(observation), plays])

    # ---- What a player sees ---------------------------------------------------------------------

    def observe(self, state: StateT, player: jax.Array) -> ObservationT:
        return self.observation_class(**observed(state, player))  # type: ignore[arg-type]

    def card_places(self, state: StateT) -> CardPlaces:
        """See `Game.card_places`; aside are the cards that were not dealt."""
        places = CardPlaces.of_dealt(state.hands, state.played)  # type: ignore[attr-defined]
        known = (CardSet.of(self.deck, self.left_out),) if self.left_out else ()
        return places._replace(shown=known)

    write_tricks = kit_features.write_tricks

    def view_of(
        self, observation: ObservationT, legal: Sequence[int] = (), points: Sequence[int] | None = None
    ) -> View:
        if self.view_class is None:
            return super().view_of(observation, legal, points)
        return self.view_class(self.rules, observation).view(legal, points)

    def to_string(self, state: StateT) -> str:
        if self.view_class is None:
            return super().to_string(state)
        seen = (facts_of(self, state, player)[0] for player in range(self.num_players))
        tables = [self.view_class(self.rules, observation) for observation in seen]
        return written(self.view(state), tables, self.points(state))

    # ---- Trumps first ---------------------------------------------------------------------------

    def trump_suit(self, observation: ObservationT) -> jax.Array | None:
        """Return the suit that the features exchange with suit 0: uint32; 4 or more for none.

        By default None: features keep the order of the suits.
        """
        del observation
        return None

    def relabel_legal(self, observation: ObservationT, legal: ActionSet) -> ActionSet:
        trump = self.trump_suit(observation)
        return legal if trump is None else relabel.swap_legal(trump, self.deck, legal)

    def relabel_action(self, observation: ObservationT, action: jax.Array) -> jax.Array:
        trump = self.trump_suit(observation)
        return action if trump is None else relabel.swap_action(trump, self.deck, action)

    # ---- Hidden cards ---------------------------------------------------------------------------

    def possible_cards(self, observation: ObservationT) -> tuple[list[CardSet], list[jax.Array]]:
        """Return the unseen cards that each seat may hold, and their number; see `kit.possible_cards`.

        By default a seat may hold what its `public.voids` do not exclude.
        """
        seen: Any = observation
        unseen = seen.unseen - CardSet.of(self.deck, self.left_out)
        return possible_cards(seen, unseen, seen.public.voids, self.hand_size)

    def sample_state(self, key: jax.Array, observation: ObservationT) -> StateT:
        seen: Any = observation
        allowed, sizes = self.possible_cards(observation)
        held = sample_hands(key, seen.player, seen.hand, allowed, sizes, max_size=self.hand_size)
        return self.state_class(public=seen.public, hands=dealt_hands(held, seen), played=seen.played)
