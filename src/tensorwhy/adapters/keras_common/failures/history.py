"""Reads a failed look-up of `_keras_history`: the attribute that only symbolic Keras tensors have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.symbolic import NotSymbolic
from tensorwhy.source.files import Sources

ATTRIBUTE = "_keras_history"


def lookups(live: LiveFailure, generation: int) -> Iterator[NotSymbolic]:
    """The value that was asked for its Keras history and has none. Of two generations Keras 3 tells of it."""
    if generation < 3 and packages.imported(3):
        return
    for stack in live.whole():
        found = _asked(stack)
        frames = stack.user_frames()
        if found is None or not frames or packages.is_keras_tensor(found):
            continue
        given = givens.describe(found, stack, len(stack.frames), live.user, Sources(), parameter="", position=0)
        # The asking expression holds the value, it did not make it.
        yield NotSymbolic(given=given, needed_by=ATTRIBUTE, attribute=ATTRIBUTE, used=frames[-1][1])
        return


def _asked(stack: Stack) -> Any:
    """The object whose look-up raised. TensorFlow's own `__getattr__` holds it as `self`."""
    error = stack.exception
    if not isinstance(error, AttributeError):
        return None
    if getattr(error, "name", None) == ATTRIBUTE:
        return getattr(error, "obj", None)
    if stack.raised.function == "__getattr__" and stack.raised.local("name") == ATTRIBUTE:
        return stack.raised.local("self")
    return None
