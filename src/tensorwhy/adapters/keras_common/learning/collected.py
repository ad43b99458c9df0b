"""Remembers which tensors were handed to Keras to be added to the loss (`add_loss`), and where.

A layer's losses are cleared before its next call, and a training loop of one's own may forget to add them: then what
such a tensor was computed from gets no gradient.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import Any

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common.learning import late_names
from tensorwhy.adapters.patches import replaced
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.around import told
from tensorwhy.recording.locations import UserCode

_MOST = 10_000
"""Of so many tensors it is known: in a long eager training each call adds some."""
_PLACES: dict[int, tuple[CodeType, int] | Location] = {}


def place(tensor: int) -> Location | None:
    """Return the user's line that handed this tensor (by its `_id`) to Keras as a loss."""
    found = _PLACES.get(tensor)
    return found if found is None or isinstance(found, Location) else locations.resolve(*found)


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every call of `add_loss`; return what takes the hook out."""

    def has_added(result: Any, layer: Any, losses: Any = None, *args: Any, **kwargs: Any) -> None:
        given = losses if losses is not None else kwargs.get("loss")
        added = given if isinstance(given, (list, tuple)) else [given]
        keys = [getattr(each, "_id", None) for each in added]
        functions = [each for each in added if isinstance(each, FunctionType)]
        where = _caller(sys._getframe(1), user) if functions or any(type(key) is int for key in keys) else None
        if where is not None:
            _PLACES.update({key: where for key in keys if type(key) is int})
            while len(_PLACES) > _MOST:
                del _PLACES[next(iter(_PLACES))]
            for each in functions:
                late_names.given(each, where)

    put_back = replaced(layer_class, "add_loss", lambda original: told(original, has_added))

    def undo() -> None:
        put_back()
        late_names.clear()

    return undo


def _caller(frame: FrameType | None, user: UserCode) -> tuple[CodeType, int] | Location | None:
    """The nearest line of the user's, also where AutoGraph runs its own copy of it."""
    while frame is not None:
        file = frame.f_code.co_filename
        if user.owns(file):
            return frame.f_code, frame.f_lasti
        found = autograph.original(file, frame.f_lineno) if autograph.is_generated(file) else None
        if found is not None and user.owns(found.file):
            return found
        frame = frame.f_back
    return None
