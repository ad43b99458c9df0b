"""What expressions of plain Python values come to, without running the program's code."""

from __future__ import annotations

import ast
import math
import sys
import types

import pytest

from tensorwhy.adapters.tensorflow.tracing.python_reads import Read, Reads
from tensorwhy.adapters.tensorflow.tracing.python_values import MISSING, Code, Scope
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

settings = {"beta": 0.5, "rates": [0.1, 0.2]}
ran: list[str] = []


class Schedule:
    floor = 0.25

    def __init__(self) -> None:
        self.step = 3
        self.rates = [1.0, 2.0]

    def __call__(self) -> float:
        """The rate of this step."""
        if self.step > 1:
            return 1.0 / self.step
        return 1.0

    def scaled(self, by: float, offset: float = 1.0) -> float:
        rate = self() * by
        return rate + offset

    def next(self) -> float:
        value = self.rates[min(self.step, len(self.rates) - 1)]
        self.step += 1
        return value

    def noted(self) -> float:
        self.step += 1
        return self.rates[0]

    def logged(self) -> float:
        ran.append("logged")
        return 1.0

    def endless(self) -> float:
        return self.endless()

    @property
    def half(self) -> float:
        return self.step / 2


def doubled(value: float) -> float:
    return 2 * value


def function_of(code: types.CodeType, sources: Sources) -> ast.FunctionDef:
    found = sources.function(Location(file=code.co_filename, line=code.co_firstlineno))
    assert isinstance(found, ast.FunctionDef)
    return found


def scope_of(frame: types.FrameType) -> tuple[Scope, list[Read]]:
    sources = Sources()
    reads = Reads(function_of(frame.f_code, sources))
    code = Code(lambda file: file == __file__, sources)
    return Scope.of_frame(code, frame, reads.own, reads.first), list(reads.values)


def scope(schedule: Schedule) -> Scope:
    return scope_of(sys._getframe())[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("schedule.step + 1", 4),
        ("schedule()", 1 / 3),
        ("schedule.scaled(3)", 2.0),
        ("schedule.scaled(3, 0.5)", 1.5),
        ("schedule.half", 1.5),
        ("schedule.floor", 0.25),
        ("Schedule.floor", 0.25),
        ("schedule.rates[-1]", 2.0),
        ("settings['beta'] * 2", 1.0),
        ("settings['rates'][0]", 0.1),
        ("doubled(schedule.step)", 6),
        ("max(0.1, 1 - schedule.step)", 0.1),
        ("math.exp(schedule.step - 3)", 1.0),
        ("2 if schedule.step > 5 else 3", 3),
        ("not schedule.step", False),
        ("len(schedule.rates)", 2),
    ],
)
def test_an_expression_of_plain_values_has_a_value(text: str, value: object) -> None:
    assert math.exp(0) == 1.0  # the module is a global of this file
    assert scope(Schedule()).value(ast.parse(text, mode="eval").body) == value


@pytest.mark.parametrize(
    "text",
    [
        "schedule.missing",
        "schedule.logged()",
        "Schedule.half",
        "math.pi",
        "schedule.endless()",
        "schedule.rates",
        "schedule.rates[9]",
        "settings['other']",
        "nowhere",
        "1 / (schedule.step - 3)",
        "10 ** 10 ** 10",
        "print(schedule.step)",
    ],
)
def test_anything_else_has_none(text: str) -> None:
    assert scope(Schedule()).value(ast.parse(text, mode="eval").body) is MISSING
    assert ran == []


def test_an_object_is_not_kept_alive() -> None:
    found = scope(Schedule())
    assert found.value(ast.parse("schedule.step", mode="eval").body) is MISSING


def test_an_attribute_that_is_counted_on_and_read_is_told() -> None:
    schedule = Schedule()
    found = scope(schedule)
    assert found.value(ast.parse("schedule.next()", mode="eval").body) == 2.0
    assert found.counted() == (("self.step", __file__),)
    assert schedule.step == 3


def test_an_attribute_that_is_only_counted_on_is_not_told() -> None:
    schedule = Schedule()
    found = scope(schedule)
    assert found.value(ast.parse("schedule.noted()", mode="eval").body) == 1.0
    assert found.counted() == ()


def test_a_closure_leads_to_an_object_as_long_as_it_lives() -> None:
    schedule: Schedule | None = Schedule()

    def step() -> Scope:
        assert schedule is not None
        return scope_of(sys._getframe())[0]

    found, read = step(), ast.parse("schedule.step", mode="eval").body
    assert found.value(read) == 3
    schedule = None
    assert found.value(read) is MISSING


class Trainer:
    def __init__(self) -> None:
        self.step, self.rate, self.limit = 0, 0.1, 4

    def aliases(self, loss: float) -> tuple[Scope, list[Read]]:
        rate = self.rate / 2
        other = self.limit
        other = loss
        return [scope_of(sys._getframe()), rate * loss, other * loss][0]  # type: ignore[return-value]

    def counts(self, loss: float) -> tuple[Scope, list[Read]]:
        self.step += 1
        found = scope_of(sys._getframe())
        return [found, loss / self.step][0]  # type: ignore[return-value]

    def begins_again(self, loss: float) -> tuple[Scope, list[Read]]:
        self.step = 0
        found = scope_of(sys._getframe())
        return [found, loss / self.step if self.step else None][0]  # type: ignore[return-value]


def test_a_name_stands_for_what_it_is_bound_to_once() -> None:
    trainer = Trainer()
    scope, reads = trainer.aliases(1.0)
    values = {read.text: scope.value(read.node) for read in reads}
    assert values["self.rate / 2"] == 0.05
    assert "self.limit" not in values
    trainer.rate = 0.4
    assert [scope.value(read.node) for read in reads if read.text == "self.rate / 2"] == [0.2]


def test_a_number_that_a_function_counts_on_is_told_where_it_computes_with_it() -> None:
    _, reads = Trainer().counts(1.0)
    assert [(read.text, read.counted) for read in reads if read.counted] == [("self.step", ("self.step",))]


def test_a_number_that_a_function_sets_is_left_alone() -> None:
    _, reads = Trainer().begins_again(1.0)
    assert not [read for read in reads if "self.step" in read.text]
