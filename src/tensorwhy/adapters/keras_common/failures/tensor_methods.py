"""Methods that tensors or arrays with values have, and symbolic Keras tensors have not: `x.get_shape()`, `x.mean()`."""

from __future__ import annotations

import sys
from typing import Any

from tensorwhy.adapters.keras_common import creations, nodes


def known(name: str) -> bool:
    """Return whether a TensorFlow tensor or a NumPy array answers to this public name."""
    if name.startswith("_"):
        return False
    tensor = getattr(sys.modules.get("tensorflow"), "Tensor", None)
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    return hasattr(tensor, name) or hasattr(array, name)


def arrays_only(name: str) -> bool:
    """Return whether arrays have it and no TensorFlow tensor has, not even one of a graph."""
    return known(name) and not hasattr(getattr(sys.modules.get("tensorflow"), "Tensor", None), name)


def in_finished_model(tensor: Any) -> bool:
    """Return whether a model that has been made already holds the layer that gives this tensor."""
    made = nodes.producer(tensor)
    if made is None:
        return False
    return any(layer is made[0] for model in creations.live(("model",)) for layer in getattr(model, "layers", ()))
