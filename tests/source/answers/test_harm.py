"""Whether a program broke off at the None of a gradient question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.source.answers.handling import handles_none
from tensorwhy.source.answers.harm import broke_off
from tensorwhy.source.files import Sources

PROGRAM = """\
def slope(x):
    with Tape() as tape:
        y = energy(x)
    return tape.gradient(y, x)

def sample(x):
    step = 0.5 * slope(x)
    other = cost(x)
    return other

def measured(x):
    size = slope(x)
    report(size)
    return cost(x)

def residual(x):
    with Tape() as outer:
        first = slope(x)
        loss = first * first
    found = outer.gradient(loss, [x])
    return [each for each in found if each is not None]

sample(1.0)
measured(1.0)
"""


@pytest.fixture
def at(tmp_path: Path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    functions = {4: "slope", 7: "sample", 8: "sample", 12: "measured", 14: "measured", 18: "residual"}

    def location(line: int) -> Location:
        return Location(file=str(file), line=line, function=functions.get(line, "<module>"))

    return location


def test_a_statement_that_reads_what_was_returned_broke_off_at_it(at) -> None:
    assert broke_off(Sources(), (at(4), at(7), at(23)), (at(23), at(7)))


def test_a_statement_of_a_caller_that_reads_something_else_did_not(at) -> None:
    assert not broke_off(Sources(), (at(4), at(7), at(23)), (at(23), at(8)))
    assert not broke_off(Sources(), (at(4), at(12), at(24)), (at(24), at(14)))


def test_an_answer_that_is_not_returned_goes_no_further(at) -> None:
    assert not broke_off(Sources(), (at(4), at(12), at(24)), (at(24),))


def test_filtering_the_answer_of_a_later_question_does_not_handle_this_one(at) -> None:
    question = GradientQuestion(recorder=1, event=1, asked=1, location=at(4), callers=(at(18),), sources=(), targets=())
    assert not handles_none(Sources(), question)


SCRIPT = """\
with Tape() as tape:
    loss = model(x)
grads = tape.gradient(loss, weights)
kept = []
for g in grads:
    kept.append(g)
pairs = [(g, w) for g, w in zip(grads, weights)]
report(history)
total = stack(kept)
"""


def test_a_later_line_of_a_script_broke_off_at_a_none_only_where_it_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    asked, other, read = (Location(file=str(file), line=line, function="<module>") for line in (3, 8, 9))
    assert not broke_off(Sources(), (asked,), (other,))
    assert broke_off(Sources(), (asked,), (read,))


def test_a_later_line_of_a_function_that_handles_the_none_did_not_break_off_at_it(at) -> None:
    asked, later = at(4), Location(file=at(4).file, line=5, function="slope")
    assert broke_off(Sources(), (asked,), (later,))
    assert not broke_off(Sources(), (asked,), (later,), handled=True)
