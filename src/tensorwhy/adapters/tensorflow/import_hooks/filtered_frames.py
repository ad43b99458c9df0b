"""Keeps the frames that TensorFlow filters out of tracebacks, so that a failure can be explained from all of them."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.recording import tracebacks
from tensorwhy.recording.locations import UserCode

FILTERS = ("tensorflow.python.util.traceback_utils",)


def install(user: UserCode) -> Callable[[], None]:
    """Keep the frames that TensorFlow filters out of tracebacks."""
    return tracebacks.keep(FILTERS)
