"""A person at the page: sits down, and plays whatever is allowed by clicking, or by keys."""

import random

GAMES = {
    "jass/schieber_1000": 4,
    "jass/differenzler": 4,
    "belote/coinche": 4,
    "euchre/defend_alone": 4,
    "euchre/three_handed": 3,
    "euchre/dummy_partner": 3,
    "rikiki/standard5": 5,
    "sheepshead/standard_crack": 5,
    "hearts/standard": 4,
    "spades/cutthroat": 3,
    "skat/ramsch": 3,
    "bridge/duplicate": 4,
}

_SIT = """async ([address, body]) => {
  const headers = {"Content-Type": "application/json"};
  const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(body)});
  const seat = await answer.json();
  localStorage.setItem("jaxcards.person", JSON.stringify(seat.person));
  const seats = {[seat.id]: {token: seat.token, game: body.game}};
  localStorage.setItem("jaxcards.seats", JSON.stringify(seats));
  location.hash = `#/table/${seat.id}`;
}"""


def sit(page, game, players=None, **more):
    """Open a table beside the form, with heuristic players, and wait for its cards."""
    page.goto("/")
    page.wait_for_selector(".tile")
    seats = more.pop("seats", None) or ["you"] + ["heuristic"] * ((players or GAMES[game]) - 1)
    page.evaluate(_SIT, ["api/tables", {"game": game, "seats": seats, "name": "Anna", **more}])
    page.wait_for_selector(".felt, .lobby")


def phase(page):
    """Return the requested decision, as shown by the page; empty if the page asks for none."""
    status = page.query_selector(".status.mine")
    return status.inner_text().partition(":")[2].strip() if status else ""


def over(page):
    return page.query_selector("#next, #again") is not None


def play_deal(page, source=None, see=lambda phase: None, most=120):
    """Play a deal to its end by clicking; call `see` at each turn with the requested decision."""
    source = source or random.Random(0)
    for _ in range(most):
        page.wait_for_selector("#next, #again, main:not(.sent) .status.mine")
        if over(page):
            return
        see(phase(page))
        click(page, source)
        page.wait_for_function(
            "() => document.querySelector('#next, #again') || !document.querySelector('main.sent')"
        )
    raise AssertionError("the deal does not end")


def click(page, source):
    """Click on an allowed choice; make calls more often than pass."""
    if page.query_selector("#say-number"):
        page.click("#say-number")
        return
    if page.query_selector("main:not(.sent) .bidding") and source.random() < 0.8:
        for part in ("mode", "level"):
            source.choice(page.query_selector_all(f"[data-part={part}]")).click()
        page.click("#bid")
        return
    allowed = page.query_selector_all("main:not(.sent) [data-action]")
    bold = [choice for choice in allowed if "quiet" not in (choice.get_attribute("class") or "")]
    if not allowed:
        return
    chosen = source.choice(bold if bold and source.random() < 0.8 else allowed)
    action = chosen.get_attribute("data-action")
    page.evaluate("(a) => document.querySelector(`[data-action='${a}']`)?.click()", action)


def speak(page, language):
    """Chooses the language of the first page, and waits until the page is drawn in it."""
    page.wait_for_selector("h1").evaluate("(title) => title.classList.add('old')")
    page.select_option("#top select", language)
    page.wait_for_selector("h1:not(.old)")
    page.wait_for_selector(f"html[lang={language}] .tile")
