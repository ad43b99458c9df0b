"""What every renderer does with every report."""

from __future__ import annotations

import os
import pickle

import pytest

from rendering.reports import BASE, REPORTS
from tensorwhy import rendering
from tensorwhy.model.report import Report
from tensorwhy.rendering import Options

OPTIONS = Options(base=BASE, width=80)
BOTH = pytest.mark.parametrize("name", rendering.formats())
EVERY = pytest.mark.parametrize("report", [make() for make in REPORTS.values()], ids=list(REPORTS))


@BOTH
@EVERY
def test_every_diagnosis_is_in_the_output(name: str, report: Report) -> None:
    text = rendering.renderer(name)(report, OPTIONS)
    assert all(diagnosis.code in text for diagnosis in report.diagnoses)


@BOTH
@EVERY
def test_the_output_ends_with_one_line_end_or_is_empty(name: str, report: Report) -> None:
    text = rendering.renderer(name)(report, OPTIONS)
    assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))


@BOTH
@EVERY
def test_names_in_the_report_cannot_send_codes_to_a_terminal(name: str, report: Report) -> None:
    text = rendering.renderer(name)(report, OPTIONS)
    assert name == "github" or "\x1b" not in text


@BOTH
@EVERY
def test_rendering_twice_gives_the_same(name: str, report: Report) -> None:
    render = rendering.renderer(name)
    before = pickle.dumps(report)
    assert render(report, OPTIONS) == render(report, OPTIONS)
    assert pickle.dumps(report) == before


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(KeyError):
        rendering.renderer("../terminal")


def test_files_are_shown_relative_to_the_base_only_below_it() -> None:
    from tensorwhy.rendering.paths import shown

    inside, beside = os.path.join(BASE, "a", "b.py"), BASE + "-other/b.py"
    assert shown(inside, BASE) == os.path.join("a", "b.py")
    assert shown(beside, BASE) == beside
    assert shown(inside, "") == inside


def test_markdown_leads_to_the_page_of_each_reason() -> None:
    report = next(made for made in (make() for make in REPORTS.values()) if made.diagnoses)
    text = rendering.renderer("markdown")(report, OPTIONS)
    for diagnosis in report.diagnoses:
        assert f"/catalogue/{diagnosis.code.lower()}-{diagnosis.slug}.html)" in text
