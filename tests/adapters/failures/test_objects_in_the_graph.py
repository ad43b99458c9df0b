"""Python objects that a traced branch or loop was to choose or to carry on: a graph has tensors only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import branches, carried_objects  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    """As in a recording: nothing is filtered out of tracebacks."""
    undo = filtered_frames.install(UserCode())
    yield
    undo()


class Reversed:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, x: Any) -> Any:
        return -self.function(x)


class Cursor:
    def __init__(self, at: Any) -> None:
        self.at = at

    def ahead(self) -> Any:
        return Cursor(self.at + 1)


def facts(function: Callable[..., Any], *args: Any) -> list[Any]:
    try:
        tf.function(function)(*args)
    except Exception as error:
        live = live_failure(error, UserCode())
        return [*branches.probe(live), *carried_objects.probe(live)]
    raise AssertionError("nothing failed")


def in_a_branch(x: Any) -> Any:
    call = tf.math.square
    if tf.reduce_sum(x) > 0:
        call = Reversed(call)
    return call(x)


def test_an_object_that_a_branch_gives_a_name() -> None:
    (fact,) = facts(in_a_branch, tf.ones([2]))
    assert (fact.problem, fact.construct, fact.variable, fact.branch) == ("object", "if", "call", "main")
    assert fact.got == "Reversed"
    assert fact.changed.line == in_a_branch.__code__.co_firstlineno + 3


def in_the_other_branch(x: Any) -> Any:
    if tf.reduce_sum(x) > 0:
        call = x
    else:
        call = Reversed(tf.math.square)
    return call


def test_an_object_in_the_else_branch() -> None:
    (fact,) = facts(in_the_other_branch, tf.ones([2]))
    assert (fact.problem, fact.variable, fact.branch) == ("object", "call", "else")


def in_a_loop(n: Any) -> Any:
    cursor = Cursor(tf.constant(0))
    while cursor.at < n:
        cursor = cursor.ahead()
    return cursor.at


def test_an_object_that_a_loop_changes() -> None:
    (fact,) = facts(in_a_loop, tf.constant(3))
    assert (fact.problem, fact.construct, fact.variable, fact.got) == ("object", "while", "cursor", "Cursor")


def fails_by_itself(x: Any) -> Any:
    call = tf.math.square
    if tf.reduce_sum(x) > 0:
        x = tf.convert_to_tensor(Cursor(x))
    return call(x)


def test_an_object_that_the_branch_itself_makes_a_tensor_of_is_its_own_mistake() -> None:
    assert facts(fails_by_itself, tf.ones([2])) == []


def made_anew_in_each_round(n: Any) -> Any:
    total = 0
    for i in tf.range(n):
        cursor = Cursor(i)
        total += cursor.ahead().at
    return total


def test_objects_that_are_made_in_each_round_are_fine() -> None:
    assert tf.function(made_anew_in_each_round)(tf.constant(3)) == 6


def given_by_a_function(x: Any) -> Any:
    cursor = tf.cond(
        tf.reduce_sum(x) > 0,
        lambda: x,
        lambda: Cursor(x),
    )
    return cursor


def test_an_object_that_the_function_for_a_branch_returns() -> None:
    (fact,) = facts(given_by_a_function, tf.ones([2]))
    assert (fact.problem, fact.construct, fact.branch, fact.got) == ("object", "cond", "else", "Cursor")
    assert fact.changed.line == given_by_a_function.__code__.co_firstlineno + 4


def one_of_several(x: Any) -> Any:
    return tf.switch_case(tf.cast(x[0], tf.int32), [lambda: x, lambda: (x, Cursor(x)), lambda: x])


def test_an_object_beside_tensors_in_one_of_several_branches() -> None:
    (fact,) = facts(one_of_several, tf.ones([2]))
    assert (fact.construct, fact.branch, fact.got) == ("switch_case", "number 1", "Cursor")


def by_conditions(x: Any) -> Any:
    return tf.case([(x[0] > 0, lambda: x), (x[1] > 0, lambda: Cursor(x))], default=lambda: x)


def test_an_object_behind_the_second_condition() -> None:
    (fact,) = facts(by_conditions, tf.ones([2]))
    assert (fact.construct, fact.branch, fact.got) == ("case", "later", "Cursor")


def from_within(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.function(Cursor)(x), lambda: x)


def test_an_object_that_a_traced_function_returns_in_a_branch_is_not_the_branchs() -> None:
    assert [fact for fact in facts(from_within, tf.ones([2])) if fact.construct == "cond"] == []
