"""What was seen of the last exception in a Python function that TensorFlow called on a thread of its own.

It is looked at where it is raised; the program fails later of a status without frames or causes.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact

_LATEST: list[tuple[Fact, ...]] = []


def keep(facts: Iterable[Fact]) -> None:
    """What was found out about an exception that was raised just now, in the place of what came before."""
    _LATEST[:] = [tuple(facts)]


def told(live: LiveFailure) -> tuple[Fact, ...]:
    """It is told once, where only a status came back."""
    last = isinstance(live.exceptions[-1], (errors_impl.InvalidArgumentError, errors_impl.UnknownError))
    status = last or isinstance(live.exceptions[0], errors_impl.OpError)
    return _LATEST.pop() if _LATEST and status else ()


def forget() -> None:
    """Whoever asks will get nothing."""
    _LATEST.clear()
