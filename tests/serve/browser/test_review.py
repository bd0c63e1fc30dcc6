"""The review of a deal; what the keyboard and a screen reader meet; and a browser that goes offline."""

import itertools
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from jaxcards.view.text import Text, render
from serve.browser.reviewing import count_costs, made_up_costs, review
from serve.browser.table import over, sit

pytestmark = pytest.mark.web

# The cards of the trick that the review shows: seat -> [card, middle].
_TRICK = """() => Object.fromEntries([...document.querySelectorAll("dialog .played")].map((card) => {
  const [, seat, number] = card.dataset.play.split(" ");
  const box = card.getBoundingClientRect();
  return [seat, [Number(number), box.left + box.width / 2, box.top + box.height / 2]];
}))"""
_PILES = """() => [...document.querySelectorAll("dialog .pile")].map((pile) =>
  [...pile.children].map((card) => card.getBoundingClientRect().left))"""
_FOCUS = """() => ["body", "dialog", ".ending", ".choices", ".hand", ".felt"].find((where, n, all) =>
  document.activeElement.matches(n ? `${where}, ${where} *` : where))"""


def place(page):
    return page.inner_text(".review-steps .number")


def test_arrow_keys_show_each_trick_where_it_lay_with_all_hands_open(window, server):
    page = window(reduced_motion="reduce")
    found = review(page, server, "euchre/standard", 4)
    number, complete = len(found["moves"]), 0
    page.keyboard.press("ArrowLeft")
    piles = [pile for pile in page.evaluate(_PILES) if len(pile) > 1]
    gaps = [right - left for pile in piles for left, right in itertools.pairwise(pile)]
    assert gaps and min(gaps) > 20, "each card of a pile is seen"
    for n, view in enumerate(found["views"]):
        assert place(page) == f"{n} / {number}"
        trick = view["trick"] if view["trick"]["plays"] else view["last_trick"]
        plays = {str(play["seat"]): play["card"] for play in trick["plays"]} if trick else {}
        shown = page.evaluate(_TRICK)
        assert {seat: card for seat, (card, *_) in shown.items()} == plays
        hands = page.locator("dialog .open .card").count()
        assert hands == sum(len(seat["hand"]) for seat in view["seats"])
        assert str(view["scores"][1]["points"]) in page.inner_text("dialog .counts")
        said = page.inner_text(".review-move")
        if trick and not view["trick"]["plays"]:
            names = [Text(seat["name"]["key"], **seat["name"]["args"]) for seat in view["seats"]]
            assert render(Text("log.wins", seat=trick["winner"]), (), names) in said
            assert page.locator("dialog .played.winner").count() == 1
            across = sorted(shown, key=lambda seat: shown[seat][1])
            down = sorted(shown, key=lambda seat: shown[seat][2])
            # Clockwise from below: this player, left, across, right.
            assert (across[0], across[-1], down[0], down[-1]) == ("1", "3", "2", "0")
            complete += 1
        if n < number:
            assert ("made" in page.inner_html("dialog .felt")) == bool(choice_card(view, found, n))
        page.keyboard.press("ArrowRight")
    assert complete >= 5 and place(page) == f"{number} / {number}"
    result = page.inner_text(".review-move h2")
    assert {"won": "won", "lost": "lost"}.get(found["outcome"], "level") in result
    page.keyboard.press("Home")
    assert place(page) == f"0 / {number}"
    page.keyboard.press("End")
    assert place(page) == f"{number} / {number}"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def choice_card(view, found, n):
    """Return whether the card of a move is in the hand of its player."""
    action = found["moves"][n]["action"]
    card = next(choice["card"] for choice in view["choices"] if choice["action"] == action)
    hand = next(seat["hand"] for seat in view["seats"] if seat["seat"] == view["to_act"])
    return card in hand


