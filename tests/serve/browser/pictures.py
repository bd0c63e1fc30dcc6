"""Takes the pictures of docs/pictures/serve: `PYTHONPATH=tests python tests/serve/browser/pictures.py`.

Each is the first time that a phase of a game is asked for, in a deal that is played by clicking.
"""

import io
import random
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from serve.browser.conftest import CHROMIUM
from serve.browser.table import GAMES, file_name, play_deal, sit
from serve.running import Running, quick_settings

FOLDER = Path(__file__).parents[3] / "docs" / "pictures" / "serve"
DESK, PHONE = (1180, 760), (390, 800)


def keep(page, name):
    """Writes what a page shows as WebP, which makes a small file."""
    page.wait_for_timeout(350)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.save(FOLDER / f"{name}.webp", quality=82, method=6)


def deals(page, game, name, number):
    """Plays deals, and takes a picture of each phase when it is first asked for."""
    seen = set()

    def see(asked):
        what = file_name(name, asked.split(" or ")[0].partition("Order")[2] and "order up" or asked)
        if asked == "Play a card":
            what = name if page.query_selector(".trick .played") else ""
        if what and what not in seen:
            seen.add(what)
            keep(page, what)

    sit(page, game)
    for deal in range(number):
        play_deal(page, random.Random(deal), see)
        if deal == 0:
            keep(page, f"{name}-end")
        page.click("#next")
        page.wait_for_selector(".status")


def main():
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with Running(quick_settings(Path(folder) / "tables.sqlite", hint_worlds=64)) as server:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

            def window(size, **more):
                viewport = {"width": size[0], "height": size[1]}
                context = chromium.new_context(
                    viewport=viewport, base_url=server.address, locale="en", **more
                )
                page = context.new_page()
                page.set_default_timeout(180_000)
                return page

            page = window(DESK)
            page.goto("/")
            page.wait_for_selector(".tile")
            keep(page, "setup")
            for game in GAMES:
                name = game.replace("schieber_1000", "").replace("/", "-").replace("_", "-").strip("-")
                deals(page, game, name, 2)
            phone = window(PHONE, is_mobile=True, has_touch=True, color_scheme="dark")
            for game in ("jass/schieber_1000", "belote/coinche", "euchre/defend_alone",
                         "rikiki/standard5", "sheepshead/standard_crack"):  # fmt: skip
                deals(phone, game, f"phone-{game.partition('/')[0]}", 1)
            sit(page, "jass/schieber_1000")
            page.wait_for_selector(".status.mine")
            page.click("#hint")
            page.wait_for_selector(".note", timeout=300_000)
            keep(page, "hint")
            chromium.close()


if __name__ == "__main__":
    main()
