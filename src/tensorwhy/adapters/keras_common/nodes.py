"""The graph of layer calls behind a Keras tensor, read the same way from Keras 2 and Keras 3.

`_keras_history` is (layer or operation, node index, tensor index) in both; a node knows its input tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.model.report import PathStep, TensorRef


def producer(tensor: Any) -> tuple[Any, Any] | None:
    """(layer or operation, node) that produced a Keras tensor; None when it has no history."""
    history = getattr(tensor, "_keras_history", None)
    if history is None or history[0] is None:
        return None
    nodes = getattr(history[0], "_inbound_nodes", ())
    return (history[0], nodes[history[1]]) if history[1] < len(nodes) else None


def calls_of(layer: Any) -> tuple[Any, ...]:
    """The nodes of a layer: one for each time that it was called on Keras tensors."""
    return tuple(getattr(layer, "_inbound_nodes", ()))


def is_entry(layer: Any) -> bool:
    """Return whether this is the layer of an input, which has a node from the start and is never called."""
    return any(getattr(node, "is_input", False) for node in calls_of(layer))


def is_bare_entry(layer: Any) -> bool:
    """True if this is the layer of an input that is no part of a model: `keras.Input` would have given its tensor."""
    models = creations.live(("model",)) if is_entry(layer) else []
    return is_entry(layer) and not any(layer is each for model in models for each in getattr(model, "layers", ()))


def inputs(node: Any) -> tuple[Any, ...]:
    """The Keras tensors that a node consumes."""
    found = getattr(node, "keras_inputs", None)
    if found is None:
        found = getattr(node, "input_tensors", ())
    return tuple(tensor for tensor, _ in flat(found) if packages.is_keras_tensor(tensor))


def outputs(node: Any) -> tuple[Any, ...]:
    """The Keras tensors that a node gave."""
    found = getattr(node, "output_tensors", None)
    if found is None:
        found = getattr(node, "outputs", ())
    return tuple(tensor for tensor, _ in flat(found) if packages.is_keras_tensor(tensor))


def flat(structure: Any, path: tuple[object, ...] = ()) -> Iterator[tuple[Any, tuple[object, ...]]]:
    """The leaves of lists, tuples and dicts with the path to each."""
    if isinstance(structure, (list, tuple)):
        for index, item in enumerate(structure):
            yield from flat(item, (*path, index))
    elif isinstance(structure, dict):
        for key, item in structure.items():
            yield from flat(item, (*path, key))
    else:
        yield structure, path


def missing(given: Iterable[Any], outputs: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """(inputs that the outputs need and that are not given, given ones that the outputs do need)."""
    stop = {id(tensor): tensor for tensor in given}
    lost: dict[int, Any] = {}
    used: dict[int, Any] = {}
    seen: set[int] = set()
    waiting = list(outputs)
    while waiting:
        tensor = waiting.pop()
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        if id(tensor) in stop:
            used[id(tensor)] = tensor
            continue
        made = producer(tensor)
        needs = inputs(made[1]) if made is not None else ()
        if needs:
            waiting.extend(needs)
        elif made is None or getattr(made[1], "is_input", True):
            lost[id(tensor)] = tensor
    return list(lost.values()), list(used.values())


def recalled(outputs: Iterable[Any], given: Iterable[Any]) -> tuple[Any, Any, Any, Any, Any] | None:
    """An output of one call of a layer, where another call of it goes on from what is given.

    Gives the layer, the node of the output, the node of that other call, the tensor that stands in the first call where
    a given one stands in the second, and the given one.
    """
    ends = {id(each): each for each in given}
    for output in outputs:
        made = producer(output)
        for other in calls_of(made[0]) if made is not None else ():
            if made is not None and other is not made[1]:
                found = _counterpart(made[1], other, ends)
                if found is not None:
                    return made[0], made[1], other, *found
    return None


def _counterpart(one: Any, other: Any, ends: dict[int, Any]) -> tuple[Any, Any] | None:
    """The tensor behind one node that stands where a given one stands behind the other: same layers, other calls."""
    waiting, seen = [(one, other)], set()
    while waiting:
        mine, theirs = waiting.pop()
        here, there = inputs(mine), inputs(theirs)
        if id(theirs) in seen or len(here) != len(there):
            continue
        seen.add(id(theirs))
        for left, right in zip(here, there, strict=True):
            if id(right) in ends and left is not right:
                return left, right
            before, after = producer(left), producer(right)
            if before is not None and after is not None and before[0] is after[0] and before[1] is not after[1]:
                waiting.append((before[1], after[1]))
    return None


def path(source: Any, outputs: Iterable[Any]) -> tuple[PathStep, ...]:
    """A shortest chain of layer calls from a tensor to one of the outputs, each with the user's line."""
    after = _after(source, outputs)
    return _steps(source, after) if id(source) in after else ()


def _after(source: Any, outputs: Iterable[Any]) -> dict[int, tuple[Any, Any] | None]:
    """For each tensor that was met on the way back from the outputs to the source, (what it goes into, itself)."""
    after: dict[int, tuple[Any, Any] | None] = {id(tensor): None for tensor in outputs}
    waiting = list(outputs)
    while waiting:
        tensor = waiting.pop(0)
        if tensor is source:
            break
        made = producer(tensor)
        for needed in inputs(made[1]) if made is not None else ():
            if id(needed) not in after:
                after[id(needed)] = (tensor, needed)
                waiting.append(needed)
    return after


def between(source: Any, outputs: Iterable[Any]) -> list[Any]:
    """The tensors on a shortest way from a tensor to one of the outputs, without the tensor itself."""
    after = _after(source, outputs)
    found, following = [], after.get(id(source))
    while following is not None:
        found.append(following[0])
        following = after.get(id(following[0]))
    return found


def behind(outputs: Iterable[Any]) -> set[int]:
    """The ids of the outputs and of every tensor that led to them."""
    seen: set[int] = set()
    waiting = list(outputs)
    while waiting:
        tensor = waiting.pop()
        if id(tensor) not in seen:
            seen.add(id(tensor))
            made = producer(tensor)
            waiting.extend(inputs(made[1]) if made is not None else ())
    return seen


def _steps(tensor: Any, after: dict[int, tuple[Any, Any] | None]) -> tuple[PathStep, ...]:
    steps: list[PathStep] = []
    while True:
        made = producer(tensor)
        if made is not None:
            layer, node = made
            steps.append(
                PathStep(
                    op=type(layer).__name__,
                    layer=str(getattr(layer, "name", "")),
                    location=creations.made(node),
                    connected=bool(steps),
                )
            )
        following = after[id(tensor)]
        if following is None:
            return tuple(steps)
        tensor = following[0]


def reference(tensor: Any, name: str = "") -> TensorRef:
    """A Keras tensor with the user's name for it, the layer that produced it, and the user's line of that call."""
    made = producer(tensor)
    layer = str(getattr(made[0], "name", "")) if made is not None else ""
    return TensorRef(
        name=name,
        kind="keras-tensor",
        dtype=dtype(tensor),
        shape=shape(tensor),
        location=creations.made(made[1]) if made is not None else None,
        layer=layer,
    )


def shape(tensor: Any) -> tuple[int | None, ...] | None:
    """The static shape of anything tensor-like; None when the rank is unknown."""
    found = getattr(tensor, "shape", None)
    if found is None or getattr(found, "rank", 0) is None:
        return None
    return tuple(None if size is None else int(size) for size in tuple(found))


def dtype(tensor: Any) -> str:
    """The dtype's plain name."""
    found = getattr(tensor, "dtype", "")
    return str(getattr(found, "name", found) or "")
