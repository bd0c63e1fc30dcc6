"""The kit by a game that adds nothing to it: whist without trumps, against a slow engine."""

import dataclasses
import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from jaxcards import stages
from jaxcards.cards.actions import IDLE
from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import vector
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.kit import (
    TrickGame,
    TrickObservation,
    TrickPublic,
    TrickState,
    first_public,
    follow_suit,
    play_card,
    shown_void,
)
from jaxcards.kit.play import add_winner, every_trick_won
from jaxcards.settings import validate
from jaxcards.testing import check_game
from jaxcards.xla.pytrees import pytree

DECK = Deck(suits="cdhs", ranks="789", symbols="♣♦♥♠")


@dataclasses.dataclass(frozen=True)
class Rules:
    def __post_init__(self) -> None:
        validate(self)


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    dealer: jax.Array
    won: jax.Array
    voids: jax.Array


@dataclasses.dataclass(frozen=True)
class Whist(TrickGame[Rules, TrickState, TrickObservation]):
    rules: Rules = Rules()

    name = "whist"
    deck = DECK
    num_players = 3
    hand_size = 4
    state_class = TrickState

    def first_public(self, hands, dealer):
        zero = jnp.uint32(0)
        first = first_public(3 * self.hand_size, (dealer + 1) % 3)
        return Public(**first, dealer=dealer, won=zero, voids=zero)

    def legal_cards(self, state, stage):
        return follow_suit(state.hand_of(state.current_player), state.trick(stage).led)

    def play(self, state, card, stage):
        plays, before = state.plays(card < self.deck.num_cards, stage), state.trick(stage)
        suit, rank = self.deck.suit_and_rank(card)
        strength = jnp.where((suit == before.led) | (before.led == NO_SUIT), rank + 1, 0)
        after, trick, complete = play_card(
            state, stage, before, card, plays=plays, suit=suit, strength=strength, points=jnp.uint32(1)
        )
        public, seat = state.public, state.current_player.astype(jnp.uint32)
        shown = jnp.where(plays, shown_void(before.led, suit) << (4 * seat), 0)
        return after.with_public(
            won=public.won + jnp.where(complete, jnp.uint32(1) << (4 * trick.winner), 0),
            voids=public.voids | shown,
        )

    def points(self, state):
        return vector([(state.public.won >> (4 * seat)) & 15 for seat in range(3)])

    def write_features(self, observation):
        out = BitWriter()
        self.write_tricks(out, observation, strengths=len(self.deck.ranks))
        return out


@pytree
@dataclasses.dataclass(frozen=True)
class PublicTurned(Public):
    turned: jax.Array


class TurnedUp(Whist):
    """Whist in which a card lies open beside the hands."""

    name = "turned_up"
    deck = Deck(suits="cdhs", ranks="789T", symbols="♣♦♥♠")
    hand_size = 5

    def first_public(self, hands, dealer):
        turned = jnp.argmax(hands[3].mask()).astype(jnp.uint32)
        return PublicTurned(**vars(super().first_public(hands, dealer)), turned=turned)

    @property
    def block_sizes(self):
        return (self.hand_size,) * 3 + (1,)

    def blocks_of(self, state):
        return (*state.hands, CardSet.single(self.deck, state.public.turned))

    def possible_cards(self, observation):
        allowed, sizes = super().possible_cards(observation)
        turned = CardSet.single(self.deck, observation.public.turned)
        return [cards - turned for cards in allowed], sizes


GAME = Whist()


