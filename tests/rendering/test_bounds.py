"""A report may come from anybody: whatever is in it, every format ends soon, and holds text only."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from rendering.reports import REPORTS, diagnosis, report
from tensorwhy import rendering
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.plain_text import in_log, one_line, plain
from tensorwhy.model.report import Edit, Fix, PathStep, Position, Report, Symptom
from tensorwhy.rendering.bounds import FINDINGS, presentable

EVIL = "\x1b]0;PWNED\x07\x1b[31mRED\n::error file=a::INJECTED\r\n##[error]x ##vso[a]b "
EVIL += "\u202eevil\u2066 \x9b31m\ud800\x7f\u2028"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def evil() -> Report:
    """A report in which every text is made to be dangerous."""
    at = Marked(file=f"/x/{EVIL}", line=3, function=EVIL, label=EVIL, role=EVIL)
    found = diagnosis(
        message=EVIL, code=EVIL, slug=EVIL, primary=at, related=(at,), notes=(EVIL,), id=EVIL,
        symptom=Symptom(kind="exception", message=EVIL, location=at), path=(PathStep(op=EVIL, layer=EVIL),),
        fixes=(Fix(summary=EVIL, caveat=EVIL),),
    )  # fmt: skip
    found_again = msgspec.structs.replace(found, primary=None)
    given = report(found, found_again)
    coverage = msgspec.structs.replace(given.coverage, unobserved=(EVIL,))
    return msgspec.structs.replace(given, coverage=coverage, excerpts={at.file: {3: EVIL}}, tool_version=EVIL)


@pytest.mark.parametrize("format_name", rendering.formats())
@pytest.mark.parametrize("unicode", [True, False])
def test_no_format_lets_characters_through_that_do_something(format_name: str, unicode: bool) -> None:
    text = rendering.renderer(format_name)(evil(), rendering.Options(base="/x", unicode=unicode, width=40))
    text.encode()
    assert not UNSEEN.search(text)
    own = format_name == "github"
    lines = [line.lstrip() for line in text.split("\n")]
    assert own or not any(re.match(r"::[a-z]", line) for line in lines)
    assert all(line.startswith("::error title=") for line in lines if line.startswith("::") and own)
    assert not re.search(r"##[\w.-]*\[", text) or own


def replaced(value: Any, make: Callable[[Any], Any]) -> Iterator[Any]:
    """Copies of a value, in each of which one leaf is another."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            for each in replaced(getattr(value, name), make):
                yield msgspec.structs.replace(value, **{name: each})
    elif isinstance(value, tuple):
        for at, item in enumerate(value):
            yield from ((*value[:at], each, *value[at + 1 :]) for each in replaced(item, make))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (value | {key: each} for each in replaced(item, make))
            yield from ({new: item} for new in (make(key),) if new is not None)
    else:
        yield from (each for each in (make(value),) if each is not None)


ODD: dict[str, Callable[[Any], Any]] = {
    "words": lambda value: EVIL.replace("\ud800", "") if isinstance(value, str) else None,
    "not numbers": lambda value: math.nan if isinstance(value, float) else None,
    "infinite": lambda value: -math.inf if isinstance(value, float) else None,
    "large numbers": lambda value: 10**30 if isinstance(value, int) and not isinstance(value, bool) else None,
}


@pytest.mark.parametrize("format_name", rendering.formats())
@pytest.mark.parametrize("kind", ODD)
def test_any_single_value_may_be_odd(kind: str, format_name: str) -> None:
    render = rendering.renderer(format_name)
    for odd in (each for name in ("two_joined", "asked") for each in replaced(REPORTS[name](), ODD[kind])):
        try:
            allowed = kind in ("not numbers", "infinite") or msgspec.convert(msgspec.to_builtins(odd), Report)
        except msgspec.ValidationError:
            continue  # only some words are read there
        assert allowed
        text = render(odd, rendering.Options(base="/work"))
        assert not UNSEEN.search(text)
        assert format_name == "github" or not re.search(r"^\s*::[a-z]", text, re.MULTILINE)
        if format_name in ("json", "sarif", "lsp"):
            assert "NaN" not in text and "Infinity" not in text
            json.loads(text)


