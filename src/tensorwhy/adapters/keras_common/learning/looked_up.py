"""Names that callbacks look up in the results of an epoch.

A callback of a library that finds nothing under the name that it was given goes on without a word, or with a warning
in words. It is given the results in a dict that notes what is asked for and not there. Callbacks of the user's own get
the dict as it is.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.model.facts.data import MissingName
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode

_METHOD = "on_epoch_end"


class _Results(dict[str, Any]):
    """The results of an epoch. `missing` are the names that were asked for without a default.

    It is made as every dict is: TensorFlow rebuilds a structure with `type(logs)()`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.missing: set[str] = set()

    def get(self, key: Any, default: Any = None) -> Any:
        if default is None and key not in self:
            self.missing.add(key)
        return super().get(key, default)

    def __missing__(self, key: Any) -> Any:
        self.missing.add(key)
        raise KeyError(key)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class _Seen(msgspec.Struct, kw_only=True):
    """What one callback was given and asked for. `held` are the names among its attributes."""

    callback: weakref.ref[Any]
    generation: int | None
    kind: str
    made: Location | None
    trained: Location | None
    held: set[str]
    names: dict[str, None] = {}
    missing: set[str] = set()
    epochs: int = 0


_SEEN: dict[int, _Seen] = {}


def watch(callback: Any, callback_list: Any, user: UserCode) -> Callable[[], None]:
    """Hook these classes of a Keras package. Return a function that removes all hooks."""
    hooked: dict[Any, tuple[Any, Any]] = {}
    undo_creations = creations.after(callback, "__init__", user)
    kept = vars(callback_list)[_METHOD]
    running: list[Location] = []

    def before_all(callbacks: Any, *args: Any, **kwargs: Any) -> None:
        place = locations.caller(user, sys._getframe(1))
        running[:] = [locations.resolve(*place)] if place is not None else []
        for owner in {cls: None for each in callbacks.callbacks for cls in type(each).__mro__}:
            function = vars(owner).get(_METHOD)
            code = getattr(function, "__code__", None)
            if owner in hooked or owner is callback or function is None or code is None or user.owns(code.co_filename):
                continue
            wrapped = around(function, before, after)
            setattr(owner, _METHOD, wrapped)
            hooked[owner] = function, wrapped

    def before(self: Any, *args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any], Any] | None:
        logs = args[1] if len(args) > 1 else kwargs.get("logs")
        if type(logs) is not dict:
            return None
        results = _Results(logs)
        if len(args) > 1:
            args = (args[0], results, *args[2:])
        else:
            kwargs = {**kwargs, "logs": results}
        return (self, *args), kwargs, (self, logs, results)

    def after(state: tuple[Any, dict[str, Any], _Results], raised: BaseException | None, result: Any) -> None:
        callback, logs, results = state
        for key in [key for key in logs if key not in results]:
            del logs[key]
        logs.update(results)
        _note(callback, logs, results.missing, running[0] if running else None)

    whole = around(kept, before_all, lambda *args: None)
    setattr(callback_list, _METHOD, whole)

    def undo() -> None:
        undo_creations()
        if vars(callback_list)[_METHOD] is whole:
            setattr(callback_list, _METHOD, kept)
        for owner, (function, wrapped) in hooked.items():
            if vars(owner)[_METHOD] is wrapped:
                setattr(owner, _METHOD, function)
        _SEEN.clear()

    return undo


def _note(callback: Any, logs: dict[str, Any], missing: set[str], trained: Location | None) -> None:
    seen = _SEEN.get(id(callback))
    if seen is None or seen.callback() is not callback:
        seen = _SEEN[id(callback)] = _Seen(
            callback=weakref.ref(callback),
            generation=packages.generation_of(callback),
            kind=type(callback).__name__,
            made=creations.made(callback),
            trained=trained,
            held=set(),
        )
    seen.held.update(each for each in vars(callback).values() if isinstance(each, str))
    seen.names.update(dict.fromkeys(logs))
    seen.missing.update(missing)
    seen.epochs += 1


def facts(_: object, generation: int) -> Iterator[MissingName]:
    """The names that callbacks of this generation were made with, and that were in no epoch's results."""
    for seen in _SEEN.values():
        for name in sorted((seen.missing & seen.held) - set(seen.names)) if seen.generation == generation else ():
            yield MissingName(
                callback=seen.kind,
                name=name,
                names=tuple(seen.names),
                epochs=seen.epochs,
                made=seen.made,
                trained=seen.trained,
            )
