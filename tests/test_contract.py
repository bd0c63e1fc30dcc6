"""Every game and preset keeps the contract, and every check of the contract can fail."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import cards, testing
from jaxcards.actions import ActionSet
from jaxcards.cards import CardSet
from jaxcards.errors import UserError
from jaxcards.games.jass.game import Jass

# What `init_from_deck` of a game needs besides deck and dealer.
MORE = {"jass/differenzler": lambda rng: {"mode": rng.integers(4)}}

VARIATIONS = [
    dict(slalom=True, weis_share_cards=False, pushed_leader="declarer", undertrump="void"),
    dict(push=False, weis_long_runs="flat", weis_height=False, stock=False, target=0, deals=3),
]


def ids() -> list[str]:
    """Every id but the bare names, which mean one of their presets."""
    return [id for id in jaxcards.games() if "/" in id]


@pytest.mark.parametrize("id", ids())
def test_every_game_keeps_the_contract(id):
    testing.check_game(jaxcards.make(id), more=MORE.get(id))


@pytest.mark.parametrize("rules", VARIATIONS, ids=[", ".join(v) for v in VARIATIONS])
def test_variations_keep_the_contract(rules):
    # Where cards may not be shared, four ways to count a hand are compared in every mode.
    budget = {"init": 11_000, "features": 7_500}
    testing.check_game(jaxcards.make("jass", **rules), jaxpr_budget=budget)


@pytest.mark.parametrize("id", ["jass/seed", "jass/differenzler"])
def test_matches_keep_the_contract(id):
    testing.check_game(jaxcards.Match(jaxcards.make(id)), num_deals=16, more=MORE.get(id))


class CloseMatch(Jass):
    """Deals at the end of a match, in which hidden Stöck and Weis may decide at any trick."""

    def init(self, key):
        close = jnp.uint16(self.rules.target - 30)
        return dataclasses.replace(super().init(key), totals=(close, close))


@pytest.mark.parametrize("preset", ["seed", "schieber_1000"])
def test_knowledge_at_the_end_of_a_match(preset):
    """Whether a deal is over is public: a hand dealt anew does not end it."""
    game = CloseMatch(jaxcards.make(f"jass/{preset}").rules, preset)
    deals = testing.play_deals(game)
    testing.check_determinize(game, deals, number=2048)
    testing.check_observations_hide(game, deals, number=2048)


# ---- Every check can fail -----------------------------------------------------------------------

RULES = jaxcards.make("jass/tournament").rules


@functools.cache
def deals():
    return testing.play_deals(Jass(RULES, "jass"), 32)


@functools.cache
def openings():
    """The deals before a card is played, where the other hands may be exchanged as a whole."""
    whole = deals()
    states = jax.tree.map(lambda leaf: leaf[:1], whole.states)
    return dataclasses.replace(whole, states=states, actions=whole.actions[:0], over=whole.over[:1])


def fails(check, game, *args, match, **kwargs):
    """Asserts that a check fails, with a text that names the check and says why."""
    with pytest.raises(AssertionError, match=match) as error:
        check(game, *args, **kwargs)
    text = str(error.value)
    assert text.startswith(f"{check.__name__}: broken: ")


def broken(cls: type[Jass]) -> Jass:
    return cls(RULES, "broken")


class EmptyMask(Jass):
    """Followers have nothing to play in the last trick."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        stuck = state.num_played == 33
        return ActionSet(legal.layout, [jnp.where(stuck, 0, word) for word in legal.words])


class MaskAfterEnd(Jass):
    """Nothing is legal after the end."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        words = [jnp.where(state.terminated, 0, word) for word in legal.words]
        return ActionSet(legal.layout, words)


class StrayBits(Jass):
    """The legal set has a bit of no action."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        return ActionSet(legal.layout, [legal.words[0] | jnp.uint32(1 << 20), legal.words[1]])


class OtherMask(Jass):
    """Mask and words differ."""

    def legal_action_mask(self, state):
        return super().legal_action_mask(state).at[42].set(True)


