"""Reads a failed look-up of a layer's symbolic input or output: did a symbolic Keras tensor ever enter it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.symbolic import NeverCalled, Uncalled
from tensorwhy.source.files import Sources

# What Keras answers from the nodes of symbolic calls, as attributes and as methods.
_ANSWERED_FROM_NODES = frozenset(
    f"{prefix}{what}{suffix}"
    for what in ("input", "output")
    for prefix, suffixes in (("", ("", "s", "_shape", "_mask")), ("get_", ("_at", "_shape_at", "_mask_at")))
    for suffix in suffixes
)


def lookups(live: LiveFailure, generation: int) -> Iterator[NeverCalled]:
    """The layer of this generation that was asked for a tensor of a symbolic call that it had not, or had no more."""
    for stack in live.whole():
        found = _asked(stack)
        frames = stack.user_frames()
        if found is None or not frames:
            continue
        layer, attribute, index = found
        made = nodes.calls_of(layer)
        if packages.generation_of(layer) != generation or not hasattr(layer, "_inbound_nodes"):
            continue
        if made and (index is None or not index >= len(made)):
            continue
        given = givens.describe(layer, stack, len(stack.frames), live.user, Sources(), parameter="", position=0)
        yield NeverCalled(
            given=given,
            layer=str(getattr(layer, "name", "")),
            attribute=attribute,
            used=frames[-1][1],
            sort=_sort(layer),
            ran=bool(getattr(layer, "built", False)),
            graph=bool(_own_graph(layer)),
            shape=_shape(layer),
            calls=tuple(creations.made(node) for node in made),
        )
        return


def _asked(stack: Stack) -> tuple[Any, str, int | None] | None:
    """(layer, attribute, number of the call, where one was named) of the look-up that raised."""
    error = stack.exception
    name = getattr(error, "name", None)
    if isinstance(error, AttributeError) and name in _ANSWERED_FROM_NODES and _is_layer(error.obj):
        return error.obj, name, None
    for call in stack.inner:
        if packages.runs(call) and call.function in _ANSWERED_FROM_NODES and _is_layer(call.local("self")):
            index = call.local("node_index")
            return call.local("self"), call.function, index if isinstance(index, int) else None
    return None


def _is_layer(thing: Any) -> bool:
    return packages.kind_of(thing) in ("layer", "model")


def _sort(layer: Any) -> Uncalled:
    names = {cls.__name__ for cls in type(layer).__mro__ if packages.is_keras_module(cls.__module__)}
    if "Sequential" in names:
        return "sequential model"
    return "subclassed model" if "Model" in names and "Functional" not in names else "layer"


def _own_graph(model: Any) -> Any:
    """The symbolic tensors that a Sequential model keeps beside its nodes, once it knows its input's shape."""
    inner = getattr(model, "_functional", None)
    return getattr(inner, "outputs", None) if inner is not None else None


def _shape(model: Any) -> tuple[int, ...] | None:
    """The shape of the one tensor that a model was called on, without the batch axis: Keras keeps it for saving."""
    spec = getattr(model, "_saved_model_inputs_spec", None)  # Keras 2
    shapes = getattr(model, "_build_shapes_dict", None)  # Keras 3: by argument
    kept = getattr(spec, "shape", None) if spec is not None else None
    if kept is None and isinstance(shapes, dict) and len(shapes) == 1:
        (kept,) = shapes.values()
    found = tuple(kept) if kept is not None else ()
    known = len(found) > 1 and all(isinstance(size, int) for size in found[1:])
    return found[1:] if known else None
