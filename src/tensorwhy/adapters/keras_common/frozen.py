"""Where the user's code made a layer untrainable, or trainable again, remembered weakly."""

from __future__ import annotations

import itertools
import sys
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import stamps
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode

clock = itertools.count(1)
"""Orders what is said of layers, and when models are compiled."""


class Said(NamedTuple):
    """`layer.trainable = value`, where, and as which of all such statements."""

    layer: weakref.ref[Any]
    place: tuple[CodeType, int]
    value: bool
    time: int


_TABLE: dict[int, Said] = {}
_BETWEEN = ("__setattr__", "_method_wrapper", "trainable")
"""The functions of Keras and TensorFlow between the statement and the property's setter."""


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every `layer.trainable = ...`. Returns what takes the hook out."""
    kept = vars(layer_class).get("trainable")
    if not isinstance(kept, property) or kept.fset is None:
        return lambda: None
    store = kept.fset

    def trainable(layer: Any, value: Any) -> None:
        store(layer, value)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in _BETWEEN:
            frame = frame.f_back
        # Keras 2 sets it for its own purposes, too: while it trains, as it was compiled.
        by_user = frame is not None and user.owns(frame.f_code.co_filename)
        place = locations.caller(user, frame) if by_user else None
        key = id(layer)
        if place is not None:
            _TABLE[key] = Said(weakref.ref(layer, lambda _: _TABLE.pop(key, None)), place, bool(value), next(clock))

    hooked = property(kept.fget, trainable, kept.fdel, kept.__doc__)
    layer_class.trainable = hooked

    def undo() -> None:
        if vars(layer_class).get("trainable") is hooked:
            layer_class.trainable = kept

    return undo


def last_said(handles: set[int], value: bool | None = None) -> Said | None:
    """The last statement about a layer that has some of these variables (and that set it to this value)."""
    from tensorwhy.adapters.keras_common.training import handles_of

    for said in sorted(_TABLE.values(), key=lambda said: -said.time):
        layer = said.layer()
        if layer is not None and value in (None, said.value) and handles_of(layer, "variables") & handles:
            return said
    return None


def by_handle() -> dict[int, tuple[Location, str]]:
    """For the variables of layers that are untrainable now: where that was said, and the layer's name."""
    from tensorwhy.adapters.keras_common.training import handles_of

    found: dict[int, tuple[int, tuple[Location, str]]] = {}

    def tell(layer: Any, place: Location) -> None:
        own = handles_of(layer, "variables")
        for handle in own:
            if handle not in found or found[handle][0] < len(own):
                found[handle] = len(own), (place, str(getattr(layer, "name", "")))

    for said in list(_TABLE.values()):
        layer = said.layer()
        if layer is not None and not getattr(layer, "trainable", True):
            tell(layer, locations.resolve(*said.place))
    for layer in stamps.live(("layer",)):
        made = stamps.made(layer)  # with `trainable=False` among the arguments
        if (
            made is not None
            and not getattr(layer, "trainable", True)
            and not handles_of(layer, "variables") & set(found)
        ):
            tell(layer, made)
    return {handle: told for handle, (_, told) in found.items()}