class IllegalPlay(Jass):
    """Every card of the hand is thought to be illegal unless it is the lowest."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        first = legal.nth(jnp.uint32(0))
        lowest = jnp.arange(self.num_actions) == first
        low = CardSet.single(self.deck, first)
        words = [
            jnp.where(lowest[:36].any(), a, b) for a, b in zip(low.words, legal.words, strict=True)
        ]
        words = [jnp.where(state.terminated, a, b) for a, b in zip(legal.words, words, strict=True)]
        return ActionSet(legal.layout, words)


@pytest.mark.parametrize(
    "cls, why",
    [
        (EmptyMask, "empty before the end"),
        (MaskAfterEnd, "not all True after the end"),
        (StrayBits, "bits of no action"),
        (OtherMask, "differs from the mask"),
        (IllegalPlay, "an action of the random play was illegal"),
    ],
)
def test_legal_actions_can_fail(cls, why):
    fails(testing.check_legal_actions, broken(cls), deals(), match=why)


class LostCard(Jass):
    """The hand of seat 2 is empty."""

    def card_places(self, state):
        places = super().card_places(state)
        hands = (*places.hands[:2], CardSet.empty(self.deck), places.hands[3])
        return places._replace(hands=hands)


class CardStays(Jass):
    """Cards that were played are taken to be in the hand still."""

    def card_places(self, state):
        nothing = (CardSet.empty(self.deck),) * 4
        return super().card_places(state)._replace(hands=state.hands, played=nothing)


@pytest.mark.parametrize("cls, why", [(LostCard, "in no place"), (CardStays, "still in the hand")])
def test_cards_are_kept_can_fail(cls, why):
    fails(testing.check_cards_are_kept, broken(cls), deals(), match=why)


class NotFrozen(Jass):
    """Pushes are counted after the end."""

    def step(self, state, action):
        after = super().step(state, action)
        return dataclasses.replace(after, num_calls=after.num_calls + (action == 42).astype(jnp.uint8))


class TooLong(Jass):
    """Promises fewer decisions than there are."""

    @property
    def max_steps(self):
        return 37


class TooShort(Jass):
    """Promises more decisions than there are."""

    @property
    def max_steps(self):
        return 39


def test_end_and_length_can_fail():
    fails(testing.check_end, broken(NotFrozen), deals(), match="changes a finished deal: .num_calls")
    game = broken(TooLong)
    played = testing.play_deals(game, 64)
    fails(testing.check_end, game, played, match="max_steps 37")
    fails(testing.check_length, game, played, match="more than max_steps 37")
    game = broken(TooShort)
    fails(testing.check_length, game, testing.play_deals(game, 64), match="max_steps is 39.* took 38")


class NoZeroSum(Jass):
    """Both sides get their own points."""

    def returns(self, state):
        return self.points(state).astype(jnp.float32)


class FloatPoints(Jass):
    """Points are floats."""

    def points(self, state):
        return super().points(state).astype(jnp.float32)


class Backwards(Jass):
    """Progress counts what is left."""

    def progress(self, state):
        return 157 - super().progress(state)


class OneOfTwo(Jass):
    """Only one of a team gets its points."""

    def points(self, state):
        return super().points(state).at[2].add(1)


@pytest.mark.parametrize(
    "cls, why",
    [
        (NoZeroSum, "do not add up to 0"),
        (FloatPoints, "points are float32, not int32"),
        (Backwards, "progress goes down"),
        (OneOfTwo, "points differ within a side"),
    ],
)
def test_scores_can_fail(cls, why):
    fails(testing.check_scores, broken(cls), deals(), match=why)


class Openings(Jass):
    """Jass with a determinization that compiles fast and holds before the first card only."""

    def determinize(self, key, state, player):
        own = cards.by_seat(state.hands, player)
        order = jax.random.uniform(key, (36,)) + jnp.where(own.mask(), 2, 0)
        block = jnp.argsort(jnp.argsort(order)) // 9  # the player's own cards are block 3
        bits = jnp.uint32(1) << jnp.arange(18, dtype=jnp.uint32)
        hands = []
        for seat in range(4):
            mine = (block == ((seat - player - 1) & 3)).reshape(2, 18)
            words = jnp.where(mine, bits, 0).sum(axis=1, dtype=jnp.uint32)
            hands.append(CardSet(self.deck, [words[0], words[1]]))
        return dataclasses.replace(state, hands=tuple(hands))


def test_openings_are_sound():
    """What the broken games below are made from passes."""
    game = broken(Openings)
    testing.check_determinize(game, openings(), number=64)
    testing.check_observations_hide(game, openings(), number=64)


class LeakyObservation(Openings):
    """A player sees the first word of the next player's hand."""

    def observe(self, state, player):
        seen = super().observe(state, player)
        hands = jnp.stack([hand.words[0] for hand in state.hands])
        return dataclasses.replace(seen, points=seen.points ^ (hands[(player + 1) & 3] & 1))


