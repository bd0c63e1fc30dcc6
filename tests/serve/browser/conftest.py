"""A real Chromium: the one of the system, never one that is downloaded. `make test-web` runs these."""

import os
import shutil

import jax
import pytest

from jaxcards.xla import cache

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def pytest_pycollect_makemodule():
    """Skip this folder without the extra, also if it is named on the command line."""
    pytest.importorskip("playwright")
    pytest.importorskip("axe_playwright_python")


@pytest.fixture(autouse=True, scope="package")
def kept_programs():
    """Reuse the compiled programs of the other process and of earlier runs."""
    before = cache.options()
    cache.enable()
    yield
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.fixture(scope="package")
def chromium():
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.fail("Chromium not found: apt-get install chromium, or name one in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def window(chromium, server):
    """Open windows of a fresh browser each; any error reported by a page fails the test."""
    errors, contexts = [], []

    def open_window(width=1280, height=800, **more):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, base_url=server.address, locale="en", **more
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: told.type == "error" and errors.append(told.text))
        page.on("request", lambda asked: _check_own(asked.url, errors))
        return page

    open_window.errors = errors
    yield open_window
    for context in contexts:
        context.close()
    assert not errors


def _check_own(url, errors):
    if not url.startswith(("http://127.0.0.1", "blob:", "data:")):
        errors.append(f"the page asks for {url}")
