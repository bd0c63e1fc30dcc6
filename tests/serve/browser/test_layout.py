"""Every game in every window: nothing is hidden, cut off, covered, too small, or English."""

import pytest

from serve.browser.languages import english_words
from serve.browser.reviewing import count_costs, review
from serve.browser.table import GAMES, play_deal, sit

pytestmark = pytest.mark.web

SIZES = {
    "desktop": (1280, 800),
    "small laptop": (1024, 640),
    "zoomed": (640, 400),
    "phone": (390, 844),
    "small phone": (320, 568),
    "phone held sideways": (844, 390),
}
# Faults of a window as lines: boxes outside of others, boxes that overlap, cut texts, small targets.
_FAULTS = """async ([within, width]) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (innerWidth !== width) await frame();
  await frame();
  await frame();
  const found = [], whole = document.querySelector(within);
  const all = (what) => [...whole.querySelectorAll(what)].filter((x) => x.getClientRects().length);
  const name = (x) => `${x.className} ${x.innerText || x.ariaLabel}`.replace(/\\s+/g, " ").slice(0, 60);
  const box = (x) => x.getBoundingClientRect();
  const inside = (x, room, where) => {
    const a = box(x), across = a.left < room.left - 1 || a.right > room.right + 1;
    if (across || a.top < room.top - 1 || a.bottom > room.bottom + 1)
      found.push(`${name(x)} is not inside ${where}`);
  };
  const apart = (x, y) => {
    const [a, b] = [box(x), box(y)];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 3 && high > 3) found.push(`${name(x)} overlaps ${name(y)} by ${wide | 0} x ${high | 0}`);
  };
  const room = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
  const felt = box(whole.querySelector(".felt"));
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
  for (const card of all(".hand .card svg")) inside(card, room, "the window");
  const parts = ".plate, .status, .piles .card, .call, .part[data-part=mode]";
  for (const part of all(parts)) inside(part, felt, "the felt");
  const boxes = all(".plate, .status, .choices, .piles, .played");
  boxes.forEach((x, n) => boxes.slice(n + 1).forEach((y) => apart(x, y)));
  for (const x of all(".plate, .plate .name b, .status, .call"))
    if (x.scrollWidth > x.clientWidth + 1 && x.clientWidth) found.push(`${name(x)} is cut off`);
  for (const x of all(".call, .part"))
    if (box(x).width < 43.5 || box(x).height < 43.5) found.push(`${name(x)} is too small`);
  for (const row of all(".hand .cards")) {
    const lefts = [...row.children].map((x) => box(x).left);
    const least = Math.min(...lefts.slice(1).map((left, n) => left - lefts[n]));
    if (least < 43.5) found.push(`a card of the hand shows ${least} pixels`);
  }
  const still = ".felt > .trick .card svg, dialog .open .card svg";
  for (const card of all(still)) inside(card, felt, "the felt");
  for (const part of all(".strip, .review-steps *")) inside(part, room, "the window");
  const opened = all(".review-steps, .review-panel, .review-board, .review-head > *");
  for (const part of opened) inside(part, room, "the window");
  opened.forEach((x, n) => opened.slice(n + 1).forEach((y) => apart(x, y)));
  for (const x of all("dialog button, dialog select"))
    if (box(x).width < 43.5 || box(x).height < 43.5) found.push(`${name(x)} is too small`);
  for (const hand of all("dialog .open:has(.card + .card)")) {
    const lefts = [...hand.children].map((x) => box(x).left);
    const least = Math.min(...lefts.slice(1).map((left, n) => left - lefts[n]));
    if (least < .27 * box(hand.querySelector("svg")).width)
      found.push(`a card of an open hand shows ${least} pixels`);
  }
  return found;
}"""


def faults(page, within="main"):
    """Faults of a page in windows of all sizes."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for fault in page.evaluate(_FAULTS, [within, width]):
            yield size, fault


# From the last game on: test_page.py begins with the first one, and both share compiled programs.
@pytest.mark.parametrize("game", [*reversed(GAMES)])
def test_nothing_is_hidden_cut_off_too_small_or_english(window, game):
    """French has the longest texts. Each turn of a deal is looked at in each window."""
    page, found = window(has_touch=True), {}
    page.goto("/")
    page.select_option("header select", "fr")
    page.wait_for_selector("html[lang=fr]", state="attached")

    def look(asked):
        english = english_words(page, "fr")
        if english:
            found.setdefault(("any window", f"English words: {english}"), asked)
        for fault in faults(page):
            found.setdefault(fault, asked)

    sit(page, game)
    play_deal(page, see=look)
    assert not english_words(page, "fr")
    assert not found, "\n".join(f"{size}, {asked}: {fault}" for (size, fault), asked in found.items())


def test_the_felt_keeps_its_size_when_choices_appear(window):
    page, sizes = window(390, 844, has_touch=True, is_mobile=True), set()
    sit(page, "jass/schieber_1000")
    play_deal(page, see=lambda _: sizes.add(page.query_selector(".felt").bounding_box()["height"]))
    assert len(sizes) == 1


@pytest.mark.parametrize("game", ["jass/schieber_1000", "rikiki/standard5"])
def test_nothing_of_a_review_is_hidden_cut_off_too_small_or_english(window, server, game):
    page, found = window(has_touch=True, reduced_motion="reduce"), {}
    page.goto("/")
    page.select_option("header select", "fr")
    page.wait_for_selector("html[lang=fr]", state="attached")
    moves = review(page, server, game, GAMES[game])
    number = len(moves["moves"])
    for place in (0, number // 3, number // 2, number):
        page.evaluate("document.querySelector('#review-first').click()")
        for _ in range(place):
            page.evaluate("document.querySelector('#review-on').click()")
        for fault in faults(page, "dialog"):
            found.setdefault(fault, place)
        if place == 0:
            count_costs(page, moves)
    assert not english_words(page, "fr")
    assert not found, "\n".join(f"{size}, {place}: {fault}" for (size, fault), place in found.items())
