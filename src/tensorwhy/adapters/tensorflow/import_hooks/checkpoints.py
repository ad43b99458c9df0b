"""Watches which values `tf.train.Checkpoint` puts into the objects of a program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.survival import loads
from tensorwhy.adapters.patches import replaced
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode

_VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"
_LARGEST = 1 << 28
"""A value with more numbers is not read once more."""


def install(user: UserCode) -> Callable[[], None]:
    """Hook the method that reads a checkpoint, and the one by which a program says that it need not be whole."""
    import tensorflow as tf

    undo = [replaced(tf.train.Checkpoint, "read", loads.reading(_roots, _values, user))]
    status = _status_of(tf.train.Checkpoint)
    if status is not None:
        undo.append(replaced(status, "expect_partial", _partly))

    def uninstall() -> None:
        for each in reversed(undo):
            each()

    return uninstall


def _status_of(checkpoint: Any) -> Any:
    import sys

    return getattr(sys.modules[checkpoint.__module__], "CheckpointLoadStatus", None)


def _partly(original: Callable[..., Any]) -> Callable[..., Any]:
    def before(status: Any) -> Any:
        loads.partly(status)
        return None

    return around(original, before, lambda state, raised, result: None)


def _roots(checkpoint: Any) -> dict[str, Any]:
    """The objects that a checkpoint was made of, by name. Optimizers make their state when they are used."""
    root = getattr(checkpoint, "root", None) or getattr(checkpoint, "_root", None)
    if root is not None and root is not checkpoint:
        return {type(root).__name__: root}
    held = {name: each for name, each in vars(checkpoint).items() if not name.startswith("_")}
    held.pop("save_counter", None)
    return {name: each for name, each in held.items() if packages.kind_of(each) != "optimizer"}


def _values(path: str, shapes: set[tuple[int, ...]]) -> dict[str, tuple[tuple[int, ...], bytes]]:
    import tensorflow as tf

    reader = tf.train.load_checkpoint(path)
    found = {}
    for name, shape in reader.get_variable_to_shape_map().items():
        wanted = tuple(shape) in shapes and name.endswith(_VALUE) and ".OPTIMIZER_SLOT" not in name
        if wanted and np.prod(shape, dtype=np.int64) <= _LARGEST:
            value = np.asarray(reader.get_tensor(name))
            digest = hashlib.blake2b(value.tobytes(), digest_size=16).digest()
            found[name.removesuffix(_VALUE)] = tuple(shape), digest
    return found
