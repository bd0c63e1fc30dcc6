"""The page in Chromium: deals of every game by clicking, and all that a player can run into."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from serve.browser.languages import english_words
from serve.browser.table import GAMES, click, over, phase, play_deal, sit, speak

pytestmark = pytest.mark.web


def heading(page):
    return page.inner_text(".ending h2")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal_by_clicking_in_german_has_no_english_word(window, game):
    page, asked, found = window(), set(), set()
    page.goto("/")
    page.select_option("header select", "de")
    page.wait_for_selector("html[lang=de]", state="attached")
    sit(page, game)

    def see(phase):
        asked.add(phase)
        found.update(english_words(page, "de"))

    play_deal(page, see=see)
    assert not found | english_words(page, "de")
    page.select_option("header select", "en")
    page.wait_for_selector("html[lang=en] .ending")
    ends = "You (won|lost) the deal|The deal is level|You defeated the .*|The .* won|Your place: .*"
    assert asked and re.fullmatch(ends, heading(page))
    assert page.query_selector_all(".ending li, .ending td")
    page.click("#next")
    page.wait_for_selector(".status")


def test_a_match_is_chosen_and_won(window):
    page = window()
    page.goto("/")
    page.click("#game-euchre")
    page.wait_for_selector("#preset option:text-is('North American, to 10'):checked", state="attached")
    page.click("details.rules summary")
    page.fill("#rule-target", "2")
    page.press("#rule-target", "Tab")
    page.wait_for_selector("text=Single rules (1 changed)")
    page.check("#match-true")
    for seat in (1, 2, 3):
        page.select_option(f"#seat-{seat}", "heuristic")
    page.fill("#name", "Anna <script>alert(1)</script>"[:24])
    page.click(".start button.main")
    page.wait_for_selector(".felt")
    for deal in range(30):
        play_deal(page, random.Random(deal))
        if page.query_selector("#again"):
            break
        page.click("#next")
        page.wait_for_selector(".status")
    assert re.fullmatch("You (won|lost) the match", heading(page))
    totals = [int(cell.inner_text()) for cell in page.query_selector_all(".ending td:last-child")]
    assert len(totals) == 2 and max(totals) >= 2
    assert ("won" in heading(page)) == (totals[0] == max(totals))
    page.goto("/#/statistics")
    shown = page.wait_for_selector("table.score").inner_text()
    assert shown.count("Euchre, North American, to 10 (Points to win: 2)") >= 2
    assert "club player" in shown and "/" not in shown


def test_a_reload_and_a_second_window_show_the_same_seat(window, server):
    page = window()
    sit(page, "euchre/standard", 4)
    page.wait_for_selector(".status.mine, #next")

    def faces(shown):
        return [card.get_attribute("data-face") for card in shown.query_selector_all(".hand .card")]

    before = faces(page)
    second = page.context.new_page()
    second.goto(page.url)
    page.reload()
    for other in (page, second):
        other.wait_for_selector(".hand .card")
        assert before and faces(other) == before
    play_deal(page)
    second.wait_for_selector("#next")


def test_a_phone(window):
    page = window(390, 844, has_touch=True, is_mobile=True)
    for language in ("en", "de", "fr"):
        page.goto("/")
        speak(page, language)
        page.click("#game-sheepshead")
        page.wait_for_selector(f"html[lang={language}] .seats select")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, language
    speak(page, "en")
    sit(page, "sheepshead/standard_crack")
    assert re.match("Trumps: ♦.?, queens and jacks", page.inner_text(".strip"))
    play_deal(page)
    sit(page, "belote/coinche")
    page.wait_for_selector(".status.mine, #next")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for card in page.query_selector_all(".hand .card svg"):
        box = card.bounding_box()
        assert box["x"] >= -1 and box["x"] + box["width"] <= 391 and box["y"] + box["height"] <= 850


def test_the_keyboard_alone(window):
    page = window()
    sit(page, "rikiki/standard5")
    for turn in range(60):
        page.wait_for_selector("#next, main:not(.sent) .status.mine")
        if over(page):
            break
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter" if turn % 2 else "1")
        page.wait_for_timeout(60)
    assert over(page)
    page.keyboard.press("n")
    page.wait_for_selector(".status")


def test_a_hint_shows_bars_and_review_opens_all_hands(window):
    page = window()
    sit(page, "euchre/standard", 4)
    page.wait_for_selector(".status.mine")
    assert not page.query_selector(".note"), "hints are off until they are asked for"
    page.click("#hint")
    page.wait_for_selector(".note .bar", timeout=120_000)
    notes = page.query_selector_all(".note")
    assert len(notes) == len(page.query_selector_all("[data-action]"))
    assert len(page.query_selector_all(".note.best")) == 1
    page.click("#hint")
    page.wait_for_selector(".note", state="detached")
    play_deal(page)
    page.click("#review")
    page.wait_for_selector("dialog .card")
    page.click("#review-on")
    page.click("#review-why")
    page.wait_for_selector("dialog .worths")
    page.click("#review-close")


def test_a_saved_deal_is_opened_again_and_played_on(window, tmp_path):
    page = window()
    sit(page, "euchre/standard", 4)
    play_deal(page)
    with page.expect_download() as saved:
        page.click("#save")
    file = tmp_path / "deal.jsonl"
    saved.value.save_as(file)
    first = page.url
    page.click("#review")
    for _ in range(8):
        page.click("#review-on")
    page.select_option("#review-seat", "1")
    page.click("#review-play")
    page.wait_for_function("(url) => location.href !== url", arg=first)
    page.wait_for_selector(".felt")
    play_deal(page)

    file.write_text(file.read_text() * 3)
    page.goto("/#/")
    page.set_input_files("#record-file", file)
    page.fill("#record-number", "2")
    page.click("#record-open")
    page.wait_for_selector("dialog .open .card")
    assert page.inner_text("dialog").count("Anna") >= 1
    page.click("#review-close")
    page.goto("/#/")
    file.write_text("no record")
    page.set_input_files("#record-file", file)
    page.wait_for_selector("#toast:has-text('no records')")


def test_two_browsers_at_one_table(window):
    host, guest = window(), window()
    sit(host, "euchre/standard", 4, seats=["you", "heuristic", "person", "heuristic"])
    link = host.wait_for_selector(".lobby .link").input_value()
    guest.goto(link)
    guest.wait_for_selector("h1:text-is('Anna invites you to Euchre, North American, to 10')")
    guest.fill("#name", "Bea")
    guest.click("button.main")
    guest.wait_for_selector(".felt")
    host.wait_for_selector(".plate:has-text('Bea')")
    hands = [
        {card.get_attribute("data-face") for card in page.query_selector_all(".hand .card")}
        for page in (host, guest)
    ]
    assert hands[0] and hands[1] and not hands[0] & hands[1]
    source = random.Random(3)
    for _ in range(200):
        if over(host) and over(guest):
            break
        for page in (host, guest):
            if phase(page):
                click(page, source)
        host.wait_for_timeout(50)
    assert over(host) and over(guest)
    late = window()
    late.goto(link)
    late.wait_for_selector("text=This seat is taken")
    assert not late.query_selector("#name")
    window.errors.clear()  # Chromium reports the refusal as an error of the page


def test_a_forbidden_card_says_why(window):
    page = window()
    sit(page, "jass/schieber_1000")
    for _ in range(60):
        page.wait_for_selector("#next, main:not(.sent) .status.mine")
        card = page.query_selector(".hand .card.illegal")
        if card:
            card.click(force=True)
            said = page.wait_for_selector("#toast.shown").inner_text()
            assert "was led" in said or "were led" in said
            return
        if over(page):
            page.click("#next")
        else:
            click(page, random.Random(0))
            page.wait_for_timeout(80)
    raise AssertionError("no card was ever forbidden")


def test_axe_finds_what_is_wrong(window):
    page = window()
    page.goto("/")
    page.click("#game-jass")
    page.wait_for_selector(".setup-form .start")
    page.evaluate("document.querySelector('#name').previousSibling.remove()")
    page.evaluate("document.querySelector('#name').removeAttribute('placeholder')")
    assert "label" in [v["id"] for v in Axe().run(page).response["violations"]]


def test_cards_of_another_pack(window):
    page = window()
    page.goto("/")
    page.click("#game-jass")
    page.select_option("#pack", "swiss")
    sit(page, "jass/schieber_1000")
    page.wait_for_selector("main:not(.sent) .status.mine")
    hand = page.query_selector_all(".hand *")
    names = " ".join(card.get_attribute("aria-label") or "" for card in hand)
    assert re.search("roses|bells|shields|acorns", names) and "hearts" not in names
    assert ">B<" in page.inner_html("svg.sheet")
    play_deal(page)
    assert page.query_selector(".side .suit svg, ol .suit svg")


def test_axe_finds_nothing_serious_in_light_and_dark_colours(window):
    page = window()
    axe = Axe()
    found = {}

    def look(where):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            violations = axe.run(page).response["violations"]
            serious = [v for v in violations if v["impact"] in ("serious", "critical")]
            faults = [(v["id"], [node["html"][:160] for node in v["nodes"]]) for v in serious]
            found[where, scheme] = faults

    page.goto("/")
    page.wait_for_selector(".tile")
    look("first page")
    page.click("#game-jass")
    page.click("details.rules summary")
    look("setup")
    sit(page, "euchre/standard", seats=["you", "person", "random", "random"])
    page.wait_for_selector(".lobby")
    look("lobby")
    for game in ("jass/schieber_1000", "belote/coinche", "euchre/standard"):
        sit(page, game, 4)
        page.wait_for_selector(".status.mine, #next")
        page.wait_for_timeout(400)
        look(game)
        play_deal(page)
        look(f"{game} end")
    page.goto("/#/statistics")
    page.wait_for_selector("table.score")
    look("statistics")
    page.goto("/api.html")
    page.wait_for_selector(".endpoint")
    look("api")
    assert not any(found.values()), {where: what for where, what in found.items() if what}


@pytest.mark.parametrize(
    "language, words, rule, choice, told",
    [
        ("de", "Wähle ein Spiel", "Untertrumpfen", "verboten", ("du spielst", "Nora spielt")),
        ("fr", "Choisis un jeu", "Sous-couper", "interdit", ("tu joues", "Nora joue")),
    ],
)
def test_other_languages(window, language, words, rule, choice, told):
    page = window()
    page.goto("/")
    page.select_option("header select", language)
    page.wait_for_selector(f"h1:has-text('{words}')")
    page.reload()
    page.wait_for_selector(f"h1:has-text('{words}')")
    assert page.evaluate("document.documentElement.lang") == language
    page.click("#game-jass")
    page.click("details.rules summary")
    page.wait_for_selector(f"label[for=rule-undertrump]:text-is('{rule}')")
    assert page.query_selector(f"#rule-undertrump option:text-is('{choice}')")
    sit(page, "jass/schieber_1000")
    play_deal(page)
    log = page.inner_text("ol.log")
    assert all(line in log for line in told) and "play" not in log
