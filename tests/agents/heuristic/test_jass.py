"""The rule-based Jass player: always legal, honest, sensible at the table, far better than chance."""

import functools
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agents.heuristic.tables import against_random, check_acts_on_nothing_but_the_observation, interval

import jaxcards
from jaxcards.agents.heuristic.jass import playing
from jaxcards.agents.heuristic.jass import view as jass_view
from jaxcards.agents.players import PLAYERS, make_player
from jaxcards.cards.sets import CardSet
from jaxcards.errors import UserError
from jaxcards.games.jass.deck import DECK
from jaxcards.games.jass.rules import PRESETS
from jaxcards.testing.deals import quick_jit

DEALS = 1024
PUSH = 42


# Each has programs of its own to compile, and their players differ in little.
PRESETS_BY_COST = [
    preset
    if preset in ("schieber_1000", "differenzler")
    else pytest.param(preset, marks=pytest.mark.slow)
    for preset in PRESETS
]


@functools.cache
def played(preset: str):
    """Returns of the rule-based player (0) against random (1), and whether every action was legal.

    float[DEALS, 3, 4] and bool[DEALS, 3]: the same deals as seats 0 and 2, as 1 and 3, and as all four.
    """
    seatings = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0]]
    return against_random(jaxcards.make(f"jass/{preset}"), seatings, DEALS)


@pytest.mark.parametrize("preset", PRESETS_BY_COST)
def test_is_legal_and_beats_random_play_on_duplicate_deals(preset):
    returns, legal, ended = played(preset)
    assert legal.all() and ended.all()
    if preset == "differenzler":  # its points are differences: see below
        return
    # Both seatings of a deal: what is won with the same cards by playing better.
    mean, width = interval((returns[:, 0, 0] - returns[:, 1, 0]) / 2)
    assert mean - width > 70, f"{mean:.1f} ± {width:.1f} points per deal"


def test_predicts_far_better_than_chance():
    returns, _, _ = played("differenzler")
    rules = -returns[:, 0, [0, 2]].mean()
    chance = -returns[:, 0, [1, 3]].mean()
    assert rules < 18 < 45 < chance
    assert -returns[:, 2].mean() < 16


# ---- Honesty ------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["schieber_1000", "differenzler"])
def test_acts_on_nothing_but_the_observation(preset):
    check_acts_on_nothing_but_the_observation(jaxcards.make(f"jass/{preset}"), 512, least=150)


# ---- At the table -------------------------------------------------------------------------------


@functools.cache
def table(preset: str):
    """Compiled: the state after some calls and cards, whether they were legal, and the answer."""
    game = jaxcards.make(f"jass/{preset}")
    agent = make_player("heuristic", game)
    more = {"mode": 1} if preset == "differenzler" else {}

    def replay(deck, actions):
        def step(state, action):
            ends = action < 0
            legal = game.legal_actions(state).contains(action) | ends
            after = game.step(state, action)
            return jax.tree.map(lambda a, b: jnp.where(ends, a, b), state, after), legal

        state, legal = jax.lax.scan(step, game.init_from_deck(deck, 3, **more), actions)
        seen = game.observe(state, state.current_player)
        answer = agent.act((), seen, game.legal_actions(state), jax.random.key(0))
        return state, legal.all(), answer

    return quick_jit(replay)


MOST_ACTIONS = 8


def deal(hands: dict[int, str]) -> list[int]:
    """Returns a deck in which the seats hold these cards, seat 0 first; the rest is filled up."""
    given = {seat: DECK.cards(text) for seat, text in hands.items()}
    rest = [card for card in range(36) if all(card not in cards for cards in given.values())]
    rest = [rest[i * 7 % len(rest)] for i in range(len(rest))] if len(rest) % 7 else rest
    deck = []
    for seat in range(4):
        own = given.get(seat, [])
        missing = 9 - len(own)
        deck += own + rest[:missing]
        rest = rest[missing:]
    return deck


def replayed(preset: str, hands: dict[int, str], actions: list[int | str]):
    numbers = [DECK.card(action) if isinstance(action, str) else action for action in actions]
    numbers += [-1] * (MOST_ACTIONS - len(numbers))
    state, legal, answer = table(preset)(np.array(deal(hands)), np.array(numbers, np.int32))
    assert legal, "the situation is not a legal one"
    return state, int(answer)


