"""How values show themselves: in one line at a prompt, as text when printed, as HTML in a notebook, saved."""

from __future__ import annotations

import json

import pytest

from rendering import reports
from tensorwhy.integrations.summary import LayerRow, ModelSummary
from tensorwhy.keras import GradientFlow
from tensorwhy.model.history import History, Origin
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Coverage, Fix, Report, VariableView, Verification
from tensorwhy.pipeline import notebooks

REPORTS = {name: make() for name, make in reports.REPORTS.items()}
HISTORY = History(
    sort="eager tensor",
    origins=(
        Origin(op="MatMul", name="logits", dtype="float32", shape=(2, 3), location=Location(file="<t>", line=4)),
        Origin(op="Variable", name="<b>", kind="variable"),
    ),
)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_and_its_diagnoses_are_one_printable_line_at_a_prompt(name: str) -> None:
    report = REPORTS[name]
    for value in (report, *report.diagnoses):
        assert repr(value).isprintable()
        assert len(repr(value)) < 130
    assert all(diagnosis.code in repr(report) for diagnosis in report.diagnoses)


def test_printing_a_report_gives_its_text() -> None:
    text = str(REPORTS["several_files"])
    assert "error[TW403 leaked-tensor]" in text
    assert "\x1b" not in text


def test_printing_a_diagnosis_gives_its_text_alone(tmp_path) -> None:
    program = tmp_path / "program.py"
    program.write_text("first\nkept.append(x)\n")
    diagnosis = REPORTS["several_files"].diagnoses[0]
    at = diagnosis.primary.at(Location(file=str(program), line=2, column=0), "it escapes here")
    text = str(_with(diagnosis, primary=at, related=()))
    assert "2 | kept.append(x)" in text
    assert "ops recorded" not in text


def test_a_notebook_shows_reports_and_diagnoses_as_html() -> None:
    report = REPORTS["several_files"]
    assert "leaked-tensor" in report._repr_html_()
    assert "leaked-tensor" in report.diagnoses[0]._repr_html_()


def test_a_report_is_saved_as_a_page_and_as_json() -> None:
    report = REPORTS["several_files"]
    assert report.to_html().startswith("<!doctype html>")
    assert json.loads(report.to_json())["diagnoses"][0]["code"] == "TW403"


def test_a_report_is_shown_on_standard_error(capsys) -> None:
    REPORTS["several_files"].show()
    assert "TW403" in capsys.readouterr().err


def test_a_history_is_short_at_a_prompt_and_a_table_in_a_notebook() -> None:
    assert repr(HISTORY) == "<History: eager tensor, MatMul `logits` float32 (2, 3) at <t>:4, 1 ancestor>"
    shown = HISTORY._repr_html_()
    assert shown.count("<tr>") == 3
    assert "&lt;b&gt;" in shown


def test_a_summary_is_a_table_in_a_notebook() -> None:
    report = Report(tool_version="", program=REPORTS["nothing"].program, environment=REPORTS["nothing"].environment)
    rows = (LayerRow(name="a<b", kind="Dense", parameters=1200, gradient="none"), LayerRow(name="flat", kind="Flatten"))
    shown = ModelSummary(model="net", layers=rows, report=report)._repr_html_()
    assert shown.count("<tr>") == 3
    assert "a&lt;b (Dense)" in shown
    assert "1,200" in shown


def test_a_callback_shows_the_norms_of_each_variable() -> None:
    callback = GradientFlow()
    assert repr(callback) == "<GradientFlow: no finished training>"
    view = VariableView(name="kernel", layer="head", gradient="none", steps=(0, 1), norms=(0.25, None), updated=False)
    callback.report = _with(REPORTS["nothing"], variables=(view,))
    assert "head/kernel" in callback._repr_html_()
    assert "nothing found in" in repr(callback)


def _with(value, **changes):
    import msgspec

    return msgspec.structs.replace(value, **changes)


class Shell:
    """An IPython that knows one cell."""

    class compile:
        @staticmethod
        def format_code_name(file: str) -> tuple[str, str] | None:
            return ("Cell", "In[3]") if file == "/tmp/ipykernel/1.py" else None


def test_in_a_notebook_cells_have_numbers_and_no_option_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "shell", Shell)
    at = Location(file="/tmp/ipykernel/1.py", line=2)
    untested = Verification(evidence="not tested in this run: `tensorwhy fix` tests the change")
    diagnosis = _with(
        REPORTS["several_files"].diagnoses[0],
        primary=Marked.at(at, "made in /tmp/ipykernel/1.py"),
        fixes=(Fix(summary="move it", verification=untested),),
    )
    missed = "97 calls were not recorded (recorded: 1 to 3; `--record full` records all)"
    report = _with(
        REPORTS["nothing"],
        diagnoses=(diagnosis,),
        excerpts={at.file: {2: "y = x"}},
        coverage=Coverage(unobserved=(missed, "3 steps were dropped (`--keep-steps` sets how many are kept)")),
    )
    told = notebooks.readable(lambda: report)()
    (found,) = told.diagnoses
    assert (found.primary.file, found.primary.label) == ("In[3]", "made in In[3]")
    assert told.excerpts["In[3]"] == {2: "y = x"}
    assert found.fixes[0].verification.evidence == ""
    assert told.coverage.unobserved == (
        "97 calls were not recorded (recorded: 1 to 3)", "3 steps were dropped",
    )  # fmt: skip


def test_names_that_others_gave_cannot_command_a_terminal_or_a_log() -> None:
    evil = "\x1b[31m\u202e\n::error::x\n##[error]y"
    origin = Origin(op=evil, name=evil, layer=evil, function=evil, text=evil, location=Location(file=evil, line=1))
    summary = ModelSummary(model=evil, layers=(LayerRow(name=evil, kind=evil),), report=REPORTS["nothing"])
    for value in (History(sort="eager tensor", origins=(origin, origin), note=evil), summary):
        for shown in (str(value), repr(value)):
            assert all(line.isprintable() and "##[" not in line and line[:2] != "::" for line in shown.splitlines())