class LeakyMask(Openings):
    """A player may push only if the partner holds the lowest card."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        partner = jnp.stack([hand.words[0] for hand in state.hands])[(state.current_player + 2) & 3]
        banned = (state.num_calls == 0) & (partner & 1 == 0)
        words = [
            legal.words[0],
            jnp.where(banned, legal.words[1] & ~jnp.uint32(1 << 24), legal.words[1]),
        ]
        return ActionSet(legal.layout, words)


class Peeking(LeakyObservation):
    """Sees hidden cards, and keeps them where they are when it deals anew."""

    def determinize(self, key, state, player):
        return state


class MovesOwnCards(Jass):
    """Deals the player's own cards anew as well."""

    def determinize(self, key, state, player):
        hands = self.init(key).hands
        return dataclasses.replace(state, hands=hands)


class ReadsHiddenCards(Openings):
    """What is dealt anew depends on the hidden cards."""

    def determinize(self, key, state, player):
        word = state.hands[0].words[0] ^ state.hands[1].words[0]
        return super().determinize(jax.random.fold_in(key, word), state, player)


class EndsTheDeal(Jass):
    """What is dealt anew is over."""

    def determinize(self, key, state, player):
        return dataclasses.replace(state, num_played=jnp.uint32(36))


@pytest.mark.parametrize("cls", [LeakyObservation, LeakyMask])
def test_observations_hide_can_fail(cls):
    fails(
        testing.check_observations_hide, broken(cls), openings(), match="hidden cards show", number=128
    )


def test_play_hides_can_fail():
    fails(testing.check_play_hides, broken(LeakyObservation), match=r"show in observation\.points")
    fails(testing.check_play_hides, broken(LeakyMask), match="show in the legal set")
    # A leak that the game's own determinization does not bring to light.
    fails(testing.check_play_hides, broken(Peeking), match=r"show in observation\.points")


@pytest.mark.parametrize(
    "cls, why",
    [
        (MovesOwnCards, "determinize changes the player's own hand|in no place"),
        (ReadsHiddenCards, "reads what the player does not see"),
        (EndsTheDeal, "ends a deal that goes on"),
        (Peeking, "moves no card"),
    ],
)
def test_determinize_can_fail(cls, why):
    fails(testing.check_determinize, broken(cls), openings(), match=why, number=64)


class OtherName(Jass):
    """Two actions have one name."""

    def action_to_string(self, action):
        return super().action_to_string(min(action, 41))


class TakesAnyName(Jass):
    """Every text is an action."""

    def string_to_action(self, text):
        try:
            return super().string_to_action(text)
        except UserError:
            return 0


class StrayFeatures(Jass):
    """The words of features have bits beyond the last feature."""

    def feature_words(self, observation):
        return super().feature_words(observation) | jnp.uint32(1 << 31)


class RelabelsPlays(Jass):
    """Moves every card by one and does not come back."""

    def relabel_action(self, observation, action):
        return ((action + 1) % self.num_actions).astype(jnp.int32)


class RelabelsSetsOnly(Jass):
    """Translates legal sets but not actions."""

    def relabel_action(self, observation, action):
        return action.astype(jnp.int32)


class Unchecked(Jass):
    """Takes any action."""

    def checked_step(self, state, action):
        number = action if isinstance(action, int) else self.string_to_action(action)
        return self.step(state, jnp.int32(number))


def test_words_and_features_can_fail():
    fails(testing.check_action_names, broken(OtherName), match="two actions have the same name")
    fails(testing.check_action_names, broken(TakesAnyName), match="of no action is taken")
    fails(testing.check_features, broken(StrayFeatures), deals(), match="bits beyond its")
    fails(testing.check_relabelling, broken(RelabelsPlays), deals(), match="not its own inverse")
    fails(testing.check_relabelling, broken(RelabelsSetsOnly), deals(), match="disagree")
    fails(testing.check_checked_step, broken(Unchecked), deals(), match="takes action")


class FloatLeaf(Jass):
    """A leaf of the state is a float."""

    def init(self, key):
        return dataclasses.replace(super().init(key), points=jnp.float32(0))


class ArrayLeaf(Jass):
    """A leaf of the state is an array."""

    def init(self, key):
        return dataclasses.replace(super().init(key), points=jnp.zeros(4, jnp.uint32))