def test_formats_for_programs_lose_no_character() -> None:
    written = json.loads(rendering.renderer("json")(evil(), rendering.Options()))
    assert written["diagnoses"][0]["message"] == EVIL.replace("\ud800", "\\ud800")


def mark(line: int, **more: Any) -> Marked:
    return Marked(file="/work/train.py", line=line, **more)


def large(**changes: Any) -> Report:
    return report(diagnosis(**changes))


ONE = Position(line=1, column=0)
FAR = Location(file="/work/train.py", line=10**15, end_line=10**18, column=-5, end_column=10**12)
LARGE = {
    "far": lambda: large(primary=mark(line=1, end_line=10**9), related=(mark(line=10**15, end_line=10**16),)),
    "far symptom": lambda: large(symptom=Symptom(kind="none-gradient", location=FAR)),
    "before the file": lambda: large(primary=mark(line=-5, end_line=-(10**9))),
    "long message": lambda: large(message="m" * 5_000_000),
    "long label": lambda: large(primary=mark(line=1, label="é" * 1_000_000)),
    "many findings": lambda: report(*[diagnosis(id=f"d{number}") for number in range(50_000)]),
    "many notes": lambda: large(notes=("note",) * 300_000),
    "long path": lambda: large(path=(PathStep(op="Add"),) * 200_000),
    "long notes in many": lambda: report(*[diagnosis(id=f"d{n}", notes=("x" * 8000,) * 40) for n in range(1000)]),
    "huge number": lambda: large(seen=2**80),
    "edits nowhere": lambda: large(
        fixes=(
            Fix(
                summary="do",
                edits=(
                    Edit(
                        file="/work/train.py",
                        start=Position(line=1, column=0),
                        end=Position(line=10**9, column=0),
                        replacement="x",
                    ),
                ),
            ),
        )
    ),
    "long edit": lambda: large(
        fixes=(Fix(summary="do", edits=(Edit(file="a", start=ONE, end=ONE, replacement="x" * 100_000),)),)
    ),
}


@pytest.mark.parametrize("format_name", rendering.formats())
@pytest.mark.parametrize("name", LARGE)
def test_every_format_has_an_end(name: str, format_name: str) -> None:
    text = rendering.renderer(format_name)(LARGE[name](), rendering.Options(base="/work"))
    assert len(text) < 40_000_000


def test_what_is_left_out_is_counted() -> None:
    bounded = presentable(LARGE["many findings"]())
    assert len(bounded.diagnoses) == FINDINGS
    assert f"{50_000 - FINDINGS:,} of 50,000 findings are omitted here" in bounded.coverage.unobserved


def test_what_was_not_covered_is_told_whole_beside_a_report_of_any_size() -> None:
    given = large(path=tuple(PathStep(op="Mul" * 100) for _ in range(5000)))
    said = "reading what was recorded takes more than 7 s: it was stopped, and the report is incomplete"
    given = msgspec.structs.replace(given, coverage=msgspec.structs.replace(given.coverage, unobserved=(said,)))
    assert presentable(given).coverage.unobserved == (said, "texts and lists that are too long are shortened here")


def test_a_shortened_edit_is_no_edit() -> None:
    assert presentable(LARGE["long edit"]()).diagnoses[0].fixes[0].edits == ()


def test_what_is_in_order_stays_as_it_is() -> None:
    given = report(diagnosis())
    assert presentable(given) is given


@pytest.mark.parametrize("text", ["plain", "tab\tand\nline", "日本語 é"])
def test_plain_text_stays(text: str) -> None:
    assert plain(text) == text


def test_a_line_is_one_line_of_some_length() -> None:
    assert one_line("a\n::error::b\x1b[31m\r\n") == "a ::error::b\\x1b[31m"
    assert len(one_line("x" * 5_000_000)) < 1200


def test_a_line_is_no_command() -> None:
    assert in_log("  ::error file=a::b") == "  :\\x3aerror file=a::b"
    assert in_log("  ::: a.py:3") == "  ::: a.py:3"
