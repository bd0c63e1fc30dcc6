"""The first page and the lobby: games, names and guests as people read them, in every window."""

import json
import re

import pytest

from serve.browser.languages import english_words
from serve.browser.table import sit, speak

pytestmark = pytest.mark.web

# Texts that are cut off or lie on others.
_CUT = """() => {
  const parts = ".tile > *, .guests > *, .lobby > *, .lobby button, #top select";
  const texts = [...document.querySelectorAll(parts)];
  const less = (x) => x.scrollWidth > x.clientWidth + 1 || x.scrollHeight > x.clientHeight + 2;
  const boxes = texts.filter((x) => x.matches(".tile > *") && x.getClientRects().length);
  const both = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const over = boxes.filter((x, n) => boxes.slice(n + 1)
    .some((y) => both(x.getBoundingClientRect(), y.getBoundingClientRect())));
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [];
  return [...texts.filter(less), ...over].map((x) => x.innerText).concat(wide);
}"""
GAMES = ("jass", "belote", "euchre", "rikiki", "sheepshead", "hearts", "spades", "skat", "bridge")
SIZES = [(1280, 800), (390, 844), (320, 568), (844, 390)]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_game_begins_with_one_click_that_needs_no_scrolling(window, language):
    page = window()
    page.goto("/")
    speak(page, language)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        assert not page.evaluate(_CUT) and not english_words(page, language), (width, height)
        for game in GAMES:
            button = page.query_selector(f"#play-{game}").bounding_box()
            assert button["height"] >= 43.5
            assert height < 800 or button["y"] + button["height"] <= height, (game, width)


def test_one_click_begins_a_match_with_the_first_rules_against_experts(window):
    page = window(390, 844)
    page.goto("/")
    page.click("#play-euchre")
    page.wait_for_selector(".hand .card", timeout=120_000)
    assert page.inner_text(".side h1") == "Euchre, North American, to 10"
    assert "the match goes to" in page.text_content(".strip")
    names = [plate.get_attribute("aria-label") for plate in page.query_selector_all(".plate")]
    assert sorted(names) == [f"{name}, Level: expert" for name in ("Hugo", "Nora", "Oscar")] + ["you"]
    assert "expert\nHugo, Nora, Oscar" in page.inner_text(".side")
    page.goto("/#/")
    page.wait_for_selector(".mine a:text-is('Euchre, North American, to 10')")


def test_the_form_shows_names_of_presets_players_and_rules(window):
    page = window()
    page.goto("/")
    page.click("#game-euchre")
    page.select_option("#preset", "dummy_partner")
    page.wait_for_selector(".panel .hint:has-text('Three players and a dummy')")
    page.click("details.rules summary")
    page.wait_for_selector("#rule-mode")
    assert (
        page.evaluate("document.querySelector('#rule-mode').selectedOptions[0].text")
        == "three, a dummy as partner"
    )
    page.select_option("#preset", "standard")
    page.wait_for_selector(".seats label:text-is('Nora, your partner')")
    assert page.inner_text(".seats").split("\n")[0] == "you"
    text = page.evaluate("document.body.innerText")
    assert not re.search(r"\w_\w|partners4|[Ss]eat \d|champion|random|search", text)


def test_an_open_form_has_one_button_to_play_its_game(window):
    page = window()
    page.goto("/")
    page.click("#game-euchre")
    page.wait_for_selector(".start")
    assert page.query_selector("#play-jass") and not page.query_selector("#play-euchre")
    assert page.inner_text(".start .main") == "Play"
    page.click("#game-euchre")
    page.wait_for_selector("#play-euchre")


# Whether a closed list is too narrow or too low for its text beside the arrow.
_SELECT = """(select) => {
  const style = getComputedStyle(select), copy = document.createElement("div");
  copy.textContent = select.selectedOptions[0].text;
  copy.style.font = style.font;
  const room = (whole, ...sides) => sides.reduce((left, side) => left - parseFloat(style[side]), whole);
  copy.style.width = `${room(select.clientWidth, "paddingLeft", "paddingRight") - 14}px`;
  document.body.append(copy);
  const high = room(select.clientHeight, "paddingTop", "paddingBottom") + 1;
  const lacks = copy.clientHeight > high || copy.scrollWidth > copy.clientWidth;
  copy.remove();
  return lacks || document.documentElement.scrollWidth > innerWidth;
}"""


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_longest_name_of_rules_is_readable_in_the_closed_list(window, language):
    page = window(320, 568)
    page.goto("/")
    speak(page, language)
    for game, preset in (("euchre", "open_spiel_no_stick_lone_defender"), ("rikiki", "standard3")):
        page.click(f"#game-{game}")
        page.wait_for_selector(f"#preset option[value={preset}]", state="attached")
        page.select_option("#preset", preset)
        page.wait_for_selector(f"#preset option[value={preset}]:checked", state="attached")
        for width in (320, 390, 640, 800, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_function("(width) => innerWidth === width", arg=width)
            assert not page.eval_on_selector("#preset", _SELECT), (game, width)


def test_the_host_sees_who_has_come_and_fills_the_other_seats(window):
    host, guest = window(), window(390, 844)
    sit(host, "euchre/standard", seats=["you", "person", "person", "heuristic"])
    assert host.inner_text(".lobby h1") == "Euchre, North American, to 10"
    rows = host.inner_text(".guests")
    assert rows.count("has not come yet") == 2 and "Oscar" in rows and "club player" in rows
    for width, height in SIZES:
        host.set_viewport_size({"width": width, "height": height})
        assert not host.evaluate(_CUT), (width, height)
    host.click(".guests li:nth-child(2) button")
    host.wait_for_selector("button:text-is('Copied')")
    guest.goto(host.query_selector(".lobby .link").input_value())
    guest.fill("#name", "Bea")
    guest.click("button.main")
    guest.wait_for_selector(".lobby")
    assert not guest.query_selector("#fill, .link"), "only the host invites and fills"
    host.wait_for_selector(".guests li:has-text('Bea'):has-text('is here')")
    assert host.inner_text("#news") == "Bea has come"
    host.click("#fill")
    for page in (host, guest):
        page.wait_for_selector(
            ".felt .plate:has-text('Nora'), .felt .plate:has-text('Oscar')", timeout=120_000
        )


def test_a_game_of_ones_own_shows_its_id_and_changed_rules_have_names(window):
    page = window()
    own = {"name": "whist", "default": "plain", "rules": [], "description": "Whist"}
    own["presets"] = [{"name": "plain", "description": "to 100 points", "rules": {}}]

    def with_whist(route):
        found = route.fetch().json()
        route.fulfill(json=found | {"games": [*found["games"], own]})

    page.route("**/api/games", with_whist)
    page.goto("/")
    changed = "euchre/dummy_partner (mode='partners4', joker=True, points_make=2)"
    games = {"1": changed, "2": "whist/plain"}
    seats = {id: {"token": "x", "game": game} for id, game in games.items()}
    page.evaluate("(seats) => localStorage.setItem('jaxcards.seats', seats)", json.dumps(seats))
    page.reload()
    tile = page.wait_for_selector(".tile:last-child").inner_text().split("\n")
    assert [line for line in tile if line][-4:-2] == ["plain", "to 100 points"]
    assert [link.inner_text() for link in page.query_selector_all(".mine a")] == [
        "Whist, plain",
        "Euchre, Three-handed, with a dummy (Who plays: four in two teams; Joker: ✓; Points: made: 2)",
    ]
