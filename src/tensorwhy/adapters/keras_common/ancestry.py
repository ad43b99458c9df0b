"""The history of a symbolic Keras tensor: the calls of layers and operations that it came from, to the inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.model.history import History, Origin
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_UNSTAMPED = (
    "no line is known: it was created before tensorwhy was active; call `tensorwhy.install()` before the model is built"
)


def ancestry(thing: Any, session: Any, user: UserCode, limit: int, generation: int) -> History | None:
    """The history of a symbolic tensor, layer or model of this generation of Keras; None for anything else."""
    return of_tensor(thing, generation, limit) or of_model(thing, generation)


def of_tensor(tensor: Any, generation: int, limit: int) -> History | None:
    """The history of a Keras tensor of this generation, at most `limit` origins; None for anything else."""
    if not packages.is_keras_tensor(tensor, generation):
        return None
    origins, _ = of_tensors([tensor], limit)
    note = "" if any(origin.location is not None for origin in origins) else _UNSTAMPED
    return History(sort=packages.sort(tensor), origins=origins, note=note)


def of_tensors(tensors: Iterable[Any], limit: int) -> tuple[tuple[Origin, ...], dict[int, int]]:
    """The histories of several Keras tensors as one, about `limit` origins at most, and each position by id."""
    sources = Sources()
    queue = deque({id(tensor): tensor for tensor in tensors}.values())
    place = {id(tensor): at for at, tensor in enumerate(queue)}
    origins: list[Origin] = []
    while queue:
        each = queue.popleft()
        made = nodes.producer(each)
        inputs, more = [], 0
        for needed in nodes.inputs(made[1]) if made is not None else ():
            if id(needed) not in place and len(place) < limit:
                place[id(needed)] = len(place)
                queue.append(needed)
            if id(needed) in place:
                inputs.append(place[id(needed)])
            else:
                more += 1
        origin = _origin(each, made, sources)
        origins.append(msgspec.structs.replace(origin, inputs=tuple(dict.fromkeys(inputs)), more=more))
    return tuple(origins), place


def of_model(thing: Any, generation: int) -> History | None:
    """A layer or model was made, not computed: where, and nothing more."""
    if packages.kind_of(thing) not in ("layer", "model") or packages.generation_of(thing) != generation:
        return None
    location = creations.made(thing)
    text = Sources().line(location.file, location.line).strip() if location is not None else ""
    origin = Origin(
        op=type(thing).__name__, kind="layer", name=str(getattr(thing, "name", "")), location=location, text=text
    )
    return History(sort=packages.sort(thing), origins=(origin,), note="" if location is not None else _UNSTAMPED)


def _origin(tensor: Any, made: tuple[Any, Any] | None, sources: Sources) -> Origin:
    dtype, shape = nodes.dtype(tensor), nodes.shape(tensor)
    if made is None:
        return Origin(op="no layer", kind="unknown", name=str(getattr(tensor, "name", "")), dtype=dtype, shape=shape)
    producer, node = made
    location = creations.made(node) or creations.made(producer)
    return Origin(
        op=type(producer).__name__,
        kind="layer" if nodes.inputs(node) else "input",
        name=str(getattr(producer, "name", "")),
        layer=str(getattr(producer, "name", "")) if packages.kind_of(producer) in ("layer", "model") else "",
        location=location,
        text=sources.line(location.file, location.line).strip() if location is not None else "",
        dtype=dtype,
        shape=shape,
    )
