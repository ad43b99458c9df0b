"""What people read: snapshots at two widths, and that columns line up."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len

from rendering.reports import BASE, REPORTS, TRAIN, diagnosis, mark, report
from tensorwhy.model.report import Coverage, Fix, Symptom, TensorRef, Verification
from tensorwhy.rendering import Options, links
from tensorwhy.rendering.terminal import render

SNAPSHOTS = Path(__file__).parent / "snapshots"
KINDS = {
    "80": Options(base=BASE, width=80),
    "40": Options(base=BASE, width=40),
    "ascii": Options(base=BASE, width=80, unicode=False),
}


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_terminal_shows_what_it_showed_before(name: str, kind: str, request: pytest.FixtureRequest) -> None:
    text = render(REPORTS[name](), KINDS[kind])
    file = SNAPSHOTS / f"{name}.{kind}.txt"
    if request.config.getoption("--update-explanations"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("width", [40, 57, 80, 120])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    for line in render(REPORTS[name](), Options(base=BASE, width=width)).splitlines():
        assert cell_len(line) <= width, line


@pytest.mark.parametrize("name", REPORTS)
def test_ascii_output_is_ascii(name: str) -> None:
    assert render(REPORTS[name](), Options(base=BASE, unicode=False)).isascii()


@pytest.mark.parametrize("name", REPORTS)
def test_colours_add_nothing_but_colours(name: str) -> None:
    plain, coloured = (render(REPORTS[name](), Options(base=BASE, color=color)) for color in (False, True))
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


@pytest.mark.parametrize("name", REPORTS)
def test_links_add_nothing_but_links(name: str) -> None:
    coloured, linked = (render(REPORTS[name](), Options(base=BASE, color=True, links=links)) for links in (False, True))
    assert re.sub(r"\x1b\]8;[^\x1b]*\x1b\\", "", linked) == coloured


@pytest.mark.parametrize(
    ("message", "seen"),
    [
        (
            "ValueError: in user code:\n\n    File a.py, line 1\n\n    KeyError: no such word\n",
            "KeyError: no such word",
        ),
        (
            "ValueError: Exception encountered when calling A.call().\n\n\x1b[1mno rank\x1b[0m\n\nArguments",
            "ValueError: no rank",
        ),
        (
            "ValueError: in user code:\n\n    ValueError: Exception encountered when calling A().\n\n    no rank\n",
            "ValueError: no rank",
        ),
        (
            "InvalidArgumentError: Graph execution error:\n\nDetected at node",
            "InvalidArgumentError: Graph execution error:",
        ),
        (
            "InvalidArgumentError: Graph execution error:\n\nDetected at node A defined at (most recent call last):\n"
            "  File a.py, line 1\n\nMatrix sizes differ: [2,3], [4,5]\n\t [[{{node A}}]] [Op:__inference_f_1]",
            "InvalidArgumentError: Matrix sizes differ: [2,3], [4,5]",
        ),
        (
            "InvalidArgumentError: {{function_node __wrapped__A_device_/job:localhost}} sizes differ [Op:A]",
            "InvalidArgumentError: sizes differ [Op:A]",
        ),
        ("TypeError: first\nsecond", "TypeError: first"),
    ],
)
def test_of_a_long_message_the_line_that_says_most_is_shown(message: str, seen: str) -> None:
    text = render(report(diagnosis(symptom=Symptom(kind="exception", message=message))), Options(width=120))
    assert f"= seen as: {seen}\n" in text


@pytest.mark.parametrize(
    ("message", "seen"),
    [
        (f"ValueError: {'word ' * 50}ends. Then more.", f"ValueError: {'word ' * 50}ends. …"),
        (f"ValueError: short. {'Word ' * 50}ends.", "ValueError: short. …"),
        (f"ValueError: {'word ' * 90}", f"ValueError: {'word ' * 76}word …"),
    ],
)
def test_a_long_line_is_cut_after_a_sentence_or_a_word(message: str, seen: str) -> None:
    text = render(report(diagnosis(symptom=Symptom(kind="exception", message=message))), Options(width=1000))
    assert f"= seen as: {seen}\n" in text


def test_the_name_of_a_file_leads_to_its_line() -> None:
    text = render(REPORTS["two_joined"](), Options(base=BASE, color=True, links=True))
    addresses = re.findall(r"\x1b\]8;id=\d+;([^\x1b]+)\x1b", text)
    files = {each for each in addresses if each.startswith("file:")}
    assert files and files <= {f"file://{TRAIN}#{line}" for line in range(1, 99)}


def test_without_colour_there_are_no_links() -> None:
    assert "\x1b" not in render(report(diagnosis()), Options(base=BASE, links=True))


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("\tvalue = f(x)", "f(x)"),
        ("a\tb = f(x)", "f(x)"),
        ("name, value = '日本語', f(x)", "f(x)"),
        ("ñandú = f(ö)", "f(ö)"),
        ("e\u0301 = f(x)  # a combining accent", "f(x)"),
    ],
)
def test_carets_stand_under_the_marked_columns(source: str, expression: str) -> None:
    start = source.index(expression)
    found = diagnosis(primary=mark(TRAIN, 1, start, start + len(expression)))
    lines = render(report(found, excerpts={TRAIN: {1: source}}), Options(base=BASE)).splitlines()
    carets = next(number for number, line in enumerate(lines) if "^" in line)
    shown, underline = lines[carets - 1], lines[carets]
    before = shown[: shown.index(expression)]
    assert cell_len(before) == underline.index("^")
    assert underline.count("^") == cell_len(expression)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1, "the program failed, and no explanation was found"),
        (130, "interrupted; no problems found in 12 recorded steps"),
    ],
)
def test_a_program_that_did_not_end_well_is_not_called_well(code: int, said: str) -> None:
    import msgspec

    made = report()
    failed = msgspec.structs.replace(made, program=msgspec.structs.replace(made.program, exit_code=code))
    assert " ".join(render(failed, Options()).split()) == f"tensorwhy: {said} (1,234 ops recorded)"


def test_where_nothing_was_observed_nothing_is_called_well() -> None:
    import msgspec

    blind = msgspec.structs.replace(report(), coverage=Coverage(unobserved=("recording was off",)))
    assert render(blind, Options()) == "tensorwhy: not covered: recording was off\n"


def test_what_is_also_needed_does_not_repeat_the_words_that_both_begin_with() -> None:
    first = diagnosis(id="d1", message="the gradient of `a` is None: it was computed before", together_with=("d2",))
    second = diagnosis(
        id="d2", message="the gradient of `a` is None: it is not watched", code="TW101", slug="not-watched"
    )
    text = render(report(first, second), Options(base=BASE, width=120))
    assert "see also: TW101 not-watched, it is not watched" in text


def test_other_edits_of_the_same_words_are_told_only_where_they_were_tried() -> None:
    tried = Fix(summary="stay", verification=Verification(status="refuted", method="rerun", evidence="it failed"))
    text = render(report(diagnosis(fixes=(Fix(summary="stay"), Fix(summary="stay"), tried))), Options(base=BASE))
    assert text.count("stay") == 2 and "it failed" in text


@pytest.mark.parametrize(
    ("seen", "steps", "all_steps", "words"),
    [
        (2, 2, 2, "in both recorded steps"),
        (2, 2, 100, "in both observed steps"),
        (2, 9, 9, "in 2 of 9 recorded steps"),
        (3, 0, 9, "found 3 times in this run"),
    ],
)
def test_how_often_a_finding_came_up_is_told_with_how_much_was_looked_at(
    seen: int, steps: int, all_steps: int, words: str
) -> None:
    told = report(diagnosis(seen=seen, steps=steps))
    told = msgspec.structs.replace(told, coverage=Coverage(steps=all_steps, steps_recorded=steps))
    assert f"= note: {words}\n" in render(told, Options(base=BASE, width=100))


@pytest.mark.parametrize(("severity", "color"), [("error", "31"), ("warning", "33")])
def test_only_errors_are_marked_in_red(severity: str, color: str) -> None:
    primary = mark(TRAIN, 1, 0, 3, "here")
    told = report(diagnosis(severity=severity, primary=primary), excerpts={TRAIN: {1: "abc"}})
    assert f"\x1b[1;{color}m^^^" in render(told, Options(base=BASE, color=True))


def test_a_code_leads_to_its_page() -> None:
    text = render(report(diagnosis()), Options(base=BASE, color=True, links=True))
    assert "/catalogue/tw102-computed-outside-tape.html" in text


def test_pages_are_where_the_project_says_that_its_documentation_is() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    hosted = re.search(r'^Documentation = "(.+)"$', project, re.MULTILINE)
    assert hosted is not None
    assert links.catalogue("TW102", "computed-outside-tape").startswith(hosted[1])


def test_verbose_shows_notes_in_full_and_all_names() -> None:
    also = tuple(TensorRef(name=f"w{number}") for number in range(9))
    told = report(diagnosis(severity="note", also=also, primary=mark(TRAIN, 1, 0, 3)), excerpts={TRAIN: {1: "abc"}})
    text = render(told, Options(base=BASE, width=100, verbose=True))
    assert "1 | abc" in text
    assert "`w8`" in text
