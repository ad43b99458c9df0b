"""Remembers the user's line of every Keras 3 node, layer and variable when it is created, and what layers gave out."""

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
    read_once,
    settings,
    unreset_metrics,
)
from tensorwhy.adapters.keras_common.survival import adapted, by_order, copies, effects, loads
from tensorwhy.recording import tracebacks
from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hook the constructors of nodes and of operations (every layer is one), and of TensorFlow's variables."""
    from keras.src.backend import Variable
    from keras.src.callbacks.callback import Callback
    from keras.src.callbacks.callback_list import CallbackList
    from keras.src.layers.layer import Layer
    from keras.src.layers.preprocessing.discretization import Discretization
    from keras.src.layers.preprocessing.index_lookup import IndexLookup
    from keras.src.layers.preprocessing.normalization import Normalization
    from keras.src.layers.preprocessing.text_vectorization import TextVectorization
    from keras.src.losses.loss import Loss
    from keras.src.models.model import Model
    from keras.src.ops.node import Node
    from keras.src.ops.operation import Operation
    from keras.src.saving import saving_lib
    from keras.src.trainers.compile_utils import CompileLoss
    from keras.src.trainers.trainer import Trainer

    undo = [read_once.watch(Node), creations.after(Node, "__init__", user), creations.after(Operation, "__new__", user)]
    undo.append(creations.variables(user))
    undo.append(creations.deferred(Variable, user))
    undo.append(creations.datasets(user))
    undo += unreset_metrics.watch(user)
    undo.append(looked_up.watch(Callback, CallbackList, user))
    undo.append(ran_out.watch(CallbackList))
    undo.append(calls.watch(Layer))
    undo.append(collected.watch(Layer, user))
    undo.append(frozen.watch(Layer, user))
    undo.append(settings.watch(CompileLoss))
    undo.append(loss_shapes.watch(Loss, user))
    trainer = sys.modules.get("keras.src.backend.tensorflow.trainer")
    if trainer is not None:
        undo.append(fitting.watch(trainer.TensorFlowTrainer, user))
        undo.append(fitting.watch_losses(Trainer, user))
    losses = sys.modules.get("keras.src.backend.tensorflow.nn")
    if losses is not None:
        undo.append(loss_inputs.watch(losses, user))
    undo += creations.optimizers(user)
    undo += loads.watch_keras(saving_lib, user)
    undo += effects.watch(Model, user)
    undo += by_order.watch(sys.modules.get("keras.src.legacy.saving.legacy_h5_format"), user)
    undo += copies.watch(sys.modules.get("keras.src.models.cloning"))
    undo += adapted.watch((Normalization, Discretization, IndexLookup, TextVectorization), user)
    undo.append(tracebacks.keep(("keras.src.utils.traceback_utils",)))

    def uninstall() -> None:
        for each in reversed(undo):
            each()

    return uninstall
