"""TW502: a dataset was to stack elements of different shapes into a batch.

The kernel tells the shapes that it met. Which transformation or generator left the size open that differs, the
dataset remembers: that is found from what the frames hold, a loop's iterator or the arguments of `fit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import shape_origins
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import Shape, VaryingOutput
from tensorwhy.source.files import Sources

_UNEQUAL = (
    re.compile(r"First element had shape \[([\d,]*)\] and element (\d+) had shape \[([\d,]*)\]"),
    re.compile(r"Shapes are: \[tensor\]: \[([\d,]*)\], \[batch\]: \[([\d,]*)\]"),
)
_DEEPEST = 64


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    for stack in live.whole():
        shapes = _shapes(stack.exception)
        if shapes is None:
            continue
        for dataset in shape_origins.datasets(tuple(reversed(stack.frames))):
            found = _stacked(dataset, shapes)
            origin = shape_origins.in_dataset(*found, "any", live.user) if found is not None else None
            if origin is None or found is None:
                continue
            node = shape_origins.call_of(origin.made, origin.functions, sources)
            yield VaryingOutput(
                construct="batch",
                call=origin.made if node is None else sources.place(origin.made.file, node),
                operation=origin.means,
                shapes=shapes,
                rankless=_is_rankless(found[0]),
            )
            return


def _is_rankless(before: Any) -> bool:
    """Whether the elements were to become ragged, which needs to know how many axes they have."""
    named = type(before).__name__.lstrip("_") == "DenseToRaggedDataset"
    return named and any(
        isinstance(spec, tf.TensorSpec) and spec.shape.rank is None for spec in shape_origins.specs(before)
    )


def _shapes(error: BaseException) -> tuple[Shape, Shape] | None:
    """The shape of the first element of a batch, and that of the one which did not fit to it."""
    if not isinstance(error, errors_impl.InvalidArgumentError):
        return None
    if found := _UNEQUAL[0].search(error.message):
        return _shape(found[1]), _shape(found[3])
    if found := _UNEQUAL[1].search(error.message):
        return _shape(found[2]), _shape(found[1])
    return None


def _shape(text: str) -> Shape:
    return tuple(int(size) for size in text.split(",") if size)


def _stacked(dataset: Any, shapes: tuple[Shape, Shape]) -> tuple[Any, int] | None:
    """What a dataset batches, and the component whose elements may be of both shapes; None when that is not one."""
    for _ in range(_DEEPEST):
        before = getattr(dataset, "_input_dataset", None)
        if before is None:
            return None
        if type(dataset).__name__.lstrip("_") in ("BatchDataset", "ParallelBatchDataset", "MapAndBatchDataset"):
            fitting = [
                position
                for position, spec in enumerate(shape_origins.specs(before))
                if isinstance(spec, tf.TensorSpec) and all(spec.shape.is_compatible_with(shape) for shape in shapes)
            ]
            return (before, fitting[0]) if len(fitting) == 1 else None
        dataset = before
    return None