def answer(preset: str, hands: dict[int, str], actions: list[int | str]) -> str:
    """Returns what the player to act does after the actions, from seat 0 on."""
    _, action = replayed(preset, hands, actions)
    return DECK.name(action) if action < 36 else str(action)


@pytest.mark.parametrize(
    "preset, hand, pushed, action",
    [
        ("schieber_1000", "Jd 9d Ad 8d 6d Ac Ah 7s 6s", False, 36),
        ("schieber_1000", "Js 9s As Ks 6s Ac 7h 8h 7d", False, 39),
        ("schieber_1000", "Ad Kd Qd Ac Kc Ah Kh As 6s", False, 41),
        ("schieber_1000", "6d 7d 8d 6c 7c 6h 7h 6s As", False, 40),
        ("schieber_1000", "7d 9d Qd 8c Tc Qc 7h 9h Qs", False, PUSH),
        ("schieber_1000", "Jh 9h 7h 8c Tc Qd 7s 9s Qs", True, 38),
        ("tournament", "Jc 9c Ac 8c 6c Ad Ah 7s 6s", False, 37),
        ("tournament", "6d Td Qd 8c Tc Qc 7h Qh 7s", False, PUSH),
        ("swisslos", "Jd 9d Ad 8d Js 9s As 8s 7h", False, 39),  # spades count twice
        ("slalom", "6d 7d Kd Ad 6c Ac 6h Ah As", False, 43),
        ("slalom", "6d 7d Kd Ad 6c Ac 6h Ah 6s", False, 44),
    ],
)
def test_chooses_as_players_do(preset, hand, pushed, action):
    seat = 2 if pushed else 0
    assert answer(preset, {seat: hand}, [PUSH] if pushed else []) == str(action)


CLUBS, UNDENUFE, OBENABE = 37, 40, 41


@pytest.mark.parametrize(
    "why, hands, actions, card",
    [
        ("the ten goes into the partner's trick",
         {0: "7h Qd", 1: "Ah 8d", 2: "6h 7d", 3: "Th 9h Qh Ac"},
         [CLUBS, "7h", "Ah", "6h"], "Th"),
        ("nothing goes into the opponents' trick",
         {0: "Ah 6d", 1: "7h 8d", 2: "6h 7d", 3: "Th 9h Qh Td As 8s 7s 9s Qs"},
         [CLUBS, "Ah", "7h", "6h"], "9h"),
        ("the last player ruffs a fat trick with a small trump",
         {0: "Ah 6d", 1: "7h", 2: "Th", 3: "6c Jc 9c 7d 8d 9d Qd 7s 8s"},
         [CLUBS, "Ah", "7h", "Th"], "6c"),
        ("the partner's ace is not ruffed, a ten goes with it",
         {0: "7h", 1: "Ah", 2: "8h", 3: "6c 9c 7d 8d Td Qd 7s 8s 9s"},
         [CLUBS, "7h", "Ah", "8h"], "Td"),
        ("three empty cards are not worth the nine of trumps",
         {0: "9h", 1: "6h", 2: "8h", 3: "9c 6d 7d 8d 9d Qd 7s 8s 9s"},
         [CLUBS, "9h", "6h", "8h"], "6d"),
        ("without trumps the last player takes with the jack and keeps the ace",
         {0: "Th", 1: "7h", 2: "8h", 3: "Ah Jh 6d 7d 8d 9d 7s 8s 9s"},
         [OBENABE, "Th", "7h", "8h"], "Jh"),
        ("the side that chose draws trumps with the jack",
         {0: "Jc Ac 8c 7c 6d 8d 9h 8s 7s"}, [CLUBS], "Jc"),
        ("top-down the ace is led, not what it guards",
         {0: "Ad Qd Td 8d 7c 9h 8h 7s 6s"}, [OBENABE], "Ad"),
        ("bottom-up the six is led",
         {0: "6d 8d Td Kc Qc Ah Kh As Ks"}, [UNDENUFE], "6d"),
        ("bottom-up the partner's six gets the ten",
         {0: "7h", 1: "6h", 2: "Kh", 3: "Th Jh Qh Ac 9c Td 9d 9s Ts"},
         [UNDENUFE, "7h", "6h", "Kh"], "Th"),
    ],
)  # fmt: skip
def test_plays_as_players_do(why, hands, actions, card):
    assert answer("tournament", hands, actions) == card, why