class WeakLeaf(Jass):
    """A leaf of the state has a weak type."""

    def init(self, key):
        return dataclasses.replace(super().init(key), voids=jnp.asarray(0))


class DriftingStep(Jass):
    """A step changes the dtype of a leaf."""

    def step(self, state, action):
        after = super().step(state, action)
        return dataclasses.replace(after, num_calls=after.num_calls.astype(jnp.int32))


@pytest.mark.parametrize(
    "cls, why",
    [
        (FloatLeaf, "float32"),
        (ArrayLeaf, "no scalar"),
        (WeakLeaf, "weak type"),
        (DriftingStep, "step changes shapes or dtypes"),
    ],
)
def test_state_leaves_can_fail(cls, why):
    fails(testing.check_state_leaves, broken(cls), deals(), match=why)


def test_size_budget_and_compilation_can_fail():
    game = Jass(RULES, "broken")
    fails(testing.check_state_leaves, game, deals(), match="bytes, more than 64", state_bytes=64)
    fails(testing.check_jaxpr_budget, game, {"step": 100}, match="step has .* more than 100")
    fails(testing.check_jaxpr_budget, game, {"stpe": 100}, match="a budget for stpe")
    fails(testing.check_compiles_once, broken(DriftingStep), match="step was traced 2 times")


class EqualToNone(Jass):
    """Equal games have different hashes."""

    def __hash__(self):
        return id(self)


class TakesAnyDeck(Jass):
    """A deck may be anything."""

    def init_from_deck(self, deck, dealer, **more):
        if isinstance(deck, jax.core.Tracer):
            return super().init_from_deck(deck, dealer, **more)
        deck = deck if len(set(deck.tolist())) == 36 else jnp.arange(36)
        return super().init_from_deck(deck, dealer, **more)


class UnevenDealer(Jass):
    """Seat 0 never deals."""

    def init(self, key):
        state = super().init(key)
        dealer = jnp.maximum(state.dealer, 1)
        player = ((dealer.astype(jnp.int32) + 1) & 3).astype(jnp.int32)
        return dataclasses.replace(state, dealer=dealer, current_player=player)


class SortedDeal(Jass):
    """Everybody gets a suit."""

    def init(self, key):
        return super().init_from_deck(jnp.arange(36), super().init(key).dealer)


class KindToOne(Jass):
    """The holder of the lowest card and seat 0 exchange hands half of the time."""

    def init(self, key):
        state = super().init(key)
        first, second = state.hands[:2]
        swap = (second.words[0] & 1 == 1) & jax.random.bernoulli(key)
        hands = (cards.select(swap, second, first), cards.select(swap, first, second))
        return dataclasses.replace(state, hands=(*hands, *state.hands[2:]))


class Suits(Jass):
    """The two lowest cards stay together: every card is fair, two of them are not."""

    def init(self, key):
        state = super().init(key)
        two = jnp.uint32(3)
        owner = [hand.words[0] & 1 == 1 for hand in state.hands]
        words = [
            (jnp.where(mine, hand.words[0] | two, hand.words[0] & ~two), hand.words[1])
            for mine, hand in zip(owner, state.hands, strict=True)
        ]
        hands = tuple(CardSet(self.deck, pair) for pair in words)
        return dataclasses.replace(state, hands=hands)


class Unbatched(Jass):
    """Looks at the rank of its input: a batch and a single deal differ."""

    def points(self, state):
        batched = not isinstance(state.points, jax.core.Tracer)
        return super().points(state) + int(batched)


def test_form_can_fail():
    fails(testing.check_hashable, broken(EqualToNone), match="different hashes")
    fails(testing.check_init_from_deck, broken(TakesAnyDeck), match="takes a deck with a card twice")
    fails(testing.check_same_in_batches, broken(Unbatched), deals(), match="not compiled")


@pytest.mark.parametrize(
    "cls, why",
    [
        (UnevenDealer, "some seats begin more often"),
        (SortedDeal, "two cards come together"),
        (KindToOne, "not equally likely"),
        (Suits, "two cards come together"),
    ],
)
def test_deals_are_uniform_can_fail(cls, why):
    fails(testing.check_deals_are_uniform, broken(cls), match=why, num_deals=1000)


def test_an_error_inside_of_a_game_names_the_check():
    class Raises(Jass):
        def points(self, state):
            raise TypeError("no points today")

    fails(testing.check_scores, Raises(RULES, "broken"), deals(), match="TypeError: no points today")
