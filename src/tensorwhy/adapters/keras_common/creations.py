"""The user's line of every Keras node, layer and variable, remembered weakly when it is created.

A disconnected model fails where it is assembled; which line made each of its tensors is known only at build time.
Objects are created once, so this costs nothing per training step, and nothing is kept alive: the table holds weak
references, and an entry goes with its object.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import packages
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.around import told
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode


class _Creation(NamedTuple):
    """`place` is cheap to keep and resolved when asked; AutoGraph's code is resolved at once, as its maps may go.

    `within`: where the outermost of the layers was made that were made in a call, and that this thing was made in.
    `maker`: of a variable, the layer that made it when it was called.
    """

    reference: weakref.ref[Any]
    place: tuple[CodeType, int] | Location
    inner: bool
    direct: bool
    during_call: bool
    within: tuple[CodeType, int] | Location | None = None
    asked: bool = False
    maker: weakref.ref[Any] | None = None


_TABLE: dict[int, _Creation] = {}
_PLACES = 1024


def made(thing: object) -> Location | None:
    """Where the user's code made this object; None when it was not seen."""
    found = _found(thing)
    return _resolved(found.place) if found is not None else None


def made_within(thing: object) -> Location | None:
    """Where a layer was made in a call, and this object in that layer's own call: of several the outermost."""
    found = _found(thing)
    return _resolved(found.within) if found is not None and found.within is not None else None


def maker(variable: object) -> Any:
    """The layer that made this variable when it was called, if that layer is still there."""
    found = _found(variable)
    return found.maker() if found is not None and found.maker is not None else None


_LOCATIONS: dict[tuple[int, int], tuple[CodeType, Location]] = {}
"""By the id of the code: one line of a loop may make thousands of variables. Equal code may stand in two files."""


def _resolved(place: tuple[CodeType, int] | Location) -> Location:
    if isinstance(place, Location):
        return place
    code, at = place
    known = _LOCATIONS.get((id(code), at))
    if known is None:
        if len(_LOCATIONS) > _PLACES:
            _LOCATIONS.clear()
        known = _LOCATIONS[id(code), at] = code, locations.resolve(code, at)
    return known[1]


def made_inside(thing: object) -> bool:
    """Whether the object was made in a function of the user that a library called (a loss, a layer's `call`)."""
    found = _found(thing)
    return found is not None and found.inner


def live(kinds: tuple[str, ...]) -> list[Any]:
    """The remembered objects of these Keras kinds that are still alive."""
    return [thing for thing in alive() if packages.kind_of(thing) in kinds]


def alive() -> list[Any]:
    """Every remembered object that is still alive."""
    things = [creation.reference() for creation in list(_TABLE.values())]
    return [thing for thing in things if thing is not None]


def made_directly(thing: object) -> bool:
    """Whether the user's own call made it: no layer, optimizer or metric of Keras stood in between."""
    found = _found(thing)
    return found is not None and found.direct


def _found(thing: object) -> _Creation | None:
    found = _TABLE.get(id(thing))
    return found if found is not None and found.reference() is thing else None


def remember(thing: object, user: UserCode, frame: FrameType | None) -> None:
    """Remember the nearest user frame at or above `frame` as the maker of `thing`."""
    direct, start = True, frame
    while frame is not None:
        file = frame.f_code.co_filename
        if user.owns(file) and not _constructs(frame, thing):
            _keep(thing, (frame.f_code, frame.f_lasti), _called_by_library(frame, user), direct, frame, start)
            return
        if autograph.is_generated(file):
            place = autograph.original(file, frame.f_lineno)
            if place is not None and user.owns(place.file):
                _keep(thing, place, True, direct, frame, start)
                return
        module = frame.f_globals.get("__name__", "")
        # `K.variable` and `keras.Variable` are the user's own ways to make a variable.
        if direct and packages.is_keras_module(module) and "backend" not in module:
            direct = False
        frame = frame.f_back


def _constructs(frame: FrameType, thing: object) -> bool:
    """Whether this is the constructor of the thing itself: what counts is the line that called it."""
    return frame.f_code.co_name == "__init__" and locals_of(frame).get("self") is thing


# Functions in which models are assembled, whoever calls them.
_ASSEMBLING = ("<module>", "__init__", "build")


def _called_by_library(frame: FrameType, user: UserCode) -> bool:
    """Whether a library called this function; or Keras or TensorFlow one that called it, by way of the user's own."""
    caller = frame.f_back
    if frame.f_code.co_name == "<module>" or caller is None:
        return False
    if not user.owns(caller.f_code.co_filename):
        return True
    while frame.f_code.co_name not in _ASSEMBLING and caller is not None:
        if not user.owns(caller.f_code.co_filename):
            return str(caller.f_globals.get("__name__", "")).startswith(("keras", "tf_keras", "tensorflow"))
        frame, caller = caller, caller.f_back
    return False


def made_during_call(thing: object) -> bool:
    """Whether it was made while a Keras layer was being called: by code that runs again with every call."""
    found = _found(thing)
    return found is not None and found.during_call


