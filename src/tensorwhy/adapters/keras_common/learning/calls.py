"""Which layer made this tensor? An eager tensor has no Keras history, so every call of a layer is noted as it returns.

A call is kept as integers: TensorFlow's `_id` of the outputs and inputs, which is never used twice. Nothing is kept
alive, and only the last calls are kept.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import nodes, stamps
from tensorwhy.model.location import Location

_MOST = 100_000


class LayerCall(NamedTuple):
    """The names of the layers around it, outermost first, joined by slashes, and the tensors that went in."""

    layer: str
    kind: str
    inputs: frozenset[int]
    reference: weakref.ref[Any]


class _Inside(threading.local):
    def __init__(self) -> None:
        self.names: list[str] = []


_CALLS: dict[int, LayerCall] = {}
_INSIDE = _Inside()


def made_in(tensor: int) -> LayerCall | None:
    """The innermost layer call that gave out this tensor (by its `_id`)."""
    return _CALLS.get(tensor)


def assembled_at(tensor: int) -> Location | None:
    """For a tensor that a layer of a functional model gave out: where the user put that layer there, if only once."""
    call = _CALLS.get(tensor)
    layer = call.reference() if call is not None else None
    places = {stamps.made(node) for node in nodes.calls_of(layer)} - {None} if layer is not None else set()
    return places.pop() if len(places) == 1 else None


def was_given(tensor: int) -> bool:
    """Whether a layer was called on this tensor, or on the variable with this handle."""
    return any(tensor in call.inputs for call in _CALLS.values())


def watch(layer_class: Any) -> Callable[[], None]:
    """Note every call of a layer. Returns what takes the hook out."""
    original = layer_class.__call__

    @functools.wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        names = _INSIDE.names
        depth = len(names)
        names.append(_name(self))
        try:
            result = original(self, *args, **kwargs)
            try:
                _note("/".join(names), self, (args, kwargs), result)
            except Exception:  # the bulkhead: a hook never disturbs the program, and only this name is lost
                pass
        finally:
            del names[depth:]
        return result

    layer_class.__call__ = __call__

    def undo() -> None:
        if layer_class.__dict__.get("__call__") is __call__:
            layer_class.__call__ = original

    return undo


def _name(layer: Any) -> str:
    """The layer's name, from where Keras 3 and Keras 2 store it: no property of the user's class runs."""
    held = layer.__dict__
    return str(held.get("name") or held.get("_name") or type(layer).__name__)


def _note(names: str, layer: Any, given: Any, result: Any) -> None:
    call = None
    for tensor in _ids(result):
        if tensor not in _CALLS:  # the innermost call was noted first
            call = call or LayerCall(names, type(layer).__name__, frozenset(_ids(given)), weakref.ref(layer))
            _CALLS[tensor] = call
    while len(_CALLS) > _MOST:
        _CALLS.pop(next(iter(_CALLS)), None)


def _ids(structure: Any) -> Iterator[int]:
    kind = type(structure)
    if kind in (list, tuple):
        for item in structure:
            yield from _ids(item)
    elif kind is dict:
        for item in structure.values():
            yield from _ids(item)
    elif kind.__module__.startswith("tensorflow."):
        found = getattr(structure, "_id", None)
        if found is None:  # a variable goes by its handle
            found = getattr(getattr(structure, "handle", None), "_id", None)
        if type(found) is int:
            yield found
