"""Take the pictures of docs/serve.md: `PYTHONPATH=tests python tests/serve/browser/pictures.py`."""

import io
import random
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from serve.browser.conftest import CHROMIUM
from serve.browser.table import play_deal, sit
from serve.running import Running, quick_settings

FOLDER = Path(__file__).parents[3] / "docs" / "pictures" / "serve"


def keep(page, name):
    """Write what a page shows as WebP, which makes a small file."""
    page.wait_for_timeout(350)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.save(FOLDER / f"{name}.webp", quality=82, method=6)


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = quick_settings(Path(folder) / "tables.sqlite", hint_worlds=64)
        with Running(settings) as server:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = chromium.new_page(
                viewport={"width": 1180, "height": 760}, base_url=server.address, locale="en"
            )
            page.set_default_timeout(180_000)
            sit(page, "jass/schieber_1000")
            taken = []

            def see(asked):
                on_table = len(page.query_selector_all(".trick .played"))
                choices = len(page.query_selector_all(".hand .legal"))
                if 0 < on_table < 4 and choices > 2 and not taken:
                    keep(page, "jass")
                    page.click("#hint")
                    page.wait_for_selector(".note .value", timeout=300_000)
                    keep(page, "hint")
                    taken.append(asked)

            play_deal(page, random.Random(0), see)
            assert taken, "no picture: no trick left a choice"
            page.click("#review")
            page.click("#review-costs")
            page.click("[data-move] >> nth=0", timeout=300_000)
            keep(page, "review")
            chromium.close()


if __name__ == "__main__":
    main()
