"""What each layer really gave out in one call of a model: the way people are told to debug when history is gone."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tensorwhy.adapters.arrivals import OutputStats, Seen
from tensorwhy.adapters.keras_common import nodes, packages


class LayerOutputs:
    """Between `__enter__` and `__exit__`, collects the result of every layer that is called, in order of return."""

    def __init__(self, model: Any) -> None:
        self.seen: dict[int, Seen] = {}
        self._classes = _layer_classes(type(model))
        self._originals: list[Any] = []

    def __enter__(self) -> LayerOutputs:
        for cls in self._classes:
            original = cls.__call__
            self._originals.append(original)
            cls.__call__ = self._collecting(original)
        return self

    def __exit__(self, *exception: object) -> None:
        for cls, original in zip(self._classes, self._originals):
            cls.__call__ = original
        self._originals.clear()

    def _collecting(self, original: Any) -> Any:
        @functools.wraps(original)
        def __call__(layer: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(layer, *args, **kwargs)
            known = self.seen.get(id(layer))
            if known is None or not _has_values(known.result):  # a model that builds itself runs on symbols first
                self.seen[id(layer)] = Seen(layer, result)
            else:
                known.calls += 1
            return result

        return __call__


def _layer_classes(model: type) -> list[Any]:
    return [base for base in model.__mro__ if base.__name__ == "Layer" and packages.is_keras_module(base.__module__)][
        :1
    ]


def stats(result: Any) -> Iterator[OutputStats]:
    """What is in the tensors of a layer's result; symbolic ones have a shape and a dtype only."""
    for leaf, _ in nodes.flat(result):
        if hasattr(leaf, "dtype") and hasattr(leaf, "shape"):
            yield _stats(leaf)


def _has_values(result: Any) -> bool:
    return any(hasattr(leaf, "_numpy") for leaf, _ in nodes.flat(result))


def _stats(tensor: Any) -> OutputStats:
    shape, dtype = nodes.shape(tensor) or (), nodes.dtype(tensor)
    if not hasattr(tensor, "_numpy"):
        return OutputStats(shape=shape, dtype=dtype)
    values = np.asarray(tensor)
    if values.size == 0 or (values.dtype.kind not in "fiub" and dtype not in ("bfloat16", "float16")):
        return OutputStats(shape=shape, dtype=dtype)
    values = values.astype("float64")
    finite = values[np.isfinite(values)]
    return OutputStats(
        shape=shape,
        dtype=dtype,
        mean=float(finite.mean()) if finite.size else None,
        spread=float(finite.std()) if finite.size else None,
        zeros=float((values == 0).mean()),
        nans=float(np.isnan(values).mean()),
    )


def layers(model: Any) -> list[Any]:
    """The model's layers, nested ones too, without the model itself."""
    flatten = getattr(model, "_flatten_layers", None)
    if flatten is None:
        return list(getattr(model, "layers", ()))
    return [layer for layer in flatten(include_self=False) if packages.kind_of(layer) in ("layer", "model")]


def name(layer: Any, model: Any) -> str:
    """What a layer is called."""
    return str(getattr(layer, "name", ""))


def own_variables(layer: Any) -> tuple[list[Any], list[Any]]:
    """(trainable, other) variables of a layer itself, without those of the layers inside it."""
    inner = {id(variable) for each in layers(layer) for variable in each.variables}
    own = [variable for variable in layer.variables if id(variable) not in inner]
    trainable = {id(variable) for variable in layer.trainable_variables}
    return [v for v in own if id(v) in trainable], [v for v in own if id(v) not in trainable]
