"""Remembers the user's line of every Keras 2 node and layer when it is created, and what layers gave out."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.keras_common.learning import (
    calls,
    collected,
    fitting,
    frozen,
    looked_up,
    loss_inputs,
    loss_shapes,
    ran_out,
    replaced_weights,
    unheard_updates,
    unreset_metrics,
)
from tensorwhy.adapters.keras_common.survival import by_order, copies, effects
from tensorwhy.recording import tracebacks
from tensorwhy.recording.locations import UserCode

# The packages that can hold a Keras 2: before 2.13, from 2.13 on, and tf_keras.
_ENGINES = ("keras.engine", "keras.src.engine", "tf_keras.src.engine")
_CLONING = ("keras.models", "keras.src.models.cloning", "keras.models.cloning", "tf_keras.src.models.cloning")
_FORMATS = (
    "keras.saving.hdf5_format",
    "keras.saving.legacy.hdf5_format",
    "keras.src.saving.legacy.hdf5_format",
    "tf_keras.src.saving.legacy.hdf5_format",
)
_CALLBACKS = ("keras.callbacks", "keras.src.callbacks", "tf_keras.src.callbacks")
_LOSSES = ("keras.backend", "keras.src.backend", "tf_keras.src.backend")
_LOSS_CLASSES = ("keras.losses", "keras.src.losses", "tf_keras.src.losses")
_FILTERS = tuple(f"{package}.utils.traceback_utils" for package in ("keras", "keras.src", "tf_keras.src"))


def install(user: UserCode) -> Callable[[], None]:
    """Hook the constructor of nodes, and the step of a layer's constructor that names it (`Functional` has its own)."""
    undo: list[Callable[[], None]] = [creations.variables(user), creations.datasets(user)]
    undo += unreset_metrics.watch(user)
    for engine in _ENGINES:
        node, layer, model = (sys.modules.get(f"{engine}.{name}") for name in ("node", "base_layer", "functional"))
        if node is not None and layer is not None and model is not None:
            undo.append(creations.after(node.Node, "__init__", user))
            undo += [creations.after(cls, "_init_set_name", user) for cls in (layer.Layer, model.Functional)]
            undo.append(calls.watch(layer.Layer))
            undo.append(collected.watch(layer.Layer, user))
            undo.append(frozen.watch(layer.Layer, user))
            undo.append(replaced_weights.watch(layer.Layer, user))
            undo.append(unheard_updates.watch(layer.Layer, user))
        training = sys.modules.get(f"{engine}.training")
        if training is not None:
            undo.append(fitting.watch(training.Model, user))
            undo += effects.watch(training.Model, user)
    for name in _CLONING:
        undo += copies.watch(sys.modules.get(name))
    for name in _FORMATS:
        undo += by_order.watch(sys.modules.get(name), user)
    for name in _CALLBACKS:
        callbacks = sys.modules.get(name)
        if callbacks is not None:
            undo.append(looked_up.watch(callbacks.Callback, callbacks.CallbackList, user))
            undo.append(ran_out.watch(callbacks.CallbackList))
    for name in _LOSSES:
        losses = sys.modules.get(name)
        if losses is not None:
            undo.append(loss_inputs.watch(losses, user))
    for name in _LOSS_CLASSES:
        losses = sys.modules.get(name)
        if losses is not None:
            undo.append(loss_shapes.watch(losses.Loss, user))
    undo += creations.optimizers(user)
    undo.append(tracebacks.keep(_FILTERS))

    def uninstall() -> None:
        for each in reversed(undo):
            each()

    return uninstall
