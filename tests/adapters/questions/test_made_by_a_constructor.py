"""Tensors that an object makes for itself, and whose gradients are asked for elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


class Holder:
    def __init__(self) -> None:
        self.scale = tf.constant(2.0) * 3.0


def drawn() -> Any:
    return tf.constant(2.0) * 3.0


def place(session: Any, source: Any) -> Any:
    with tf.GradientTape() as tape:
        result = source * 4.0
    assert tape.gradient(result, source) is None
    [fact] = [fact for group in session.facts() for fact in group.facts]
    assert fact.kind == "not-watched"
    return fact.made.source


def test_the_line_in_the_constructor_is_named(session) -> None:
    holder = Holder()
    assert place(session, holder.scale).function.endswith("__init__")


def test_of_what_a_function_returns_it_is_the_call(session) -> None:
    source = drawn()
    assert place(session, source).function.startswith("test_of")
