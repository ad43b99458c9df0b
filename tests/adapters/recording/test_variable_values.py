"""Values of variables, as the tool reads them for itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters import variable_values  # noqa: E402


def test_what_the_tool_reads_is_not_recorded(session: Any) -> None:
    variable = tf.Variable([1.0, 2.0])
    before = session.recorder.journal.position
    found = variable_values.value(variable.handle, variable.dtype)
    assert found is not None
    assert np.array_equal(found, [1.0, 2.0])
    assert session.recorder.journal.position == before


def test_a_tape_does_not_watch_what_the_tool_reads() -> None:
    variable = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        read = variable_values.read(variable.handle, variable.dtype)
        product = read * read
    assert tape.gradient(product, read) is None
    assert tape.watched_variables() == ()


def test_a_value_is_read_while_a_function_is_traced() -> None:
    variable = tf.Variable([1, 2])
    before, traced = variable_values.digest(variable), []

    @tf.function
    def read() -> Any:
        traced.append(variable_values.digest(variable))
        return variable + 1

    read()
    assert traced == [before]
    assert before is not None


def test_a_variable_without_a_value_has_none() -> None:
    with tf.Graph().as_default():
        in_a_graph = tf.Variable(1.0)
    assert variable_values.digest(in_a_graph) is None
    seen = []

    @tf.function
    def make() -> Any:
        if not seen:
            seen.append(tf.Variable(1.0))
            seen.append(variable_values.digest(seen[0]))
        return seen[0] + 1.0

    make()
    assert seen[1] is None
