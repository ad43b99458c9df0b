"""How does a model come to a piece of state that it does not list among its variables?

Walks from the model's parts through attributes, containers, plain objects and functions, without running code of any
of them, until the state is found, and names the first thing on the way that the model does not look into.
"""

from __future__ import annotations

import collections
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages
from tensorwhy.recording.locations import UserCode

_LIMIT = 20_000
_DEPTH = 8
_BAGS = ("types", "argparse", "collections")  # SimpleNamespace, Namespace, UserDict, UserList


class Held(msgspec.Struct, frozen=True):
    """The layer nearest to the state, the way from it, and the first object on the way that Keras passes over."""

    owner: Any
    attribute: str
    path: str
    barrier: Any


class Looker(msgspec.Struct, frozen=True):
    """What lists the variables of a model: `name`, whose attributes it reads (`owns`), and which containers it enters.

    `knows` says of a variable that it lists it where it finds it.
    """

    name: str
    owns: Callable[[Any], bool]
    containers: tuple[type, ...]
    knows: Callable[[Any], bool]


def keras(generation: int) -> Looker:
    """Keras, which looks into layers and models, and into containers; before Keras 3 not into sets."""
    containers = (list, dict, tuple, set) if generation >= 3 else (list, dict, tuple)
    return Looker(f"Keras {generation}", _is_of_keras, containers, lambda thing: "Variable" in type(thing).__name__)


MODULES = Looker(
    "tf.Module",
    lambda thing: any(base.__module__ == "tensorflow.python.module.module" for base in type(thing).__mro__),
    (list, dict, tuple),
    lambda thing: "Variable" in type(thing).__name__ and packages.kind_of(thing) != "variable",
)
"""TensorFlow's modules, which list what is a `tf.Module` or a `tf.Variable`; what Keras 3 makes is neither."""


def _is_of_keras(thing: Any) -> bool:
    return packages.kind_of(thing) in ("layer", "model")


def find(model: Any, wanted: Callable[[Any], bool], user: UserCode, looker: Looker | None = None) -> Held | None:
    """The shortest way from a model to the state; None when the model does not hold it."""
    looker = keras(packages.generation_of(model) or 3) if looker is None else looker
    waiting: collections.deque[tuple[Any, Held, int]] = collections.deque([(model, Held(model, "", "self", None), 0)])
    seen = {id(model)}
    while waiting and len(seen) < _LIMIT:
        thing, held, depth = waiting.popleft()
        for step, child in _children(thing, user):
            if id(child) in seen:
                continue
            seen.add(id(child))
            way = _way(thing, held, step, child, looker)
            if wanted(child):
                return way
            if depth < _DEPTH and not isinstance(child, (str, bytes, int, float, bool, type(None))):
                waiting.append((child, way, depth + 1))
    return None


def _way(thing: Any, held: Held, step: str, child: Any, looker: Looker) -> Held:
    if looker.owns(thing) and held.barrier is None:
        return Held(thing, step.lstrip("."), f"self{step}", _barrier(child, looker))
    barrier = held.barrier if held.barrier is not None else _barrier(child, looker)
    return Held(held.owner, held.attribute, held.path + step, barrier)


def _barrier(thing: Any, looker: Looker) -> Any:
    """The object itself when the model passes over what it holds."""
    transparent = isinstance(thing, looker.containers)
    if looker.name == "Keras 2" and isinstance(thing, collections.defaultdict):
        transparent = False
    known = transparent or looker.owns(thing) or looker.knows(thing)
    return None if known or (packages.kind_of(thing) == "variable" and looker is not MODULES) else thing


def words(barrier: Any) -> str:
    """Say what a model passes over; empty for nothing."""
    if barrier is None:
        return ""
    if isinstance(barrier, (types.FunctionType, types.MethodType, functools.partial)):
        return "function"
    name = type(barrier).__name__
    builtin = type(barrier).__module__ in ("builtins", "collections", "numpy")
    return name if builtin else f"object of class {name}"


