"""A variable that is only annotated before a traced branch or loop has no value there."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import bare_annotations  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@tf.function
def chosen(x: Any) -> Any:
    result: Any
    if tf.reduce_sum(x) > 0.0:
        result = x
    else:
        result = -x
    return result


@tf.function
def best(rows: Any) -> Any:
    found: Any
    for row in rows:
        found = row
    return found


@tf.function
def misspelt(x: Any) -> Any:
    if tf.reduce_sum(x) > 0.0:
        x = y  # noqa: F821  # type: ignore[name-defined]
    return x


def facts(failing: Callable[[], object]) -> list[Any]:
    try:
        failing()
    except Exception as error:
        return list(bare_annotations.probe(live_failure(error, UserCode())))
    raise AssertionError("nothing failed")


@pytest.mark.skipif(
    tuple(map(int, tf.__version__.split(".")[:2])) < (2, 9), reason="AutoGraph leaves such a function as it is"
)
@pytest.mark.parametrize(
    ("function", "construct", "name"), [(chosen, "if", "result"), (best, "for", "found")], ids=["if", "for"]
)
def test_the_annotation_is_named(function: Any, construct: str, name: str) -> None:
    (fact,) = facts(lambda: function(tf.ones([2, 3])))
    assert (fact.problem, fact.construct, fact.variable) == ("annotated", construct, name)
    assert linecache.getline(fact.before.file, fact.before.line).strip() == f"{name}: Any"


def test_another_name_without_a_value_is_no_annotation() -> None:
    assert facts(lambda: misspelt(tf.ones([2]))) == []
