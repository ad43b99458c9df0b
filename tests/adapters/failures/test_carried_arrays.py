"""A TensorArray that was made eagerly cannot go around in a traced loop."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import array_boundaries  # noqa: E402
from tensorwhy.model.facts.loops import ArrayOutside  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

HISTORY = tf.TensorArray(tf.float32, size=0, dynamic_size=True)


@tf.function
def above(xs, limit):
    found = HISTORY
    for x in xs:
        if x > limit:
            found = found.write(found.size(), x)
    return found.stack()


def test_the_array_is_named_with_the_line_that_made_it() -> None:
    with pytest.raises(NotImplementedError) as raised:
        above(tf.constant([0.2, 0.8]), 0.5)
    (fact,) = array_boundaries.probe(live_failure(raised.value, UserCode()))
    assert isinstance(fact, ArrayOutside)
    assert (fact.problem, fact.array, fact.owner) == ("eager-carried", "found", "above")
    assert fact.call.line == above.python_function.__code__.co_firstlineno + 3
    assert fact.created is not None
    assert fact.created.line == above.python_function.__code__.co_firstlineno - 3


@tf.function
def squares(xs):
    found = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        found = found.write(i, xs[i] * xs[i])
    return found


@tf.function
def length(found):
    return found.size()


def test_an_array_that_was_returned_has_no_size() -> None:
    with pytest.raises(AttributeError) as raised:
        length(squares(tf.ones([3])))
    (fact,) = array_boundaries.probe(live_failure(raised.value, UserCode()))
    assert isinstance(fact, ArrayOutside)
    assert (fact.problem, fact.array, fact.use) == ("returned", "found", "size")
