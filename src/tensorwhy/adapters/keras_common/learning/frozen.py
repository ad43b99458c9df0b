"""Where the user's code made a layer untrainable, or trainable again, remembered weakly.

A program that builds its model in a function has lost it when it ends, sooner or later: for what is gone counts what
was last said of its variables.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from collections import deque
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.patches import quietly, replaced
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode

clock = itertools.count(1)
"""Orders what is said of layers, and when models are compiled."""


class Said(NamedTuple):
    """`layer.trainable = value`, where, and as which of all such statements; `name` and variables are those of then.

    `frees`: the layer was untrainable until then.
    """

    layer: weakref.ref[Any]
    place: tuple[CodeType, int]
    value: bool
    time: int
    name: str
    handles: frozenset[int]
    frees: bool = False


_TABLE: dict[int, Said] = {}
_GONE: deque[Said] = deque(maxlen=1000)
"""The last statements about layers that are gone."""
listeners: list[Callable[[Any, Said], None]] = []
"""Called with each statement, and with the layer that it is about."""
_BETWEEN = ("__setattr__", "_method_wrapper", "trainable")
"""The functions of Keras and TensorFlow between the statement and the property's setter."""


class _Made(NamedTuple):
    """A layer that was untrainable when its variable was first seen, and where it was made."""

    layer: weakref.ref[Any]
    place: Location
    name: str
    time: int


_MADE: dict[int, _Made] = {}
"""By the handle of the variable."""


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every `layer.trainable = ...`. Returns what takes the hook out."""
    kept = vars(layer_class).get("trainable")
    if not isinstance(kept, property) or kept.fset is None:
        return lambda: None
    store = kept.fset

    def trainable(layer: Any, value: Any) -> None:
        # A layer that is being made may not know yet whether it is trainable.
        frees = quietly(lambda: bool(value) and layer.trainable is False, False)
        store(layer, value)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in _BETWEEN:
            frame = frame.f_back
        # Keras 2 sets it for its own purposes, too: while it trains, as it was compiled.
        by_user = frame is not None and user.owns(frame.f_code.co_filename)
        place = locations.caller(user, frame) if by_user else None
        if place is not None:
            _note(layer, place, bool(value), frees)

    return replaced(layer_class, "trainable", lambda old: property(old.fget, trainable, old.fdel, old.__doc__))


def _note(layer: Any, place: tuple[CodeType, int], value: bool, frees: bool = False) -> None:
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    none: frozenset[int] = frozenset()
    handles = quietly(lambda: frozenset(handles_of(layer, "variables")), none)
    key = id(layer)

    def gone(_: weakref.ref[Any]) -> None:
        said = _TABLE.pop(key, None)
        if said is not None and said.handles:
            _GONE.append(said)

    name = str(getattr(layer, "name", ""))
    said = _TABLE[key] = Said(weakref.ref(layer, gone), place, value, next(clock), name, handles, frees)
    for listen in listeners:
        listen(layer, said)


def met(handle: int, layer: Any) -> None:
    """A variable was seen for the first time: remember a layer that was made with `trainable=False`."""
    made = creations.made(layer)
    if made is not None and id(layer) not in _TABLE and not getattr(layer, "trainable", True):
        _MADE[handle] = _Made(weakref.ref(layer), made, str(getattr(layer, "name", "")), next(clock))


def said_of(layer: Any) -> Said | None:
    """The last statement about this very layer."""
    said = _TABLE.get(id(layer))
    return said if said is not None and said.layer() is layer else None


def last_said(handles: set[int], value: bool | None = None) -> Said | None:
    """The last statement about a layer that has some of these variables (and that set it to this value)."""
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    for said in sorted(_TABLE.values(), key=lambda said: -said.time):
        layer = said.layer()
        if layer is not None and value in (None, said.value) and handles_of(layer, "variables") & handles:
            return said
    return None


def freed(handles: set[int], since: int) -> Said | None:
    """The last statement by which a layer that had all these variables became trainable after a time."""
    fits = (said for said in (*_TABLE.values(), *_GONE) if said.frees and said.time > since and said.handles >= handles)
    return max(fits, key=lambda said: said.time, default=None)


def by_handle() -> dict[int, tuple[Location, str]]:
    """For the variables of layers that are untrainable now: where that was said, and the layer's name."""
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    found: dict[int, tuple[int, tuple[Location, str]]] = {}

    def tell(own: set[int] | frozenset[int], name: str, place: Location) -> None:
        for handle in own:
            if handle not in found or found[handle][0] < len(own):
                found[handle] = len(own), (place, name)

    def freed(since: int) -> set[int]:
        return {h for each in (*alive, *gone) if each.value and each.time > since for h in each.handles}

    alive, gone = list(_TABLE.values()), list(_GONE)
    for said in alive:
        layer = said.layer()
        if layer is not None and not getattr(layer, "trainable", True):
            tell(handles_of(layer, "variables"), said.name, locations.resolve(*said.place))
    for said in gone:
        if not said.value and not said.handles & freed(said.time):
            tell(said.handles, said.name, locations.resolve(*said.place))
    for layer in creations.live(("layer",)):
        made = creations.made(layer)  # with `trainable=False` among the arguments
        if (
            made is not None
            and not getattr(layer, "trainable", True)
            and not handles_of(layer, "variables") & set(found)
        ):
            tell(handles_of(layer, "variables"), str(getattr(layer, "name", "")), made)
    for handle, made_so in list(_MADE.items()):
        if handle not in found and made_so.layer() is None and handle not in freed(made_so.time):
            tell({handle}, made_so.name, made_so.place)
    return {handle: told for handle, (_, told) in found.items()}
