"""The HTML as text: what does not need a browser to be seen."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from html_report import samples
from tensorwhy.model.report import Coverage, Report, TensorRef
from tensorwhy.rendering import Rule, links
from tensorwhy.rendering.html import fragment, render

WEB = Path(__file__).parents[2] / "web"
BUNDLE = resources.files("tensorwhy.rendering.html") / "bundle"
VOID = {"br", "hr", "meta", "wbr"}


class Elements(HTMLParser):
    """All elements of a document, with a check that each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_is_well_formed_and_refers_to_nothing_outside() -> None:
    elements = Elements(render(samples.full())).found
    assert [tag for tag, _ in elements].count("script") == 2
    for tag, attributes in elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)


def test_a_page_carries_the_report_as_json() -> None:
    report = samples.full()
    found = re.search(
        r'<script type="application/json" id="report"[^>]*>(.*?)</script>', render(report, samples.OPTIONS), re.DOTALL
    )
    assert found and "<" not in found[1]
    carried = msgspec.json.decode(found[1], type=Report)
    assert [one.message for one in carried.diagnoses] == [one.message for one in report.diagnoses]
    assert carried.variables == report.variables
    assert carried.diagnoses[1].lineage is not None


def test_a_page_is_the_same_every_time() -> None:
    assert render(samples.full()) == render(samples.full())


def test_a_healthy_report_says_so() -> None:
    page = render(samples.report())
    assert "No problems found" in page
    assert "Model</button>" not in page


def test_a_report_of_what_was_not_observed_does_not_say_that_nothing_was_lost() -> None:
    page = render(msgspec.structs.replace(samples.report(), coverage=Coverage(unobserved=("recording was off",))))
    assert "nothing observed" in page
    assert "no problems found" not in page


def test_a_report_of_source_that_was_not_run_says_so() -> None:
    page = render(msgspec.structs.replace(samples.report(), coverage=Coverage(files_read=3)))
    assert "3 files read, nothing run" in page
    assert "ran to its end" not in page
    assert "No problems found in the files that were read" in page


def test_a_page_without_sources_still_shows_every_label() -> None:
    page = render(samples.report(samples.outside_tape(), excerpts={}))
    assert "computed here, before the tape was opened" in page
    assert "the source of this line is not in the report" in page


def test_a_long_list_is_folded_after_its_first_items() -> None:
    tensors = tuple(TensorRef(name=f"w{index}", kind="variable") for index in range(20))
    text = render(samples.report(msgspec.structs.replace(samples.untracked(), also=tensors)))
    shown, _, rest = text.partition('<summary class="more">12 more</summary>')
    assert ">w7<" in shown and ">w8<" not in shown
    assert ">w19<" in rest


def test_a_code_leads_to_its_page_and_the_text_on_it_is_there_once() -> None:
    rule = Rule(
        code="TW104",
        slug="stop-gradient",
        summary="A summary.",
        severity="error",
        help="# TW104 stop-gradient\n\n## Why\n\n<b>raw</b> and `code`, see https://example.org [x](https://example.org)",
    )
    twice = samples.report(samples.stopped(), msgspec.structs.replace(samples.stopped(), id="d9"))
    text = render(twice, msgspec.structs.replace(samples.OPTIONS, rules=(rule,)))
    assert "<h3>Why</h3>" in text and "&lt;b&gt;raw&lt;/b&gt; and <code>code</code>" in text
    ids = [attributes["id"] for _, attributes in Elements(text).found if "id" in attributes]
    assert ids.count("about-TW104") == 1
    assert text.count('href="#about-TW104"') == 1
    outside = [one for _, one in Elements(text).found if (one.get("href") or "#")[0] != "#"]
    assert [one["href"] for one in outside if one.get("class") == "code-name"] == [
        links.catalogue("TW104", "stop-gradient")
    ] * 2
    assert {one["rel"] for one in outside} == {"noopener noreferrer"}


def test_control_characters_are_spelled_out() -> None:
    evil = msgspec.structs.replace(samples.outside_tape(), message="a \u202e b \x1b[31m c \ud800")
    for text in (render(samples.report(evil)), fragment(samples.report(evil))):
        shown = text.partition('<script type="application/json"')[0]
        assert r"a \u202e b \x1b[31m c \ud800" in shown
        assert "\u202e" not in shown
        shown.encode("utf-8")


def test_a_fragment_is_static_and_brings_its_own_style() -> None:
    elements = Elements(fragment(samples.full())).found
    for tag, attributes in elements:
        assert tag not in ("script", "style", "link", "img")
        assert not set(attributes) & {"id", "class", "href", "src"}
    assert sum("style" in attributes for _, attributes in elements) > 50


def test_a_fragment_escapes_names() -> None:
    evil = msgspec.structs.replace(samples.untracked(), message="<script>alert(1)</script>")
    text = fragment(samples.report(evil))
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_card_of_a_warning_has_none_of_the_color_of_errors() -> None:
    assert "#dd5a1f" in fragment(samples.report(samples.stopped()))
    assert "#dd5a1f" not in fragment(samples.report(samples.untracked()))


def test_a_fragment_counts_what_it_leaves_out() -> None:
    many = [msgspec.structs.replace(samples.untracked(), id=f"d{index}") for index in range(15)]
    assert "and 3 more" in fragment(samples.report(*many))


def test_the_bundle_is_built_from_the_sources_beside_it() -> None:
    if not WEB.is_dir():
        pytest.skip("the sources of the page are not in this installation")
    digest = hashlib.sha256()
    names = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"]
    names += [f"src/{file.name}" for file in (WEB / "src").iterdir()]
    for name in sorted(names):
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes())
    assert digest.hexdigest() == (BUNDLE / "SOURCE.sha256").read_text().strip(), "run `npm run build` in web/"


def test_the_bundle_can_stand_inside_a_page() -> None:
    script, style = ((BUNDLE / name).read_text() for name in ("page.js", "page.css"))
    assert not re.search(r"</script|<!--", script, re.IGNORECASE)
    assert "</style" not in style.lower()
    assert not re.search(r"@import|url\(", style)
    assert len(script) + len(style) < 400_000


def test_the_lock_file_names_no_registry() -> None:
    if not WEB.is_dir():
        pytest.skip("the sources of the page are not in this installation")
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all("integrity" in package for name, package in packages.items() if name)
