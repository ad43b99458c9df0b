"""Reads a model that cannot be saved, because a layer's configuration holds a symbolic Keras tensor.

The tensor was given to the layer's constructor, which kept it, and `get_config` gave it back. Keras only finds out when
the configuration is to become JSON, and names neither the layer nor the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, drawing, nodes, packages
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.symbolic import AtRuntime
from tensorwhy.recording import bindings

_DEEPEST = 3


def written(stack: Stack, generation: int) -> AtRuntime | None:
    """The Keras tensor of this generation that was to be written as JSON, told where its layer was given it."""
    tensor = next(
        (
            call.local("obj")
            for call in reversed(stack.inner)
            if packages.runs(call)
            and call.function == "get_json_type"
            and packages.is_keras_tensor(call.local("obj"), generation)
        ),
        None,
    )
    frames = stack.user_frames()
    if tensor is None or not frames:
        return None
    layer, tensor = next(_holders(tensor), (None, tensor))
    made = creations.made(layer) if layer is not None else None
    used = made or frames[-1][1]
    names = [name for frame, _ in reversed(frames) for name in bindings.named(tensor, frame)]
    reference = nodes.reference(tensor, names[0] if names and layer is None else "")
    return AtRuntime(
        tensor=reference,
        used=used,
        configured=type(layer).__name__ if layer is not None else "a layer",
        called=frames[-1][1] if made is not None else None,
        lineage=drawing.refused([tensor], reference.name, "get_config()", used, "has no value"),
    )


def _holders(written: Any) -> Iterator[tuple[Any, Any]]:
    """The user's layers that keep the tensor in an attribute, each with the tensor itself.

    A model copies its configuration deeply, so what was to be written is a copy, under the same name.
    """
    for layer in creations.live(("layer",)):
        for each in _held(vars(layer), _DEEPEST) if not packages.native(layer) else ():
            if packages.is_keras_tensor(each) and (each is written or _looks(each) == _looks(written)):
                yield layer, each


def _looks(tensor: Any) -> tuple[str, str, Any]:
    return str(tensor.name), nodes.dtype(tensor), nodes.shape(tensor)


def _held(thing: Any, depth: int) -> Iterator[Any]:
    if isinstance(thing, dict) and depth:
        thing = list(thing.values())
    if isinstance(thing, (list, tuple)) and depth:
        for each in thing:
            yield from _held(each, depth - 1)
    else:
        yield thing
