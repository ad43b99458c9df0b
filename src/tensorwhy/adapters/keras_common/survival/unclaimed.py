"""Values of a file that no variable took, while a variable of the same name and shape was left as it was.

Loading by name looks at the layers of the model itself. A layer inside of another one has its name in the file, but
under the name of the outer layer, or the outer layer is in one of the two only: then it is passed over without a word.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning import training
from tensorwhy.adapters.patches import quietly

Print = tuple[tuple[int, ...], bytes]
"""The shape and the fingerprint of an array."""
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Left(msgspec.Struct, frozen=True):
    """A variable that stayed as it was. `outer` is the layer of the model that it is in, and `stored` its name in the
    file."""

    name: str
    outer: str
    stored: str


def fingerprint(array: Any) -> Print:
    """The shape and a digest of the values of an array."""
    return tuple(array.shape), hashlib.blake2b(array.tobytes(), digest_size=16).digest()


def left(model: Any, same: set[int], values: Mapping[str, Print]) -> Iterator[Left]:
    """The variables among those with the handles `same` that a file has values for, by another layer's name.

    A name that Keras chose itself says nothing, and neither does a value that is now in another variable.
    """
    import numpy as np

    weights: list[Any] = quietly(lambda: list(model.weights), [])
    arrays: list[Any] = quietly(model.get_weights, [])
    prints = [fingerprint(np.asarray(each)) for each in arrays]
    taken = set(prints)
    free = {name: each for name, each in values.items() if each not in taken}
    owners = dict(_owners(model))
    outer = {
        handle: str(layer.name)
        for layer in model.layers
        if hasattr(layer, "load_weights")
        for handle in training.handles_of(layer, "weights")
    }  # fmt: skip
    for weight, (shape, _) in zip(weights, prints):
        handle = training.handle_of(weight) or 0
        owner = owners.get(handle)
        if handle not in same or owner is None:
            continue
        own = str(getattr(weight, "path", "") or weight.name).partition(":")[0].rpartition("/")[2]
        named = [each for each, (size, _) in free.items() if size == shape and _ends(each, owner, own)]
        if len(named) == 1:
            yield Left(name=f"{owner}/{own}", outer=outer.get(handle, ""), stored=named[0].rpartition(":")[0])


def _owners(model: Any) -> Iterator[tuple[int, str]]:
    """The layer that each variable belongs to, by the name that the program gave it."""
    for layer in packages.layers_of(model):
        name = str(layer.name)
        chosen = re.sub(r"_\d+$", "", name) != _WORD.sub("_", type(layer).__name__).lower()
        inner = {handle for each in _within(layer) for handle in training.handles_of(each, "weights")}
        for handle in training.handles_of(layer, "weights") if chosen else ():
            if handle not in inner:
                yield handle, name


def _within(layer: Any) -> list[Any]:
    return [each for each in packages.layers_of(layer) if each is not layer]


def _ends(stored: str, owner: str, own: str) -> bool:
    parts = stored.partition(":")[0].split("/")
    return parts[-1] == own and owner in parts[:-1]
