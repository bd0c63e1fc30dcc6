"""Pictures of a table: all that a player sees is in them, nothing else, and nothing from elsewhere."""

import dataclasses
import re
from xml.etree import ElementTree

import jax
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards.pictures import cards, layout, words
from jaxcards.pictures.svg import draw
from jaxcards.view.structure import Choice, Meld, Pile, Play, Score, Seat, Trick, View
from jaxcards.view.text import Text

FACES = tuple(suit + rank for suit in "♣♦♥♠" for rank in ("9", "10", "J", "Q", "K", "A")) + ("JK",)
SVG = "{http://www.w3.org/2000/svg}"


def seat(number, hand=None, **more):
    size = 5 if hand is None else len(hand)
    return Seat(number, number, Text(f"player {number}"), size, hand, **more)


def table(**more):
    """Four players; player 2 looks, and is to follow player 1."""
    seats = (
        seat(0, roles=(Text("role.declarer"),), calls=(Text("said.name", suit="♥"),), tricks=1),
        seat(1, melds=(Meld(Text("meld.four.J"), 200),)),
        seat(2, (0, 7, 13, 24)),
        seat(3, calls=(Text("said.pass"),)),
    )
    facts = (Text("fact.contract", bid=Text("100 ♥")), Text("fact.stakes", times=2))
    usual = View(
        "some game", FACES, 2, seats, 2, 3, Text("ask.play"), Text("mode.suit", suit="♥"), "♥", facts,
        trick=Trick((Play(1, 20),)),
        last_trick=Trick((Play(0, 1), Play(1, 2), Play(2, 3), Play(3, 4)), 0),
        piles=(Pile(Text("pile.blind"), (None, None)),),
        scores=(Score((0, 2), 33, 120), Score((1, 3), 12, 80)),
        choices=(
            *(
                Choice(card, Text("do.play", card=card), "play", card, reason)
                for card, reason in ((0, None), (7, Text("no")), (13, None), (24, None))
            ),
        ),
    )  # fmt: skip
    return dataclasses.replace(usual, **more)


def parsed(svg):
    return ElementTree.fromstring(svg)


def texts(svg):
    """Return all words of a picture: lines of text, and the labels that replace others."""
    root = parsed(svg)
    labels = [e.get("aria-label") for e in root.iter() if e.get("aria-label")]
    return " | ".join([*labels, *("".join(e.itertext()) for e in root.iter(f"{SVG}text"))])


def drawn_cards(svg):
    return [int(e.get("data-card")) for e in parsed(svg).iter() if e.get("data-card")]


def test_everything_on_the_table_is_in_the_picture():
    said = texts(draw(table()))
    for word in (
        "player 0", "player 3", "declarer", "hearts", "contract: 100 hearts", "stakes: 2 times",
        "four jacks: 200", "blind", "33 pts, total 120", "12 pts, total 80", "dealer", "passed",
        "Your turn: play a card", "led", "1 trick", "clubs 9", "J O K E R".split()[0],
    ):  # fmt: skip
        assert word in said, word


def test_cards_have_numbers_and_forbidden_ones_a_veil():
    picture = draw(table())
    assert sorted(drawn_cards(picture)) == [0, 7, 13, 20, 24]
    veiled = [
        int(e.get("data-card"))
        for e in parsed(picture).iter(f"{SVG}g")
        if e.get("data-card") and any(r.get("fill-opacity") == ".42" for r in e.iter(f"{SVG}rect"))
    ]
    assert veiled == [7]


def test_backs_stand_for_cards_that_are_not_known():
    picture = draw(table())
    backs = [e for e in parsed(picture).iter(f"{SVG}g") if e.get("aria-label") == "a card face down"]
    assert len(backs) == 15 + 2


def test_a_card_face_down_in_a_trick():
    picture = draw(table(trick=Trick((Play(1, None),))))
    assert 20 not in drawn_cards(picture) and "player 1 played a card face down" in picture


def test_between_tricks_the_last_one_is_shown_with_its_winner():
    picture = draw(table(trick=Trick(())))
    assert "player 0 won this trick" in texts(picture) and sorted(drawn_cards(picture))[1:5] == [
        1,
        2,
        3,
        4,
    ]


