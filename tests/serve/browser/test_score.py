"""The score on the page: during a deal, and line by line at its end."""

import re

import pytest

from serve.browser.table import play_deal, sit

pytestmark = pytest.mark.web


def numbers(page, row):
    """Return the numbers of both sides in a row of the table at the end."""
    cells = page.locator(f".account {row} td").all_inner_texts()
    return [int(cell or 0) for cell in cells]


def test_the_lines_of_a_deal_add_up_and_two_deals_do(window):
    page = window()
    sit(page, "jass/schieber_1000")
    totals = [0, 0]
    for _ in range(2):
        play_deal(page)
        lines = page.locator(".account tbody tr:not(.mine):not(:last-child)").count()
        rows = [numbers(page, f"tbody tr:nth-child({n + 1})") for n in range(lines)]
        deal = numbers(page, "tr.mine")
        assert [sum(row[side] for row in rows) for side in (0, 1)] == deal
        assert page.inner_text(".ending .big") == f"{deal[0]} : {deal[1]}"
        totals = [total + points for total, points in zip(totals, deal, strict=True)]
        assert numbers(page, "tr:last-child") == totals
        assert f"({totals[0]})" in page.inner_text(".strip .counts")
        page.click("#next")
        page.wait_for_selector(".ending", state="detached")
    page.reload()
    page.wait_for_selector(".plate")
    assert f"({totals[0]})" in page.inner_text(".strip .counts")


def test_calls_stand_in_order_and_the_partner_is_named(window):
    page, seen = window(), []
    sit(page, "euchre/defend_alone")

    def see(asked):
        calls = page.locator(".auction li").all_inner_texts()
        if calls:
            assert page.inner_text(".log").startswith(calls[0])
            seen.append(calls)
        assert page.locator(".plate.ours .partner").inner_text() == "your partner"

    play_deal(page, see=see)
    assert seen


def test_hearts_names_the_cards_to_pass_on_and_no_trumps(window):
    page, chosen = window(), []
    sit(page, "hearts/standard")

    def see(asked):
        assert not page.query_selector(".auction"), "no calls"
        assert "rump" not in page.inner_text(".strip")
        chosen.extend(page.locator(".hand .whose").all_inner_texts())

    play_deal(page, see=see)
    assert len(chosen) == 2 and all(text.startswith("to pass on: ") for text in chosen)
    assert re.search("wins? the trick$", page.inner_text(".log").strip())
    assert "this deal, penalty points" in page.inner_text(".ending thead")
    assert "penalty" not in page.inner_text(".ending ul"), "the table has them"


def test_a_plate_has_tricks_beside_the_bid(window):
    page, seen = window(), []
    sit(page, "rikiki/standard5")

    def see(asked):
        if asked.startswith("Play"):
            counts = page.locator(".plate .count").all_inner_texts()
            seen.append(all(re.fullmatch(r"\d+ of \d+ tricks?", count) for count in counts))

    play_deal(page, see=see)
    assert seen and all(seen)


def test_a_plate_shows_a_nil_and_the_end_of_the_deal_what_it_brought(window):
    page = window()
    sit(page, "spades/cutthroat")
    page.wait_for_selector("#number").fill("0")
    style = "getComputedStyle(document.querySelector('#say-number')).backgroundColor"
    assert page.evaluate(style) == "rgb(242, 193, 78)", "gold is seen on the green felt"
    page.click("#say-number")
    page.wait_for_function("() => document.querySelector('.plate.me .count').innerText.includes('nil')")
    assert re.fullmatch(r"bid nil, \d+ tricks?", page.inner_text(".plate.me .count"))
    play_deal(page)
    assert re.search("you bid nil(, but won|.*and won no trick)", page.inner_text(".ending"))
    assert re.search(r"Hugo bid \d+ and won \d+ trick", page.inner_text(".ending"))


def test_predictions_are_opened_at_the_end(window):
    page, hidden = window(), []
    sit(page, "jass/differenzler")

    def see(asked):
        plates = page.locator(".others .plate, .at-top .plate").all_inner_texts()
        hidden.append(not any(" of " in plate for plate in plates))

    play_deal(page, see=see)
    assert hidden and all(hidden)
    counts = page.locator(".plate .count").all_inner_texts()
    assert all(re.search(r"\d+ of \d+ points?$", count) for count in counts), counts