def _calls(frame: FrameType | None) -> Iterator[Any]:
    """The layers that are being called, from the innermost."""
    while frame is not None:
        if frame.f_code.co_name == "__call__" and packages.is_keras_module(frame.f_globals.get("__name__", "")):
            yield locals_of(frame).get("self")
        frame = frame.f_back


def _keep(
    thing: object,
    place: tuple[CodeType, int] | Location,
    inner: bool,
    direct: bool,
    frame: FrameType,
    start: FrameType | None,
) -> None:
    key = id(thing)
    calls = _calls(frame)
    first = next(calls, calls)
    within = maker = None
    if first is not calls and (packages.kind_of(thing) == "variable" or hasattr(thing, "_handle")):
        new = [found for layer in (first, *calls) if (found := _found(layer)) is not None and found.during_call]
        within = new[-1].place if new else None
        called = next(_calls(start), None)
        maker = weakref.ref(called) if packages.kind_of(called) in ("layer", "model") else None
    _TABLE[key] = _Creation(
        weakref.ref(thing, lambda _: _TABLE.pop(key, None)), place, inner, direct, first is not calls, within,
        maker=maker,
    )  # fmt: skip


def deferred(cls: Any, user: UserCode) -> Callable[[], None]:
    """For variables that Keras 3 asks for while it traces `call` on trial, and makes when that is over.

    TensorFlow's variable is then made by the line that trains; it gets the line that asked for it. Returns what takes
    the hooks out.
    """
    found = [next((each for each in cls.__mro__ if name in vars(each)), None) for name in _MAKING]
    if None in found:
        return lambda: None
    owners = dict(zip(_MAKING, found))
    kept_init, kept_make = (vars(owner)[name] for name, owner in owners.items())

    @functools.wraps(kept_init)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        kept_init(self, *args, **kwargs)
        if getattr(self, "_value", self) is None:
            remember(self, user, sys._getframe(1))

    @functools.wraps(kept_make)
    def make(self: Any) -> Any:
        result = kept_make(self)
        asked, value = _found(self), getattr(self, "_value", None)
        if asked is not None and value is not None:
            _TABLE[id(self)] = asked._replace(asked=True)
            key = id(value)
            _TABLE[key] = asked._replace(reference=weakref.ref(value, lambda _: _TABLE.pop(key, None)), asked=True)
        return result

    hooks = dict(zip(_MAKING, ((init, kept_init), (make, kept_make))))
    for name, (hook, _) in hooks.items():
        setattr(owners[name], name, hook)

    def undo() -> None:
        for name, (hook, kept) in hooks.items():
            if vars(owners[name])[name] is hook:
                setattr(owners[name], name, kept)

    return undo


_MAKING = ("__init__", "_deferred_initialize")


def asked_for(variable: object) -> Location | None:
    """The line that asked for a variable which was made later; None for those that were made at once."""
    found = _found(variable)
    return made(variable) if found is not None and found.asked else None


def after(
    cls: Any,
    method: str,
    user: UserCode,
    unless: type | None = None,
    listeners: Sequence[Callable[[Any], None]] = (),
) -> Callable[[], None]:
    """Remember `self` after each call of this method, or the result of `__new__`. Return a function that undoes it.

    Objects of the type `unless` are left alone. Never hook the `__init__` of a layer's base: Keras 3 reads its
    signature from every subclass.
    """
    kept = cls.__dict__.get(method)
    if kept is None:
        return lambda: None
    new = method == "__new__"

    def ran(result: Any, self: Any, *args: Any, **kwargs: Any) -> None:
        remember(result if new else self, user, sys._getframe(1))
        for listen in listeners:
            listen(self)

    remembering = told(getattr(cls, method), ran, unless)
    setattr(cls, method, staticmethod(remembering) if new else remembering)

    def undo() -> None:
        if getattr(cls, method) is remembering:
            setattr(cls, method, kept)

    return undo


def variables(user: UserCode) -> Callable[[], None]:
    """Remember TensorFlow's variables. Return a function that removes the hook.

    Not what every assignment returns: such are made many times in a step, and are never anybody's weight.
    """
    from tensorflow.python.ops import resource_variable_ops as own

    return after(own.BaseResourceVariable, "__init__", user, unless=getattr(own, "_UnreadVariable", None))


def datasets(user: UserCode) -> Callable[[], None]:
    """Remember datasets. Return a function that removes the hook."""
    from tensorflow.python.data.ops.dataset_ops import DatasetV2

    return after(DatasetV2, "__init__", user)


_OPTIMIZERS = ("BaseOptimizer", "_BaseOptimizer", "OptimizerV2")
on_optimizer: list[Callable[[Any], None]] = []
"""Told of each optimizer that is made."""


def optimizers(user: UserCode) -> list[Callable[[], None]]:
    """Remember the optimizers of every imported Keras package. Return a function that removes the hooks."""
    found = [
        vars(module)[name]
        for key, module in list(sys.modules.items())
        if "keras" in key and packages.is_keras_module(getattr(module, "__name__", None))
        for name in _OPTIMIZERS
        if isinstance(vars(module).get(name), type)
    ]
    bases = {cls for cls in found if "__init__" in vars(cls)}
    return [after(cls, "__init__", user, listeners=on_optimizer) for cls in bases]