def test_calls_can_be_read_and_forbidden_ones_are_grey():
    no = {2: Text("no")}
    calls = tuple(
        Choice(30 + n, Text("do.bid", number=n), "bid", forbidden=no.get(n)) for n in range(20)
    )
    picture = draw(table(choices=calls, trick=Trick(()), last_trick=None))
    said = texts(picture)
    assert "bid 0" in said and "bid 13" in said and "6 more" in said and "bid 14" not in said
    assert picture.count('fill-opacity=".35"') == 2  # the forbidden bid, and "6 more"


def test_at_the_end_the_result_is_shown():
    over = table(to_act=None, choices=(), result=(Text("player 0 wins by ♥"),))
    over = dataclasses.replace(over, scores=(Score((0, 2), 33, 127, 7), Score((1, 3), 12, 73, -7)))
    said = texts(draw(over))
    assert "player 0 wins by hearts" in said and "Your turn" not in said
    assert "+7, total 127" in said and "-7, total 73" in said


@pytest.mark.parametrize(
    "trump, sentence",
    [
        (Text("mode.suit", suit="♦"), "Diamonds are trumps."),
        (Text("mode.fixed", suit="♠"), "Spades are trumps."),
        (Text("mode.sheepshead", suit="♦"), "Trumps: diamonds, queens and jacks."),
        (Text("mode.no_trump"), "No trump."),
        (Text("mode.obenabe"), "Obenabe."),
        (Text("trump.none"), "Trumps: not named yet."),
        (None, "player "),
    ],
)
def test_a_screen_reader_hears_a_sentence_about_trumps(trump, sentence):
    picture = draw(table(trump=trump, trump_suit=""))
    assert parsed(picture).find(f"{SVG}desc").text.startswith(sentence)
    assert "trumps: no" not in "".join(texts(picture)) or "not named" in sentence


def test_nothing_comes_from_elsewhere():
    picture = draw(table(facts=(Text('<script>alert("&")</script>'),)))
    assert "<script" not in picture and "&lt;script" in picture
    links = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', picture)
    assert links and all((a or b).startswith("#") for a, b in links)
    assert set(re.findall(r"https?://[^\"]*", picture)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in picture and "@font-face" not in picture


def test_ids_are_unique_within_a_picture_and_among_pictures():
    pictures = [draw(table()), draw(table(to_act=1, choices=()))]
    ids = [e.get("id") for p in pictures for e in parsed(p).iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    root = parsed(pictures[0])
    named = root.get("aria-labelledby").split()
    assert root.get("role") == "img" and set(named) <= set(ids)
    assert draw(table()) == pictures[0]


def test_a_notebook_shows_a_picture():
    picture = draw(table())
    assert picture._repr_html_() == picture and isinstance(picture, str)


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("which", [layout.ONE_HAND, layout.OPEN])
def test_plates_lie_within_the_picture_and_apart(which, number):
    found = which.places(number, 1)
    wide, high = layout.PLATE
    for place in found:
        assert wide / 2 <= place.x <= layout.WIDTH - wide / 2
        assert layout.HEADER + high / 2 < place.y < layout.HEIGHT - high / 2
    for i, a in enumerate(found):
        for b in found[:i]:
            assert abs(a.x - b.x) >= wide or abs(a.y - b.y) >= high


@pytest.mark.parametrize("number", range(1, 18))
def test_a_hand_fits_into_its_room(number):
    start, step = layout.spread(number, 70, 300)
    assert start * 2 + step * (number - 1) + 70 == pytest.approx(0)
    assert step * (number - 1) + 70 <= 300.01


def test_words_are_cut_to_their_room():
    assert words.fitted("short", 10, 100) == "short"
    cut = words.fitted("a long line of words", 10, 60)
    assert cut.endswith("…") and words.width(cut, 10) <= 60
    assert words.spoken("bid ♥10 or ♠") == "bid hearts 10 or spades"


def test_every_card_has_its_pips():
    for face in FACES[:-1]:
        picture = cards.card(face, 0, 0, id="x")
        number = 2 + {"9": 9, "10": 10}.get(face[1:], 1)
        assert picture.count("<use ") == number, face


@pytest.mark.parametrize("id", by_cost(["jass", "sheepshead"], {"jass"}))
def test_a_picture_of_a_game_has_no_card_that_its_player_may_not_see(id):
    game = jaxcards.make(id)
    state = game.init(jax.random.key(1))
    for player in range(game.num_players):
        known = game.observe(state, player).hand.to_list()
        assert sorted(drawn_cards(game.to_svg(state, player))) == known
    assert len(drawn_cards(game.to_svg(state))) >= game.num_players * len(known)
