"""A Python function that TensorFlow called failed on a thread of TensorFlow's, and only a status came back."""

from __future__ import annotations

from collections.abc import Iterator

from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import on_threads
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    """What was seen of the exception when it was raised."""
    if isinstance(live.exceptions[-1], (errors_impl.InvalidArgumentError, errors_impl.UnknownError)) or isinstance(
        live.exceptions[0], errors_impl.OpError
    ):
        yield from on_threads.take()
