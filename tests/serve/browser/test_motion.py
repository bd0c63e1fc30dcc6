"""Cards in motion, frame by frame: only new cards move, and a chosen card answers at once."""

import random

import pytest

from serve.browser.table import click, over, sit
from serve.running import Running, quick_settings

pytestmark = pytest.mark.web

# Keeps, for each frame, the cards on the felt: key -> opacity, middle, and whether the card moves.
_WATCH = """() => {
  window.frames_ = [];
  const look = () => {
    const cards = {};
    for (const card of document.querySelectorAll(".trick .played")) {
      const box = card.getBoundingClientRect();
      const middle = [box.left + box.width / 2, box.top + box.height / 2];
      const moves = card.getAnimations().some((animation) => animation.playState === "running");
      cards[card.dataset.play] = [Number(getComputedStyle(card).opacity), ...middle, moves];
    }
    const gathered = Boolean(document.querySelector(".gathered"));
    window.frames_.push({cards, gathered});
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# Clicks on a card, and tells where it is two frames later.
_CLICK = """async (action) => {
  const card = document.querySelector(`.hand [data-action='${action}']`);
  const face = card.dataset.face;
  card.click();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const there = (where) => Boolean(document.querySelector(`${where} [data-face='${face}']`));
  return {hand: there(".hand"), trick: there(".trick")};
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return a server at a table's pace."""
    file = tmp_path_factory.mktemp("motion") / "tables.sqlite"
    with Running(quick_settings(file, trick_stays=0.8, pause=0.15)) as running:
        yield running


def until_cards(page):
    """Make calls until a card of the hand can be played."""
    source = random.Random(0)
    for _ in range(40):
        page.wait_for_selector("#next, main:not(.sent) .status.mine")
        if page.query_selector(".hand .legal") and not page.query_selector(".choices .call"):
            return
        assert not over(page)
        click(page, source)
        page.wait_for_timeout(100)
    raise AssertionError("no card can be played")


def lead(page):
    """Play cards until this player leads to a trick, and return while the last one still lies."""
    for _ in range(30):
        page.wait_for_selector("#next, main:not(.sent) .hand .legal")
        if over(page):
            page.click("#next")
            page.wait_for_selector("#next", state="detached")
            until_cards(page)
        if page.query_selector(".trick .played.winner"):
            return
        page.click(".hand .legal")
        page.wait_for_function("() => !document.querySelector('main.sent')")
    raise AssertionError("this player never wins a trick")


def test_cards_that_lie_on_the_table_neither_fade_nor_move(window):
    page = window()
    sit(page, "jass/schieber_1000")
    until_cards(page)
    page.evaluate(_WATCH)
    for _ in range(3):
        page.click(".hand .legal")
        page.wait_for_timeout(400)
        page.wait_for_selector("#next, main:not(.sent) .hand .legal")
    frames = page.evaluate("window.frames_")
    seen = {}
    for frame in frames:
        if frame["gathered"]:
            continue
        for key, (opacity, *middle, moves) in frame["cards"].items():
            assert opacity == 1, (key, opacity)
            if key in seen or not moves:
                assert not moves and middle == pytest.approx(seen.setdefault(key, middle), abs=0.5), key
    assert len(seen) >= 8


def test_a_complete_trick_is_named_and_moves_to_its_winner(window):
    page = window()
    sit(page, "jass/schieber_1000")
    until_cards(page)
    page.evaluate(_WATCH)
    page.click(".hand .legal")
    page.wait_for_selector(".trick .played.winner")
    assert "trick" in page.inner_text(".status")
    plate = page.query_selector(".plate.winner").bounding_box()
    winner = plate["x"] + plate["width"] / 2, plate["y"] + plate["height"] / 2
    page.wait_for_selector(".gathered")
    page.wait_for_timeout(500)
    gathered = [frame["cards"] for frame in page.evaluate("window.frames_") if frame["gathered"]]
    first, last = gathered[0], gathered[-1]

    def far(card):
        return abs(card[1] - winner[0]) + abs(card[2] - winner[1])

    assert len(first) == 4 and all(last[key][0] < 1 for key in last)
    assert sum(map(far, last.values())) < sum(map(far, first.values()))


def test_a_chosen_card_lies_on_the_table_before_the_server_answers(window):
    page = window()
    sit(page, "jass/schieber_1000")
    until_cards(page)
    page.route("**/actions", lambda route: None)  # no answer
    action = page.get_attribute(".hand .legal", "data-action")
    assert page.evaluate(_CLICK, action) == {"hand": False, "trick": True}


def test_a_refused_card_comes_back(window):
    page = window()
    sit(page, "jass/schieber_1000")
    until_cards(page)
    answer = {"status": 409, "json": {"error": "another action is being played"}}
    page.route("**/actions", lambda route: route.fulfill(**answer))
    before = len(page.query_selector_all(".hand .card"))
    page.click(".hand .legal")
    page.wait_for_selector("#toast:has-text('another action')")
    assert len(page.query_selector_all(".hand .card")) == before
    window.errors.clear()  # Chromium reports the answer as an error of the page


def test_the_winner_may_lead_while_the_trick_still_lies(window):
    page = window()
    sit(page, "jass/schieber_1000", seats=["you", "random", "random", "random"])
    until_cards(page)
    lead(page)
    action = page.get_attribute(".hand .legal", "data-action")
    assert page.evaluate(_CLICK, action) == {"hand": False, "trick": True}
    page.wait_for_function("() => document.querySelectorAll('.trick .played').length > 1")


def test_nothing_moves_where_motion_is_reduced(window):
    page = window(reduced_motion="reduce")
    sit(page, "jass/schieber_1000")
    until_cards(page)
    page.evaluate(_WATCH)
    page.click(".hand .legal")
    page.wait_for_selector(".trick .played.winner")
    page.wait_for_timeout(1000)
    places = {}
    for frame in page.evaluate("window.frames_"):
        for key, (*card, moves) in frame["cards"].items():
            still = frame["gathered"] or places.setdefault(key, card) == pytest.approx(card)
            assert still and not moves
    assert places
