"""Updates of state that Keras 2 is given and does not make: `add_update((variable, value))`, the way of Keras 1.

`add_update` calls what can be called, and takes everything else for something that was executed already. A variable
with its new value beside it is neither, and the variable stays as it is without a word.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import msgspec

from tensorwhy.adapters import autograph, variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.training import UnheardUpdate
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


class _Pair(msgspec.Struct, frozen=True):
    variable: weakref.ref[Any]
    name: str
    made: Location | None
    layer: str
    value: bytes | None


_PAIRS: dict[tuple[Location, str], _Pair] = {}


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Look at what `add_update` of this class is given. Returns what takes the hook out."""
    looking = Bulkhead()

    def hooked(original: Any) -> Any:
        @functools.wraps(original)
        def add_update(self: Any, *args: Any, **kwargs: Any) -> Any:
            looking(_look, self, (*args, *kwargs.values()), user, sys._getframe(1))
            return original(self, *args, **kwargs)

        return add_update

    put_back = replaced(layer_class, "add_update", hooked)

    def undo() -> None:
        put_back()
        _PAIRS.clear()

    return undo


def _look(layer: Any, given: tuple[Any, ...], user: UserCode, frame: FrameType) -> None:
    for variable in _set_beside(given[0]) if given else ():
        place = _place(user, frame)
        name = str(variable.name).partition(":")[0]
        if place is None or (place, name) in _PAIRS:
            continue
        _PAIRS[place, name] = _Pair(
            weakref.ref(variable),
            name,
            creations.made(variable),
            type(layer).__name__,
            variable_values.digest(variable),
        )


def _set_beside(updates: Any) -> Iterator[Any]:
    """The variables of (variable, new value) pairs. What an assignment returns is no plain variable, and no pair."""
    if not isinstance(updates, (list, tuple)):
        return
    if len(updates) == 2 and packages.sort(updates[0]) == "variable" and _is_value(updates[1]):
        if type(updates[0]).__name__ != "_UnreadVariable":
            yield updates[0]
        return
    for each in updates:
        yield from _set_beside(each)


def _is_value(thing: Any) -> bool:
    return packages.sort(thing) in ("eager tensor", "graph tensor", "array", "number")


def _place(user: UserCode, frame: FrameType | None) -> Location | None:
    while frame is not None:
        file = frame.f_code.co_filename
        if autograph.is_generated(file):
            found = autograph.original(file, frame.f_lineno)
            if found is not None and user.owns(found.file):
                return found
        elif user.owns(file):
            return locations.of_frame(frame)
        frame = frame.f_back
    return None


def facts(_: object, generation: int) -> Iterator[UnheardUpdate]:
    """The pairs whose variable was not changed by anything else either, as far as it can be asked."""
    sources = Sources()
    for (place, name), pair in _PAIRS.items() if generation == 2 else ():
        variable = pair.variable()
        if variable is None or variable_values.digest(variable) == pair.value:
            names = sources.names(pair.made) if pair.made is not None else ()
            yield UnheardUpdate(
                variable=names[0] if len(names) == 1 else name, layer=pair.layer, given=place, made=pair.made
            )
