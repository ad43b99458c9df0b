"""What `fit`, `evaluate` and `predict` are given, beside what the model declares as its inputs.

Read from the specification of a dataset or the shape of an array, and from the model's symbolic inputs. A model that
declares none is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.model.facts.data import Misnamed, Shape
from tensorwhy.model.location import Location

BATCH = 32
"""The size of a batch of arrays when none is asked for."""


class Declared(NamedTuple):
    """An input of a model: its key where inputs are given as a dict, its name, and its shape."""

    key: str
    name: str
    shape: Shape


def declared(model: Any) -> tuple[list[Declared], bool]:
    """Return a model's inputs, and whether they were declared as a dict; none for a model without symbolic inputs."""
    tensors = getattr(model, "inputs", None)
    if not isinstance(tensors, (list, tuple)):
        return [], False
    structure = getattr(model, "_inputs_struct", getattr(model, "_nested_inputs", None))
    keys = {id(tensor): key for key, tensor in structure.items()} if isinstance(structure, dict) else {}
    found = []
    for tensor in tensors:
        shape = _shape(tensor)
        if shape is None:
            return [], False
        name = str(getattr(tensor, "name", "")).partition(":")[0]
        found.append(Declared(str(keys.get(id(tensor), name)), name, shape))
    return found, bool(keys) and len(keys) == len(found)


def given(data: Any, batch: int | None) -> Any:
    """Return the shapes of what a model gets as its inputs, in the structure of the data; None when not known."""
    spec = getattr(data, "element_spec", None)
    if spec is not None:
        return _shapes(spec[0] if isinstance(spec, tuple) and len(spec) in (1, 2, 3) else spec, None)
    return _shapes(data, BATCH if batch is None else batch)


def _shapes(data: Any, batch: int | None) -> Any:
    if isinstance(data, Mapping):
        return {str(key): _shapes(value, batch) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_shapes(each, batch) for each in data]
    shape = _shape(data)
    return (min(shape[0] or batch, batch), *shape[1:]) if batch is not None and shape else shape


def _shape(thing: Any) -> Shape | None:
    shape = getattr(thing, "shape", None)
    if shape is None or getattr(shape, "rank", 0) is None:
        return None
    sizes = shape.as_list() if hasattr(shape, "as_list") else shape
    return tuple(None if size is None else int(size) for size in sizes)


Kind = Literal["unbatched", "batch", "shape", "keys"]


class Misfit(NamedTuple):
    """How data do not fit an input."""

    kind: Kind
    input: Declared | None = None
    shape: Shape = ()


def misfit(inputs: list[Declared], exact: bool, shapes: Any) -> Misfit | None:
    """Return the first way in which shapes do not fit a model's inputs; None where they do, or nothing is known.

    `exact`: a dict may have no further keys.
    """
    if isinstance(shapes, dict):
        keys = {each.key for each in inputs}
        if keys - set(shapes) or (exact and set(shapes) - keys):
            return Misfit("keys")
        pairs = [(each, shapes[each.key]) for each in inputs]
    else:
        several = shapes if isinstance(shapes, list) else [shapes]
        pairs = list(zip(inputs, several)) if len(several) == len(inputs) else []
    for each, shape in pairs:
        kind = _kind(each.shape, shape) if isinstance(shape, tuple) else None
        if kind is not None:
            return Misfit(kind, each, shape)
    return None


def _kind(wanted: Shape, shape: Shape) -> Kind | None:
    if len(shape) == len(wanted) - 1 and shape and None not in shape and _fit(wanted[1:], shape):
        return "unbatched"
    if (len(shape) == len(wanted) + 1 and shape[-1] == 1) or (len(shape) == len(wanted) - 1 and wanted[-1] == 1):
        return None  # Keras takes the last axis away, or adds one
    if len(shape) != len(wanted) or not _fit(wanted[1:], shape[1:]):
        return "shape"
    return None if _fit(wanted[:1], shape[:1]) else "batch"


def _fit(wanted: Shape, shape: Shape) -> bool:
    return len(wanted) == len(shape) and all(a is None or b is None or a == b for a, b in zip(wanted, shape))


_TAKEN: dict[tuple[Location, str], Misnamed] = {}


def clear() -> None:
    """Forget what was seen."""
    _TAKEN.clear()


def look(model: Any, method: str, data: Any, at: Location) -> None:
    """Look at a dict that Keras 3 hands to a model in the order of its keys, whatever they are."""
    if packages.generation_of(model) != 3 or isinstance(data, (str, bytes)):
        return
    inputs, as_dict = declared(model)
    shapes = given(data, None) if as_dict else None
    if not isinstance(shapes, dict) or set(shapes) == {each.key for each in inputs}:
        return
    for wanted, key in zip(sorted(each.key for each in inputs), sorted(shapes)):
        if wanted != key:
            _TAKEN.setdefault(
                (at, wanted),
                Misnamed(
                    call=method,
                    text="",
                    used=at,
                    model=creations.made(model),
                    input=wanted,
                    keys=tuple(sorted(shapes)),
                    inputs=tuple(sorted(each.key for each in inputs)),
                    taken=key,
                    dataset=hasattr(data, "element_spec"),
                ),
            )
            return


def failed(at: Location) -> None:
    """The call at this line raised."""
    for key in [key for key in _TAKEN if key[0] == at]:
        del _TAKEN[key]


def facts(_: object, generation: int) -> Iterator[Misnamed]:
    """The inputs that were given what was meant for another name, which Keras 3 takes in the order of their keys."""
    yield from _TAKEN.values() if generation == 3 else ()