def test_differenzler_predicts_more_with_a_better_hand():
    poor = answer("differenzler", {0: "6c 7d 8d 9d 7h 8h 9h 7s 8s"}, [])
    rich = answer("differenzler", {0: "Jc 9c Ac Kc 7c Ad Ah Kh 8s"}, [])
    assert int(poor) - 36 < 20 < 80 < int(rich) - 36


# ---- The parts ----------------------------------------------------------------------------------


def test_the_view_sorts_by_strength_and_back():
    game = jaxcards.make("jass/tournament")

    @quick_jit
    @jax.vmap
    def view(mode):
        state = game.step(game.init_from_deck(np.arange(36), 3), mode)
        seen = game.observe(state, jnp.int32(0))
        view = jass_view.view_of(seen, seen.hand)
        order = jax.vmap(lambda i: jass_view.to_card(view, i))(jnp.arange(36))
        return view.hand.mask(), order

    hands, orders = (np.asarray(values) for values in view(jnp.arange(36, 42)))
    for mode, hand, order in zip(range(36, 42), hands, orders, strict=True):
        assert sorted(order[hand].tolist()) == list(range(9))
        for suit in range(4):
            ranks = "".join(DECK.name(card)[0] for card in order[9 * suit : 9 * suit + 9].tolist())
            up = "AKQJT9876" if mode == UNDENUFE else "6789TJQKA"
            assert ranks == ("678TQKA9J" if suit == mode - 36 else up)


def test_own_top_cards_are_those_that_nobody_beats():
    game = jaxcards.make("jass/tournament")

    @quick_jit
    @jax.vmap
    def tops(deck):
        state = game.step(game.init_from_deck(deck, 3), jnp.int32(OBENABE))
        seen = game.observe(state, jnp.int32(0))
        return playing.top_cards(jass_view.view_of(seen, seen.hand)).mask()

    rng = np.random.default_rng(0)
    decks = np.stack([rng.permutation(36) for _ in range(200)])
    for deck, found in zip(decks, np.asarray(tops(decks)), strict=True):
        hand = set(deck[:9].tolist())
        own = [c for c in hand if all(d in hand for d in range(c + 1, 9 * (c // 9) + 9))]
        assert np.flatnonzero(found).tolist() == sorted(own)


def test_suits_led_are_found_in_the_history():
    game = jaxcards.make("jass/tournament")
    hands = {0: "Ah Kd", 1: "7h 8d", 2: "6h 7d", 3: "8h 9d"}
    state, _ = replayed("tournament", hands, [OBENABE, "Ah", "7h", "6h", "8h", "Kd"])

    @quick_jit
    def led(state):
        seen = game.observe(state, jnp.int32(1))
        return [jass_view.suits_led(seen, jnp.uint32(s), jnp.uint32(0)) for s in range(4)]

    assert [int(word) for word in led(state)] == [0b0101, 0, 0, 0]


def test_players_by_name():
    game = jaxcards.make("jass")
    assert set(PLAYERS) == {"random", "heuristic"}
    assert make_player("heuristic", game) == make_player("heuristic", jaxcards.make("jass"))
    assert hash(make_player("random", game)) == hash(make_player("random", game))
    assert make_player("rules", game) == make_player("heuristic", game)  # its name before
    with pytest.raises(UserError, match="unknown player 'heuristics'; did you mean 'heuristic'"):
        make_player("heuristics", game)

    class Other:
        name = "other"

    with pytest.raises(UserError, match="other has no heuristic player"):
        make_player("heuristic", Other())


def test_lanes_of_a_set():
    cards = CardSet.of(DECK, [0, 17, 18, 35])
    assert np.flatnonzero(np.asarray(jass_view.lanes(cards))).tolist() == [0, 17, 18, 35]


def test_names_of_players_need_no_jax():
    code = "import sys, jaxcards.agents.players; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
