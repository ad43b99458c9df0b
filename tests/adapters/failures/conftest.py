"""What tests of failed programs leave behind in TensorFlow is put right again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def usable_variable_scope() -> Iterator[None]:
    """A `tf.scan` that fails in a graph leaves a caching device in the variable scope, which eager code refuses."""
    yield
    tf = pytest.importorskip("tensorflow")
    with tf.compat.v1.get_default_graph().as_default():  # in eager code it may not be set at all
        tf.compat.v1.get_variable_scope().set_caching_device(None)
