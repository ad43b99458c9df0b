"""The batches that a traced step is given, one after the other, so that a copy of it can be tried with each.

A step of the program's own was given one batch. A call of `fit` was given all samples: they are cut into batches here,
in order and then mixed, because one bad sample may do no harm beside others. A dataset is read again only where nobody
can notice: nothing in it may run Python, and what shuffles it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tensorwhy.adapters.keras_common.learning import fitting

_MOST = 64
"""So many batches of a dataset are read again."""
_SAMPLES = 1 << 24
"""Samples with more numbers in all are not mixed."""
_HANDING_ON = ("Prefetch", "Shuffle", "Repeat", "Options", "Cache")


def batches(graph: Any, args: Any, read: bool) -> Iterator[dict[str, Any]]:
    """Yield what the inputs of a graph may be given, by their names. `args` are those of the call that runs now.

    Datasets are left alone unless `read` says so: to read one again takes time.
    """
    inputs = _inputs(graph)
    for values in _elements(fitting.given[-1] if fitting.given else None, args, read):
        found = _matched(inputs, values)
        if found is not None:
            yield found


def _inputs(graph: Any) -> list[Any]:
    inside = {id(internal) for _, internal in graph.captures}
    taken = [op for op in graph.get_operations() if op.type == "IteratorGetNext"]
    return list(taken[0].outputs) if taken else [tensor for tensor in graph.inputs if id(tensor) not in inside]


def _elements(fitted: Any, args: Any, read: bool) -> Iterator[list[Any]]:
    if fitted is None:
        yield _arrays(args)
    elif len(fitted) == 1 and isinstance(fitted[0], tf.data.Dataset):
        dataset = _unshuffled(fitted[0]) if read else None
        if dataset is not None:
            for element in dataset.take(_MOST):
                yield _arrays(element)
    else:
        yield from _cut(_arrays(fitted), fitting.batch_sizes[-1])


def _arrays(values: Any) -> list[Any]:
    return [
        np.asarray(each)
        for each in tf.nest.flatten(values)
        if isinstance(each, np.ndarray) or hasattr(each, "_datatype_enum")
    ]


def _cut(arrays: Sequence[Any], size: int | None) -> Iterator[list[Any]]:
    count = len(arrays[0]) if arrays and arrays[0].ndim else 0
    if not count or any(not array.ndim or len(array) != count for array in arrays):
        return
    size = min(size or count, count)
    orders: list[Any] = [np.arange(count)]
    if size < count and sum(array.size for array in arrays) <= _SAMPLES:
        generator = np.random.default_rng(0)
        orders += [generator.permutation(count) for _ in range(3)]
    for order in orders:
        for start in range(0, count - size + 1, size):
            yield [array[order[start : start + size]] for array in arrays]


def _matched(inputs: Sequence[Any], values: Sequence[Any]) -> dict[str, Any] | None:
    """Return the values by the names of the inputs; None where one does not fit."""
    if not values or len(inputs) != len(values):
        return None
    found = {}
    for tensor, value in zip(inputs, values):
        if tensor.shape.rank == value.ndim + 1 == 2:
            value = value[:, None]  # as Keras makes columns of targets
        if tensor.shape.rank is not None and not tensor.shape.is_compatible_with(value.shape):
            return None
        found[tensor.name] = value.astype(tensor.dtype.as_numpy_dtype)
    return found


def _unshuffled(dataset: Any) -> Any:
    """Return a dataset with the same elements in a fixed order; None where reading it again could be noticed.

    To read a part of a cached one gives a warning, and to shuffle moves its generator.
    """
    if not _is_pure(dataset):
        return None
    if not any(_kind(each) in ("Shuffle", "Cache") for each in _above(dataset)):
        return dataset
    inputs = dataset._inputs()
    inner = _unshuffled(inputs[0]) if len(inputs) == 1 else None
    if inner is None or _kind(dataset) in _HANDING_ON:
        return inner
    size = getattr(dataset, "_batch_size", None)
    return inner.batch(size) if size is not None and "Batch" in _kind(dataset) else None


def _above(dataset: Any) -> Iterator[Any]:
    yield dataset
    for each in dataset._inputs():
        yield from _above(each)


def _is_pure(dataset: Any) -> bool:
    functions = [function for each in _above(dataset) for function in each._functions()]
    ops = [op for function in functions for op in function.function.graph.get_operations()]
    return not any("PyFunc" in op.type or op.op_def.is_stateful for op in ops)


def _kind(dataset: Any) -> str:
    return type(dataset).__name__.strip("_").removesuffix("Dataset")
