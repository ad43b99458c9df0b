"""What each layer really gave out in one call of a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.arrivals import OutputStats, Seen
from tensorwhy.adapters.torch.flow import leaves_of


class LayerOutputs:
    """Between `__enter__` and `__exit__`, collects the result of every layer that is called, in order of return.

    A container that has no parameters of its own is not a layer; the model itself is.
    """

    def __init__(self, model: Any) -> None:
        self.seen: dict[int, Seen] = {}
        self._hook: Any = None

    def __enter__(self) -> LayerOutputs:
        self._hook = torch.nn.modules.module.register_module_forward_hook(self._collect)
        return self

    def __exit__(self, *exception: object) -> None:
        self._hook.remove()

    def _collect(self, layer: Any, given: Any, result: Any) -> None:
        if any(True for _ in layer.children()) and not layer._parameters:
            return
        known = self.seen.get(id(layer))
        if known is None:
            self.seen[id(layer)] = Seen(layer, result)
        else:
            known.calls += 1


def stats(result: Any) -> Iterator[OutputStats]:
    """What is in the tensors of a layer's result."""
    with torch.no_grad():
        for each in leaves_of(result):
            yield _stats(each.detach())


def _stats(tensor: Any) -> OutputStats:
    shape, dtype = tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
    if tensor.numel() == 0 or tensor.device.type == "meta" or tensor.is_complex() or tensor.is_sparse:
        return OutputStats(shape=shape, dtype=dtype)
    values = tensor.double()
    finite = values[torch.isfinite(values)]
    return OutputStats(
        shape=shape,
        dtype=dtype,
        mean=float(finite.mean()) if finite.numel() else None,
        spread=float(finite.std(correction=0)) if finite.numel() else None,
        zeros=float((values == 0).double().mean()),
        nans=float(torch.isnan(values).double().mean()),
    )


def layers(model: Any) -> list[Any]:
    """The layers of a module, nested ones too, without the module itself and mere containers."""
    found = [each for each in model.modules() if each is not model]
    return [each for each in found if each._parameters or not any(True for _ in each.children())]


def own_variables(layer: Any) -> tuple[list[Any], list[Any]]:
    """(trainable, frozen) parameters of a layer itself."""
    own = [each for each in layer._parameters.values() if each is not None]
    return [each for each in own if each.requires_grad], [each for each in own if not each.requires_grad]


def name(layer: Any, model: Any) -> str:
    """The path of a layer in a module, and the class of what is not in it."""
    return next((path for path, each in model.named_modules() if each is layer and path), type(layer).__name__)