def replayed(hands, actions, leader):
    """Play a deal in plain Python: legal cards and seat of each decision, tricks won, voids shown."""
    held, won, voids, told = [set(hand) for hand in hands], [0] * 3, set(), []
    table: list[tuple[int, int]] = []
    for card in actions:
        seat = (leader + len(table)) % 3
        led = table[0][1] // 3 if table else None
        follow = {c for c in held[seat] if c // 3 == led}
        told.append((seat, follow or held[seat]))
        if led is not None and card // 3 != led:
            voids.add((seat, led))
        held[seat] = held[seat] - {card}
        table.append((seat, card))
        if len(table) == 3:
            leader = max((c, s) for s, c in table if c // 3 == table[0][1] // 3)[1]
            won[leader] += 1
            table = []
    return told, won, voids


@pytest.mark.slow
@pytest.mark.parametrize("dealer", by_cost(range(3), {0, 1}))
def test_deals_agree_with_a_slow_engine(dealer):
    source = random.Random(dealer)
    for _ in range(5):
        deck = source.sample(range(12), 12)
        state = GAME.init_from_deck(np.array(deck), dealer)
        hands = [deck[4 * n : 4 * n + 4] for n in ((seat - dealer - 1) % 3 for seat in range(3))]
        actions, told = [], []
        while not bool(state.terminated):
            legal = jnp.flatnonzero(GAME.legal_action_mask(state)).tolist()
            told.append((int(state.current_player), set(legal)))
            actions.append(source.choice(legal))
            state = GAME.step(state, jnp.int32(actions[-1]))
        expected, won, voids = replayed(hands, actions, (dealer + 1) % 3)
        assert told == expected
        assert GAME.points(state).tolist() == won
        word = int(state.public.voids)
        assert {(s, suit) for s in range(3) for suit in range(4) if word >> (4 * s + suit) & 1} == voids
        seen = GAME.history(GAME.observe(state, 0))
        assert seen.actions.tolist() == actions and seen.length == 12
        assert seen.players.tolist() == [seat for seat, _ in expected]
        opening = GAME.opening(state)
        assert GAME.init_from_deck(opening.deck, opening.dealer).hands[0].equals(state.hands[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", [GAME, TurnedUp()])
def test_the_defaults_keep_the_contract(game):
    assert check_game(game, num_deals=16) == ()


def test_a_card_that_is_turned_up_is_in_no_hand():
    game = TurnedUp()
    state = game.init_from_deck(np.arange(16), 0)
    sample = game.sample_state(jax.random.key(1), game.observe(state, 0))
    assert int(state.public.turned) == 15 == int(sample.public.turned)
    assert {card for hand in sample.hands for card in hand.to_list()} == set(range(15))
    assert sample.hands[0].to_list() == state.hands[0].to_list()


def test_other_actions_and_stages_leave_a_deal_as_it_is():
    state = GAME.init_from_deck(np.arange(12), 0)
    idle = GAME._step(state, jnp.uint32(IDLE), stages.ANY)
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), idle, state))


def test_hidden_cards_keep_to_the_voids_that_were_shown():
    deck = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]  # seat 0 has all clubs and a diamond, and so on
    state = GAME.init_from_deck(np.array(deck), 2)
    for card in (0, 4, 8):
        state = GAME.step(state, jnp.int32(card))
    allowed, sizes = GAME.possible_cards(GAME.observe(state, 0))
    assert [int(size) for size in sizes[1:]] == [3, 3]
    assert all(not set(cards.to_list()) & {0, 1, 2} for cards in allowed[1:])
    assert set(allowed[1].to_list()) == set(range(4, 12)) - {4, 8}


def test_winners_of_tricks():
    word = jnp.uint32(0)
    for number, winner in enumerate((0, 2, 2)):
        word = add_winner(word, jnp.uint32(number), jnp.uint32(winner), jnp.bool_(True))
    assert int(add_winner(word, jnp.uint32(3), jnp.uint32(3), jnp.bool_(False))) == int(word)
    assert [bool(x) for x in every_trick_won(word, jnp.bool_(True), 3)] == [True, False]
    assert [bool(x) for x in every_trick_won(word, jnp.bool_(False), 3)] == [False, False]
    both = add_winner(word, jnp.uint32(3), jnp.uint32(1), jnp.bool_(True))
    assert [bool(x) for x in every_trick_won(both, jnp.bool_(True), 4)] == [False, False]


def test_follow_suit():
    hand = CardSet.of(DECK, [0, 1, 4])
    assert follow_suit(hand, jnp.uint32(0)).to_list() == [0, 1]
    assert follow_suit(hand, jnp.uint32(2)).to_list() == [0, 1, 4]
    assert follow_suit(hand, jnp.uint32(NO_SUIT)).to_list() == [0, 1, 4]
    assert follow_suit(hand, jnp.uint32(2), CardSet.of(DECK, [4])).to_list() == [4]


def test_a_game_is_told_what_it_must_write():
    @dataclasses.dataclass(frozen=True)
    class Unfinished(TrickGame[Rules, TrickState, TrickObservation]):
        rules: Rules = Rules()

        name, deck, num_players, hand_size = "unfinished", DECK, 3, 4
        state_class = TrickState
        points, write_features = Whist.points, Whist.write_features

    with pytest.raises(UserError, match=r"unfinished must define `first_public`: see docs"):
        Unfinished().init(jax.random.key(0))
