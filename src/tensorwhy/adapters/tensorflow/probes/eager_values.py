"""An eager tensor, or the handle of an eager variable or table, that was to become a part of a plain `tf.Graph`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import lookup_ops

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow import tensor_ids
from tensorwhy.adapters.tensorflow.failures import signatures
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import EagerInGraph, EagerKind
from tensorwhy.recording import bindings
from tensorwhy.source.files import Sources

# Where TensorFlow makes an argument a tensor of the graph that is being built, and its name for the argument.
_CONVERSIONS = {"convert_to_tensor": "value", "__tf_tensor__": "self"}


def probe(live: LiveFailure) -> Iterator[Fact]:
    for place in live.roots():
        value = _refused(place) if isinstance(place.exception, (RuntimeError, AttributeError)) else None
        if value is None:
            continue
        text, owner = _owner(value, place)
        frames = [(each.frame, each.location) for each in reversed(live.user_frames())]
        yield EagerInGraph(
            used=place.own.location,
            what=_what(owner, value),
            text=text,
            made=bindings.origin(owner, frames, Sources(), live.user).location,
            dtype=signatures.dtype_name(value),
            shape=signatures.shape_of(value),
        )
        return


def _refused(place: UserStack) -> Any | None:
    """The eager tensor that a graph which builds no function was asked to take in, or to look at."""
    if not place.inner:
        return None
    local = place.inner[-1].frame.f_locals
    if isinstance(place.exception, AttributeError):  # an eager tensor has no operation to be placed beside
        value, graphs = local.get("self"), [each.frame.f_locals.get("self") for each in place.inner[:-1]]
    else:
        value = local.get(_CONVERSIONS.get(place.inner[-1].frame.f_code.co_name, ""))
        graphs = [local.get("graph")]
    plain = any(isinstance(each, ops.Graph) and not symbolic.is_function_graph(each) for each in graphs)
    return value if plain and isinstance(value, ops.EagerTensor) else None


def _owner(value: Any, place: UserStack) -> tuple[str, Any]:
    """The user's name for the tensor, or for the object whose handle it is."""
    for node in operands.nodes(place, Sources()):
        for each in ast.walk(node):
            if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)):
                found = operands.value_of(each, place)
                if _holds(found, value):
                    return ast.unparse(each), found
    named = {name: found for name, found in place.own.frame.f_globals.items() if _holds(found, value)}
    named |= {name: found for name, found in place.own.frame.f_locals.items() if _holds(found, value)}
    if len(named) == 1:
        return next(iter(named.items()))
    parent = getattr(value, "_parent_trackable", None)  # from 2.12 on a handle knows whose it is
    return "", (parent() if callable(parent) else None) or value


def _holds(thing: Any, value: Any) -> bool:
    if thing is value:
        return True
    if packages.kind_of(thing) in ("layer", "model"):
        return any(tensor_ids.handle_of(each) == value._id for each in getattr(thing, "weights", ()))
    of_tensorflow = type(thing).__module__.startswith("tensorflow.")
    return of_tensorflow and any(each is value for each in getattr(thing, "__dict__", {}).values())


def _what(owner: Any, value: Any) -> EagerKind:
    if value.dtype != tf.resource:
        return "tensor"
    if isinstance(owner, tf.Variable):
        return "variable"
    if packages.kind_of(owner) in ("layer", "model"):
        return "layer"
    return "table" if isinstance(owner, lookup_ops.LookupInterface) else "resource"