def test_the_costliest_moves_come_first_and_lead_to_the_better_card(window, server):
    page = window()
    found = review(page, server, "euchre/standard", 4)
    count_costs(page, found, lambda: page.wait_for_selector("text=5 of 10 moves"))
    costly = [move for move in made_up_costs(found)["moves"] if move["cost"] > 2 * 0.5]
    costly.sort(key=lambda move: -move["cost"])
    listed = page.query_selector_all("[data-move]")
    numbers = [int(one.get_attribute("data-move")) for one in listed]
    assert numbers == [move["number"] for move in costly] and len(numbers) > 3
    last = next(m for m in costly if found["views"][m["number"]]["trick"]["plays"])
    page.click(f"[data-move='{last['number']}']")
    assert place(page).startswith(f"{last['number']} / ")
    assert page.get_attribute("[aria-current]", "data-move") == str(last["number"])
    view = found["views"][last["number"]]
    cards = {choice["action"]: choice["card"] for choice in view["choices"]}
    for style, action in (("made", last["played"]), ("better", last["choice"])):
        shown = page.get_attribute(f"dialog .plate.acting .{style}", "data-face")
        assert shown == view["faces"][cards[action]]
    played, choice = (view["faces"][cards[last[part]]] for part in ("played", "choice"))
    said, cost = page.inner_text(".review-worth").replace("\ufe0e", ""), f"{last['cost']:.1f} ± 0.5"
    verdict = f"the expert would have chosen it after 4 deals played out, {cost} points better"
    assert f"{choice}: {verdict} than {played}" in said
    assert f"points, compared with {choice}" in said
    rows = page.locator(".worths tbody tr").all_inner_texts()
    rows = [row.replace("\ufe0e", "") for row in rows]
    assert rows[0].split() == [choice, rows[0].split()[1], "%", "–"], "the choice comes first"
    assert [f"-{cost}" in row for row in rows if row.startswith(played)] == [True]
    assert len(rows) == 2 or "-0.3 ± 0.5" in rows[-2] + rows[-1], "rounded as in the list"
    weight = "getComputedStyle(document.querySelector('.worths .mine td')).fontWeight"
    assert page.evaluate(weight) == "700", "the played action stands out"
    heading = page.inner_text(".review-costs h3")
    chosen = "the choice of the expert after 4 deals played out"
    assert heading == f"Costliest moves, compared with {chosen}"
    assert "Anna" not in page.inner_text("dialog") and "you" in page.inner_text("dialog .foot .plate")
    violations = Axe().run(page).response["violations"]
    assert not [v["id"] for v in violations if v["impact"] in ("serious", "critical")]


def test_focus_stays_on_the_hand_after_a_play_and_ends_at_the_result(window):
    page = window()
    sit(page, "euchre/standard", 4)
    played = 0
    for _ in range(40):
        page.wait_for_selector("#next, main:not(.sent) .status.mine")
        if over(page):
            break
        assert page.evaluate(_FOCUS) in (".hand", ".choices")
        played += page.evaluate(_FOCUS) == ".hand"
        page.keyboard.press("Enter")
        assert page.evaluate(_FOCUS) in (".hand", ".choices", ".felt", ".ending")
    assert played == 5
    page.wait_for_selector(".ending:focus")


def test_focus_is_on_the_next_card_while_the_server_thinks(window):
    page = window()
    sit(page, "euchre/standard", 4)
    page.wait_for_selector("main:not(.sent) .status.mine")
    while page.evaluate(_FOCUS) != ".hand":
        page.keyboard.press("Enter")
        page.wait_for_selector("main:not(.sent) .status.mine")
    page.route("**/actions", lambda route: None)  # no answer
    before = page.locator(".hand .card").count()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('.hand .card')")
    assert page.locator(".hand .card").count() == before - 1


@pytest.mark.parametrize("width, height", [(1280, 800), (844, 390)])
def test_a_screen_reader_says_once_how_many_cards_a_seat_has(window, width, height):
    page = window(width, height)
    sit(page, "euchre/standard", 4)
    page.wait_for_selector(".status.mine")  # nothing moves any more; some may have played a card
    plates = page.locator(".others .plate")
    assert plates.count() == 3
    for plate in plates.all():
        heard = plate.aria_snapshot()
        assert len(re.findall("[45] cards", heard)) == 1 and "face down" not in heard, heard


def test_a_page_that_is_offline_says_so_and_goes_on_by_itself(window):
    page = window()
    page.clock.install()
    sit(page, "euchre/standard", 4)
    page.wait_for_selector(".status.mine")
    page.context.set_offline(True)
    page.wait_for_selector("main.lost")
    page.keyboard.press("Enter")
    page.wait_for_selector("main:not(.sent) [data-action]")
    page.clock.fast_forward(6000)
    assert "You are offline" in page.inner_text("#toast.shown")
    page.context.set_offline(False)
    page.wait_for_selector("main:not(.lost)")
    page.wait_for_selector("#toast:not(.shown)", state="attached")
    before = page.evaluate("document.querySelector('.log').children.length")
    page.keyboard.press("Enter")
    page.wait_for_function("(n) => document.querySelector('.log').children.length > n", arg=before)
    window.errors.clear()  # Chromium reports requests that fail as errors of the page