_OF_TRAINING = ("history", "train_function", "train_tf_function", "test_function", "predict_function")
"""What Keras itself keeps in a model while it trains."""


def _children(thing: Any, user: UserCode) -> Iterator[tuple[str, Any]]:
    kind = packages.kind_of(thing)
    if kind in ("layer", "model"):
        for name, value in _attributes(thing).items():
            own = name.startswith(("_", "optimizer", "compiled_")) or (kind == "model" and name in _OF_TRAINING)
            if not own or (name.startswith("_") and _private_of_user(thing, name)):
                yield f".{name}", value
        for layer in _attributes(thing).get("_self_tracked_trackables", ()) or _attributes(thing).get("_layers", ()):
            yield f".layers[{getattr(layer, 'name', '')!r}]", layer
        yield from _named_in_call(thing, user)
    elif isinstance(thing, dict):
        yield from ((f"[{key!r}]", value) for key, value in list(thing.items()))
    elif isinstance(thing, (list, tuple, collections.deque)):
        yield from ((f"[{index}]", value) for index, value in enumerate(list(thing)[:1000]))
    elif isinstance(thing, (set, frozenset)):
        yield from (("{...}", value) for value in list(thing))
    elif isinstance(thing, functools.partial):
        yield from (("", value) for value in (thing.func, *thing.args, *thing.keywords.values()))
    elif isinstance(thing, types.MethodType):
        yield from (("", thing.__self__), ("", thing.__func__))
    elif isinstance(thing, types.FunctionType):
        yield from _reached(thing, user)
    elif type(thing).__module__ == "numpy" and getattr(getattr(thing, "dtype", None), "hasobject", False):
        yield from ((f"[{index}]", value) for index, value in enumerate(thing.ravel().tolist()))
    elif _plain(thing, user):
        yield from ((f".{name}", value) for name, value in _attributes(thing).items())


def _reached(function: types.FunctionType, user: UserCode) -> Iterator[tuple[str, Any]]:
    """What a function of the user closes over, and the globals it names."""
    if not user.owns(function.__code__.co_filename):
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            yield f" → {name}", cell.cell_contents
        except ValueError:
            continue  # a cell that is not filled yet
    for name in function.__code__.co_names:
        if name in function.__globals__ and not isinstance(function.__globals__[name], types.ModuleType):
            yield f" → {name}", function.__globals__[name]
    yield from ((" → default", value) for value in function.__defaults__ or ())


def _named_in_call(layer: Any, user: UserCode) -> Iterator[tuple[str, Any]]:
    """The globals that the user's `call` names, itself or in methods that it goes on to."""
    waiting, seen = ["call"], {"call"}
    while waiting:
        method = inspect.getattr_static(type(layer), waiting.pop(), None)
        if not isinstance(method, types.FunctionType) or not user.owns(method.__code__.co_filename):
            continue
        yield from ((f".{method.__name__}{step}", value) for step, value in _reached(method, user))
        waiting += [name for name in method.__code__.co_names if name not in seen]
        seen.update(method.__code__.co_names)


def _attributes(thing: Any) -> dict[str, Any]:
    try:
        held = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    return dict(held) if isinstance(held, dict) else {}


def _plain(thing: Any, user: UserCode) -> bool:
    """An instance of a class of the user's own (a `tf.Module` of the user's, too), or a mere bag of attributes."""
    import sys

    if type(thing).__module__ in _BAGS:
        return True
    module = sys.modules.get(type(thing).__module__)
    file = getattr(module, "__file__", None)
    return not isinstance(thing, type) and (type(thing).__module__ == "__main__" or bool(file and user.owns(file)))


def _private_of_user(layer: Any, name: str) -> bool:
    """A private attribute that a class of the user's sets: Keras's own bookkeeping is left out."""
    if packages.native(layer) or name.startswith(("_self_", "_keras", "__")):
        return False
    for cls in type(layer).__mro__:
        if packages.is_keras_module(cls.__module__):
            return False
        init = cls.__dict__.get("__init__")
        if isinstance(init, types.FunctionType) and name in init.__code__.co_names:
            return True
    return False
