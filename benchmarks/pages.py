"""How long a browser takes to open the HTML report of a lineage of a million operations.

    python benchmarks/pages.py [--operations 1000000] [--rounds 40] [--keep]

Two such reports are written: a model of many layers, and one chain without any. Headless Chromium opens them in turn
with a page of one word, the control, each time in a new context without a cache. Milliseconds are the page's own, since
it was asked for: to its first paint with something on it, to the end of its load event, and until the picture of the
lineage is there and a frame with it has been drawn. Needs Playwright and a Chromium on PATH; without them the reports
are only written.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from keeping import keep, rows, setting, shown

from tensorwhy import __version__
from tensorwhy.model.location import Marked
from tensorwhy.model.report import (
    Coverage,
    Diagnosis,
    Environment,
    LineageEdge,
    LineageNode,
    LineageView,
    Program,
    Report,
    Symptom,
)
from tensorwhy.rendering.html import render

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]
LINE = "    hidden = tf.stop_gradient(hidden)"
BLANK = "<!doctype html><meta charset=utf-8><title>control</title><p>blank"

WATCH = """
const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => { window.drawnAt = performance.now(); }));
const ready = () => document.querySelector(".lineage.ready svg .node");
new MutationObserver((_, observer) => { if (ready()) { observer.disconnect(); drawn(); } })
  .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
"""
"""Notes when the first picture is on the screen: the second frame after it came into the document has painted it."""

OPENED = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const loaded = performance.getEntriesByType("navigation")[0].loadEventEnd;
  return paint && loaded && { paint: paint.startTime, load: loaded };
}"""


def report(operations: int, layer: Callable[[int], str]) -> Report:
    """One lost gradient, whose lineage is a chain of so many operations; it was stopped in the middle."""
    at = Marked(file="/work/train.py", line=17, column=13, end_line=17, end_column=37, label="stopped here")
    nodes = tuple(
        LineageNode(
            id=str(number),
            op="MatMul",
            layer=layer(number),
            location=at,
            connected=number > operations // 2,
            role="source" if number == 0 else "target" if number == operations - 1 else "op",
        )
        for number in range(operations)
    )
    edges = tuple(LineageEdge(start=one.id, end=two.id) for one, two in itertools.pairwise(nodes))
    diagnosis = Diagnosis(
        id="d1",
        code="TW104",
        slug="stop-gradient",
        family="gradient",
        severity="warning",
        certainty="proved",
        message="the gradient of `loss` with respect to `w` is None: a `stop_gradient` stands on the way",
        primary=at,
        symptom=Symptom(kind="none-gradient", message="the gradient is None", location=at),
        lineage=LineageView(nodes=nodes, edges=edges),
    )
    return Report(
        tool_version=__version__,
        program=Program(path="/work/train.py"),
        environment=Environment(python="3.11", frameworks={"tensorflow": "2.21"}),
        diagnoses=(diagnosis,),
        coverage=Coverage(recorded_ops=operations, steps_recorded=1),
        excerpts={"/work/train.py": {17: LINE}},
    )


REPORTS: dict[str, Callable[[int], str]] = {
    "a model of many layers": lambda number: f"block_{number // 500}/attention_{number // 50 % 10}/dense",
    "one chain": lambda number: "",
}


def written(folder: Path, operations: int) -> dict[str, dict[str, float]]:
    """Writes the pages. Seconds of CPU time to render each, and its megabytes."""
    found = {}
    for name, layer in REPORTS.items():
        one = report(operations, layer)
        began = time.thread_time()
        text = render(one)
        took = time.thread_time() - began
        file(folder, name).write_text(text, encoding="utf-8")
        found[name] = {"writing, s": took, "MB": file(folder, name).stat().st_size / 1e6}
    return found


def file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(' ', '-')}.html"


def opened(browser: Any, url: str, picture: bool) -> dict[str, float]:
    """Milliseconds since the page was asked for."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    try:
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(url)
        times = page.wait_for_function(OPENED).json_value()
        if picture:
            times["picture"] = page.wait_for_function("() => window.drawnAt").json_value()
        return times
    finally:
        context.close()


def times(folder: Path, rounds: int) -> tuple[str, dict[str, list[dict[str, float]]]]:
    """The browser's name, and what it took in each round; no name where it cannot be asked."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        executable = None
    if executable is None:
        return "", {}
    names = ["control", *REPORTS]
    file(folder, "control").write_text(BLANK, encoding="utf-8")
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        version = f"Chromium {browser.version}"
        opened(browser, file(folder, "control").as_uri(), False)  # the browser's own first page is not counted
        for _ in range(rounds):
            random.shuffle(names)
            for name in names:
                found[name].append(opened(browser, file(folder, name).as_uri(), name != "control"))
        browser.close()
    return version, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        pages = written(Path(name), options.operations)
        browser, found = times(Path(name), options.rounds)
    lines = [
        [
            page,
            *(format(value, ".1f") for value in pages.get(page, {"writing": 0.0, "MB": 0.0}).values()),
            *(shown([one[what] for one in each], ".0f") for what in ("paint", "load", "picture") if what in each[0]),
            *([""] * (page == "control")),
        ]
        for page, each in (found or {page: [{}] for page in pages}).items()
    ]
    columns = ["page", "writing, s of CPU time", "MB"]
    columns += ["first paint, ms", "loaded, ms", "picture drawn, ms"] if browser else []
    text = (
        f"HTML reports of a lineage of {options.operations:,} operations, opened. {setting()}"
        + (f", {browser}, {options.rounds} rounds; median (quartiles)." if browser else ".")
        + f"\n\n{rows(columns, lines)}\n"
    )
    print(text)
    if not browser:
        print(
            "no Chromium, or no Playwright, is installed here: the pages are not opened (scripts/chromium installs it)"
        )
    if options.keep:
        keep("pages", text, {"pages": pages, "opened": found})


if __name__ == "__main__":
    main()
