"""Which layer made this tensor? An eager tensor has no Keras history, so every call of a layer is noted as it returns.

A call is kept as integers: TensorFlow's `_id` of the outputs and inputs, which is never used twice. Nothing is kept
alive, and only the last calls are kept: those of two generations, of which the older goes when the younger is full.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.learning import unused_masks
from tensorwhy.adapters.patches import replaced
from tensorwhy.model.location import Location
from tensorwhy.recording.around import Running, within

_MOST = 50_000
"""So many outputs are a generation."""


class LayerCall(NamedTuple):
    """The names of the layers around it, outermost first, joined by slashes, and the tensors that went in.

    `fresh` is how many trainable weights the layer made in this very call, outside of any other layer, and `made` where
    such a layer was made.
    """

    layer: str
    kind: str
    inputs: frozenset[int]
    reference: weakref.ref[Any]
    fresh: int = 0
    made: Location | None = None


_CALLS: dict[int, LayerCall] = {}
_EARLIER: dict[int, LayerCall] = {}
_LAYERS = Running()


def made_in(tensor: int) -> LayerCall | None:
    """The innermost layer call that gave out this tensor (by its `_id`)."""
    return _CALLS.get(tensor) or _EARLIER.get(tensor)


def assembled_at(tensor: int) -> Location | None:
    """For a tensor that a layer of a functional model gave out: where the user put that layer there, if only once."""
    call = made_in(tensor)
    layer = call.reference() if call is not None else None
    places = {creations.made(node) for node in nodes.calls_of(layer)} - {None} if layer is not None else set()
    return places.pop() if len(places) == 1 else None


def part_of_model(tensor: int) -> tuple[str, Location] | None:
    """For a tensor that a layer of Keras's own in a functional model gave out: its name, and where the user made it."""
    call = made_in(tensor)
    layer = call.reference() if call is not None else None
    if layer is None or packages.kind_of(layer) != "layer" or not packages.native(layer) or not nodes.calls_of(layer):
        return None
    made = creations.made(layer)
    return (_name(layer), made) if made is not None else None


def was_given(tensor: int) -> bool:
    """Return whether a layer was called on this tensor, or on the variable with this handle."""
    return any(tensor in call.inputs for call in (*_CALLS.values(), *_EARLIER.values()))


def watch(layer_class: Any) -> Callable[[], None]:
    """Note every call of a layer. Returns what takes the hook out."""
    return replaced(layer_class, "__call__", lambda original: within(original, _LAYERS, _note))


waiting: dict[int, Callable[[Any], None]] = {}
"""Told once when the layer with this id is called for the next time."""


def _note(result: Any, layer: Any, *args: Any, **kwargs: Any) -> None:
    unused_masks.called(result, layer, args)
    if waiting and id(layer) in waiting:
        waiting.pop(id(layer))(layer)
    call = None
    for tensor in _ids((result,), []):
        if tensor not in _CALLS and tensor not in _EARLIER:  # the innermost call was noted first
            if call is None:
                given = _ids((*args, *kwargs.values()), [])
                names = "/".join([_name(each) for each in _LAYERS.running])
                fresh = _fresh(layer, given) if len(_LAYERS.running) == 1 else 0
                made = creations.made(layer) if fresh else None
                call = LayerCall(names, type(layer).__name__, frozenset(given), weakref.ref(layer), fresh, made)
            _CALLS[tensor] = call
    if len(_CALLS) > _MOST:
        _EARLIER.clear()
        _EARLIER.update(_CALLS)
        _CALLS.clear()


def _fresh(layer: Any, given: Iterable[int]) -> int:
    """How many trainable weights a layer made after what it is given: it is called alone, and for the first time."""
    if id(layer) in _KNOWN or packages.kind_of(layer) != "layer":
        return 0
    key = id(layer)
    _KNOWN[key] = weakref.ref(layer, lambda _: _KNOWN.pop(key, None))
    newest = max(given, default=-1)  # ids only grow
    return sum(each > newest for each in _ids(_values(layer.trainable_weights), []))


def _values(variables: Iterable[Any]) -> list[Any]:
    """TensorFlow's variables; those of Keras 3 hold one."""
    return [getattr(each, "_value", each) for each in variables]


_KNOWN: dict[int, weakref.ref[Any]] = {}


def _name(layer: Any) -> str:
    """The layer's name, from where Keras 3 and Keras 2 store it: no property of the user's class runs."""
    held = layer.__dict__
    return str(held.get("name") or held.get("_name") or type(layer).__name__)


_PLAIN = {type(None), bool, int, float, str}


def _ids(items: Iterable[Any], found: list[int]) -> list[int]:
    """Add the ids of the tensors and variables in it, at any depth."""
    for item in items:
        kind = type(item)
        if kind in _PLAIN:
            continue
        if kind is list or kind is tuple:
            _ids(item, found)
        elif kind is dict:
            _ids(item.values(), found)
        elif kind.__module__.startswith("tensorflow."):
            key = getattr(item, "_id", None)
            if key is None:  # a variable goes by its handle
                key = getattr(getattr(item, "handle", None), "_id", None)
            if type(key) is int:
                found.append(key)
    return found
