"""Remembers the user's line of every Keras 2 node and layer when it is created."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tensorwhy.adapters.keras_common import stamps
from tensorwhy.recording.locations import UserCode

# (node, layer) modules of the packages that hold a Keras 2: before 2.13, from 2.13 on, and tf_keras.
_MODULES = (
    ("keras.engine.node", "keras.engine.base_layer"),
    ("keras.src.engine.node", "keras.src.engine.base_layer"),
    ("tf_keras.src.engine.node", "tf_keras.src.engine.base_layer"),
)


def install(user: UserCode) -> Callable[[], None]:
    """Hook the constructor of nodes, and the step of a layer's constructor that names it (subclasses keep it)."""
    undo: list[Callable[[], None]] = []
    for node, layer in _MODULES:
        if node in sys.modules and layer in sys.modules:
            undo.append(stamps.after(sys.modules[node].Node, "__init__", user))
            undo.append(stamps.after(sys.modules[layer].Layer, "_init_set_name", user))

    def uninstall() -> None:
        for each in undo:
            each()

    return uninstall
