"""Watches what is saved and loaded, and compares: which state did a file leave as it was?

Of a checkpoint, a variable that has the same value after it was read as before is looked for in the file: it is there
(it had that value), or the file knows nothing of it. What a model makes later, when it is called for the first time, is
compared then. Of a model of Keras 3, what it computes with and does not list is compared with what it was when the file
was written.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common.learning import calls
from tensorwhy.adapters.keras_common.survival import states
from tensorwhy.adapters.keras_common.survival.states import State
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

Read = Callable[[str, set[tuple[int, ...]]], dict[str, tuple[tuple[int, ...], bytes]]]
"""The values in a file that have one of these shapes, by their names: shapes and fingerprints."""
_Place = tuple[CodeType, int] | None


class Load(msgspec.Struct, kw_only=True):
    """One file that was read, and what it left as it was. `unused` are values in it of the same shapes."""

    file: str
    place: _Place
    model: str
    left: list[State]
    saved_at: _Place = None
    unused: tuple[str, ...] = ()
    late: bool = False
    partial: bool = False
    whole: bool = False


class _Saved(msgspec.Struct, frozen=True):
    """What a model was when a file was written."""

    model: str
    states: tuple[State, ...]
    place: _Place


LOADS: list[Load] = []
_SAVED: dict[str, _Saved] = {}
_READS: dict[int, tuple[weakref.ref[Any], list[Load]]] = {}
guarded = Bulkhead()
"""Why nothing more is seen of files, if a hook failed."""


def clear() -> None:
    """Forget everything."""
    LOADS.clear()
    _SAVED.clear()
    _READS.clear()
    calls.waiting.clear()
    guarded.failure = ""


def partly(status: Any) -> None:
    """The program says that a checkpoint need not have everything."""
    for reference, loads in _READS.values():
        if reference() is getattr(status, "_checkpoint", None):
            for load in loads:
                load.partial = True


def reading(roots: Callable[[Any], dict[str, Any]], read: Read, user: UserCode) -> Callable[..., Any]:
    """A wrapper of a checkpoint's method that reads a file into the objects that are its attributes."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(checkpoint: Any, *args: Any, **kwargs: Any) -> Any:
            path = args[0] if args else kwargs.get("save_path")
            place = locations.caller(user, sys._getframe(1))
            if guarded.failure or path is None or place is None:
                return None
            known = {name: list(states.of(each, user)) for name, each in roots(checkpoint).items()}
            return (checkpoint, *args), kwargs, (checkpoint, os.fspath(path), place, known)

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(_has_read, *state, roots, read, user, result)

        return around(original, before, after)

    return wrap


def _has_read(
    checkpoint: Any,
    path: str,
    place: _Place,
    known: dict[str, list[State]],
    roots: Callable[[Any], dict[str, Any]],
    read: Read,
    user: UserCode,
    status: Any,
) -> None:
    loads: list[Load] = []
    for name, thing in roots(checkpoint).items():
        load = Load(file=path, place=place, model=name, left=[])
        now = list(states.of(thing, user))
        listed = [each for each in now if each.listed]
        if not listed and hasattr(thing, "call"):
            load.late = True
            calls.waiting[id(thing)] = _later(weakref.ref(thing), load, read, user)
        before = {each.handle: each.value for each in known[name]}
        same = [each for each in listed if each.value is not None and before.get(each.handle) == each.value]
        _compare(load, same, read)
        loads.append(load)
    LOADS.extend(loads)
    pending = getattr(status, "_checkpoint", None)
    if pending is not None:
        _READS[id(pending)] = weakref.ref(pending), loads


def _later(thing: weakref.ref[Any], load: Load, read: Read, user: UserCode) -> Callable[[Any], None]:
    def called(layer: Any) -> None:
        if thing() is layer:
            guarded(lambda: _compare(load, [each for each in states.of(layer, user) if each.listed], read))

    return called


def _compare(load: Load, suspects: list[State], read: Read) -> None:
    """Keep those whose value is not in the file."""
    if not suspects:
        return
    values = read(load.file, {each.shape for each in suspects})
    there = set(values.values())
    load.left += [each for each in suspects if (each.shape, each.value) not in there]
    shapes = {each.shape for each in load.left}
    load.unused = tuple(name for name, (shape, _) in values.items() if shape in shapes)


def saving(user: UserCode) -> Callable[..., Any]:
    """A wrapper of a function that writes a model to a file: `save(model, filepath, ...)`."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(model: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
            return (model, filepath, *args), kwargs, (model, filepath, locations.caller(user, sys._getframe(1)))

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(_has_saved, *state)

        def _has_saved(model: Any, filepath: Any, place: _Place) -> None:
            _SAVED[_key(filepath)] = _Saved(type(model).__name__, tuple(states.of(model, user)), place)

        return around(original, before, after)

    return wrap


def loading(user: UserCode, whole: bool) -> Callable[..., Any]:
    """A wrapper of a function that reads a model from a file: `load(filepath)`, or `load(model, filepath)`."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(*args: Any, **kwargs: Any) -> Any:
            given = (*args, *kwargs.values())
            path = given[0] if whole else given[1]
            partial = bool(kwargs.get("skip_mismatch", False))
            return args, kwargs, (None if whole else given[0], path, partial, locations.caller(user, sys._getframe(1)))

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(_has_loaded, *state, result, user)

        return around(original, before, after)

    return wrap


def _has_loaded(given: Any, filepath: Any, partial: bool, place: _Place, result: Any, user: UserCode) -> None:
    saved = _SAVED.get(_key(filepath))
    model = result if given is None else given
    if saved is None or saved.model != type(model).__name__:
        return
    then = {each.key: each for each in saved.states if not each.listed}
    left = [
        each
        for each in states.of(model, user)
        if not each.listed and each.key in then and then[each.key].value != each.value
    ]
    if given is None:
        left += _lost(model, saved, [each for each in states.of(model, user) if each.listed])
    load = Load(file=str(filepath), place=place, model=saved.model, left=left, saved_at=saved.place, partial=partial)
    load.whole = given is None
    LOADS.append(load)


def _lost(model: Any, saved: _Saved, now: list[State]) -> Iterator[State]:
    """The variables of a whole model that was made from a file, and that are not what they were when it was written."""
    before = [each for each in saved.states if each.listed]
    if [each.shape for each in before] != [each.shape for each in now]:
        return  # not the same model any more
    sources = Sources()
    for then, each in zip(before, now):
        known = then.value is not None and each.value is not None and each.floating  # a seed may well be another one
        if known and then.value != each.value:
            yield states.held_by_a_name_of_keras(model, each, sources)


def _key(filepath: Any) -> str:
    return os.path.abspath(str(filepath))


def watch_keras(package: Any, user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch the functions of Keras 3 that write and read files; yields what takes the hooks out."""
    for name, wrap in (
        ("save_model", saving(user)),
        ("save_weights_only", saving(user)),
        ("load_model", loading(user, whole=True)),
        ("load_weights_only", loading(user, whole=False)),
    ):
        yield replaced(package, name, wrap)
    yield clear
