"""A headless browser for the tests that look at the page; they are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from html_report import samples
from tensorwhy.model.report import Report
from tensorwhy.rendering.html import render

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# The page draws a lineage when an observer tells it that the lineage is in view, which is some time after loading.
# An observer made later is told later: when this one has been told, what is in view has been drawn.
_DRAWN = """() => new Promise((resolve) => {
  const lineages = document.querySelectorAll(".lineage");
  if (!lineages.length) return resolve();
  const observer = new IntersectionObserver(() => (observer.disconnect(), resolve()), { rootMargin: "400px" });
  lineages.forEach((lineage) => observer.observe(lineage));
})"""


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """The system's Chromium, driven by Playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="looking at the page needs Playwright")
    executable = next(filter(None, map(shutil.which, _NAMES)), None)
    if executable is None:
        pytest.skip("looking at the page needs Chromium, which is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=executable, args=_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_report(browser, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """Renders a report and opens it. An error on the page, and a request that it makes, fail the test."""
    faults: list[str] = []
    requests: list[str] = []
    contexts = []

    def open_(report: Report, *, width: int = 1400, height: int = 1000, **options: object) -> object:
        file = tmp_path / f"report{len(contexts)}.html"
        file.write_text(render(report, samples.OPTIONS), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        context.on("request", lambda request: requests.append(request.url))
        context.on("requestfailed", lambda request: request.failure == "csp" and requests.remove(request.url))
        page.goto(file.as_uri())
        if options.get("java_script_enabled", True):
            page.evaluate(_DRAWN)
        assert requests == [file.as_uri()]
        requests.clear()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []
    assert requests == []
