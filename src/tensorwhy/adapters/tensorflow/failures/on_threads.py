"""What was seen of the last exception in a Python function that TensorFlow called on a thread of its own.

It is looked at where it is raised; the program fails later of a status without frames or causes.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.model.facts import Fact

_LATEST: list[tuple[Fact, ...]] = []


def keep(facts: Iterable[Fact]) -> None:
    """What was found out about an exception that was raised just now, in the place of what came before."""
    _LATEST[:] = [tuple(facts)]


def take() -> tuple[Fact, ...]:
    """It is told once."""
    return _LATEST.pop() if _LATEST else ()


def forget() -> None:
    """Whoever asks will get nothing."""
    _LATEST.clear()
