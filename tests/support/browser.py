"""Debian's Chromium, driven by Playwright, and axe in it."""

import contextlib
import importlib.util
import os
import shutil
from collections.abc import Generator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

SCREENSHOTS = os.environ.get("PINCITE_SCREENSHOTS")
"""The folder in which screenshots are kept; none are taken without it."""

_AXE = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"


def check_browser() -> None:
    """Skip the test where there is no browser, or nothing that drives it."""
    if CHROMIUM is None:
        pytest.skip("There is no Chromium: apt-get install chromium")
    if not importlib.util.find_spec("playwright") or not importlib.util.find_spec("axe_playwright_python"):
        pytest.skip("Playwright is not installed: pip install playwright axe-playwright-python")


@contextlib.contextmanager
def browser() -> Generator["Browser"]:
    """A browser, without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may not be installed

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


def screenshot(page: "Page", name: str) -> None:
    """Keep a picture of a page, if pictures are kept."""
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


def violations(page: "Page") -> list[str]:
    """The rules of axe that a page violates, each with the elements that do; the page's own policy stays in force."""
    if not page.evaluate("'axe' in window"):
        # As an expression of the debugger: the page's policy would not let a script element run.
        page.evaluate(
            f"() => {{ {resources.files('axe_playwright_python').joinpath('axe.min.js').read_text('utf-8')} }}"
        )
    results = page.evaluate(_AXE)["violations"]
    return [f"{violation['id']}: {[node['html'][:120] for node in violation['nodes'][:3]]}" for violation in results]
