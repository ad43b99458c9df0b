"""Why functions are traced again, and when that is worth a word."""

from __future__ import annotations

import pytest

from tensorwhy.diagnosis.tracing import anew, causes, retraced
from tensorwhy.model.location import Location
from tensorwhy.model.tracing import Argument, Trace

HERE = Location(file="train.py", line=12)


def value(name: str, shown: object) -> Argument:
    return Argument(name=name, kind="value", shown=str(shown))


def tensor(*shape: int) -> Argument:
    return Argument(name="x", kind="tensor", dtype="float32", shape=shape)


def traces(
    *given: Argument, calls: int = 1, seconds: float = 0.2, pause: float = 0.1, owners: bool = False
) -> list[Trace]:
    return [
        Trace(
            function="step",
            defined=HERE,
            called=HERE,
            owner=number if owners else 0,
            arguments=(each,),
            begun=number * (seconds + pause),
            seconds=seconds,
            calls=calls,
        )
        for number, each in enumerate(given)
    ]


def test_each_trace_is_explained_by_the_most_similar_one_before_it() -> None:
    given = traces(tensor(2), tensor(3), value("x", 1), value("x", 2), value("x", 1))
    assert [cause.why for cause in causes(given)] == ["first", "shape", "structure", "value", "unknown"]
    assert [cause.why for cause in causes(traces(tensor(2), tensor(2), owners=True))] == ["first", "function"]


def test_a_trace_that_created_the_variables_is_followed_by_one_that_uses_them() -> None:
    first = Trace(function="step", variables=(HERE,))
    assert anew(Trace(function="step"), [first]).why == "variables"


def test_a_number_that_is_new_each_time_is_named_with_its_cost() -> None:
    (found,) = retraced(traces(*(value("epoch", number) for number in range(10)), calls=4))
    assert (found.why, found.argument, found.traces, found.calls, found.costly) == ("value", "epoch", 10, 40, True)
    assert found.values == ("0", "1", "2", "...", "9")
    assert (found.seconds, found.elapsed) == (pytest.approx(1.8), pytest.approx(2.7))


def test_traces_that_are_few_or_cheap_and_well_used_are_left_alone() -> None:
    numbers = [value("epoch", number) for number in range(10)]
    assert not list(retraced(traces(*numbers[:5])))
    assert not list(retraced(traces(*numbers, calls=100, pause=2.0)))
    (cheap,) = retraced(traces(*numbers, seconds=0.01, pause=1.0))
    assert not cheap.costly


def test_shapes_count_only_where_nearly_every_call_has_another_one() -> None:
    shapes = [tensor(number) for number in range(12)]
    assert [found.argument for found in retraced(traces(*shapes))] == ["x"]
    assert not list(retraced(traces(*shapes, calls=3)))
    assert not list(retraced(traces(*shapes[:7])))


def test_functions_of_a_library_may_be_traced_as_often_as_it_likes() -> None:
    given = [Trace(function="step", arguments=(value("x", number),), seconds=1.0) for number in range(20)]
    assert not list(retraced(given))


def for_new_objects(count: int, calls: int = 1, made: int = 5) -> list[Trace]:
    made_at = Location(file="train.py", line=made)
    return [
        Trace(function="one_step", called=HERE, owner=n, instance=n, calls=calls, of="Model", of_made=made_at)
        for n in range(count)
    ]


def test_functions_that_a_library_makes_for_each_new_object_are_named_with_the_object() -> None:
    (found,) = retraced(for_new_objects(7))
    assert (found.of, found.created, found.traces, found.costly) == (
        "Model",
        Location(file="train.py", line=5),
        7,
        False,
    )


@pytest.mark.parametrize(
    "given", [for_new_objects(5), for_new_objects(7, calls=12), for_new_objects(3) + for_new_objects(4, made=9)]
)
def test_a_few_new_objects_and_those_that_are_used_often_are_left_alone(given: list[Trace]) -> None:
    assert not list(retraced(given))
