"""Where the user's code made a layer untrainable, remembered weakly."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any

from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode

_TABLE: dict[int, tuple[weakref.ref[Any], tuple[CodeType, int]]] = {}


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every `layer.trainable = False`. Returns what takes the hook out."""
    kept = vars(layer_class).get("trainable")
    if not isinstance(kept, property) or kept.fset is None:
        return lambda: None
    store = kept.fset

    def trainable(layer: Any, value: Any) -> None:
        store(layer, value)
        if not value:
            place = locations.caller(user, sys._getframe(1))
            key = id(layer)
            if place is not None:
                _TABLE[key] = weakref.ref(layer, lambda _: _TABLE.pop(key, None)), place

    hooked = property(kept.fget, trainable, kept.fdel, kept.__doc__)
    layer_class.trainable = hooked

    def undo() -> None:
        if vars(layer_class).get("trainable") is hooked:
            layer_class.trainable = kept

    return undo


def by_handle() -> dict[int, tuple[Location, str]]:
    """For the variables of layers that are untrainable now: where that was said, and the layer's name."""
    from tensorwhy.adapters.keras_common.training import handles_of

    found: dict[int, tuple[int, tuple[Location, str]]] = {}
    for reference, place in list(_TABLE.values()):
        layer = reference()
        if layer is None or getattr(layer, "trainable", True):
            continue
        own = handles_of(layer, "variables")
        for handle in own:
            if handle not in found or found[handle][0] < len(own):
                found[handle] = len(own), (locations.resolve(*place), str(getattr(layer, "name", "")))
    return {handle: said for handle, (_, said) in found.items()}
