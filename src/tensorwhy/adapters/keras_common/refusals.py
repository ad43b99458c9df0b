"""What Keras's objects are called where something refuses them, and what is special about functions of Keras."""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.refusal.described import Described, FrameRule, Settings, Vocabulary
from tensorwhy.adapters.stack import Frame
from tensorwhy.recording.locations import UserCode


def describe(thing: Any, user: UserCode) -> Described | None:
    """A Keras object by the layer that made it, and by the line that did; None for anything else."""
    kind = packages.kind_of(thing)
    if kind is None:
        return None
    made = creations.made(thing)
    if kind == "keras-tensor":
        ref = nodes.reference(thing)
        instead = "keras.ops" if packages.generation_of(thing) == 3 else "tf"
        return Described(
            what="symbolic Keras tensor",
            name=ref.layer,
            detail=_sizes(ref.shape, ref.dtype),
            made=ref.location
            if creations.made_directly(_node(thing))
            else creations.made(_layer(thing)) or ref.location,
            instead=f"create a new tensor: `{instead}.where(mask, new, x)`, or join slices",
        )
    name = str(getattr(thing, "path", "") or getattr(thing, "name", "") or "")
    if kind == "variable":
        detail = _sizes(nodes.shape(thing), nodes.dtype(thing))
        made = made or creations.made(getattr(thing, "_value", None))
        return Described(what="variable", name=name, detail=detail, made=made, instead="use `assign`")
    return Described(what=kind, name=name, detail=type(thing).__name__, made=made)


def kind(cls: type) -> str:
    """The noun for the objects of a class of Keras."""
    found = packages.of_class(cls) if isinstance(cls, type) else None
    return str(found[1]) if found is not None else ""


def _layer(tensor: Any) -> Any:
    made = nodes.producer(tensor)
    return made[0] if made is not None else None


def _node(tensor: Any) -> Any:
    made = nodes.producer(tensor)
    return made[1] if made is not None else None


def part(thing: Any, user: UserCode) -> Described | None:
    """A layer or an optimizer that the program made; a model is what it calls itself."""
    return describe(thing, user) if packages.kind_of(thing) in ("layer", "optimizer") else None


def settings(thing: Any) -> Settings | None:
    """What a model was compiled with."""
    place = fitting.compiled_at(thing) if packages.kind_of(thing) == "model" else None
    held = getattr(getattr(thing, "_compile_config", None), "config", None)
    renewed = fitting.compiled_within(thing) if place is not None else False
    known = place is not None and (renewed or isinstance(held, dict))
    given = held if isinstance(held, dict) else {}
    return Settings(place, given, renewed, "compile", _ANEW) if place is not None and known else None


_ANEW = (
    "compile between two calls of `fit`, and pass `initial_epoch` to the second one",
    "or change in the callback only what a running `fit` follows, such as `model.optimizer.learning_rate`",
)


def _sizes(shape: tuple[int | None, ...] | None, dtype: str) -> str:
    return f"{dtype} {tuple(shape)}" if shape is not None else dtype


_LOOKED_UP = (
    ("_retrieve_class_or_fn", "saving/serialization_lib.py"),
    (
        ("class_and_config_for_serialized_keras_object", "deserialize_keras_object"),
        ("legacy/serialization.py", "legacy/saving/serialization.py", "utils/generic_utils.py"),
    ),
)
"""Where Keras looks up what a saved configuration names."""


def _is_outside(frame: Frame) -> bool:
    """Return whether a loss or metric is added outside of every `call`, where Keras 2 takes no values."""
    return frame.local("in_call_context") is False


def _are_ids(frame: Frame) -> bool:
    """Return whether targets have one column where a model gives one for each class."""
    target, output = (nodes.shape(frame.local(name)) for name in ("target", "output"))
    known = target is not None and output is not None and len(target) == len(output) > 1
    return known and target[-1] == 1 and (output[-1] or 1) > 1  # type: ignore[index]


def _without_names(frame: Frame) -> bool:
    """Return whether losses have names, and the outputs of a model, which are several, have none."""
    names = frame.local("flat_output_names")
    return not names and isinstance(frame.local("loss"), dict) and isinstance(frame.local("y_pred"), (list, tuple))


RULES: tuple[FrameRule, ...] = (
    FrameRule(
        function="build",
        file="trainers/compile_utils.py",
        place=True,
        requires="outputs with the names of the losses, and the model returns a tuple, whose parts have no names",
        advice=(
            "return a dict with these names from `call`, and pass the targets as one",
            "or give `compile` the losses as a list, in the order of the outputs",
        ),
        when=_without_names,
    ),
    FrameRule(
        function="categorical_crossentropy",
        file=("backend/tensorflow/nn.py", "backend.py"),
        local="target",
        requires="one column for each class, like the output of the model, and not class ids",
        advice=(
            "take the loss for class ids: `sparse_categorical_crossentropy`",
            "or make a column for each class of the targets: `keras.utils.to_categorical(y)`",
        ),
        when=_are_ids,
        settled="the loss is chosen here",
    ),
    *(
        FrameRule(
            function=function,
            file=file,
            requires="only classes and functions that are registered or passed in",
            advice=(
                'name it in the call that loads: `custom_objects={"{}": {}}`',
                "or register it where it is defined: `@keras.utils.register_keras_serializable()`",
            ),
            when=lambda frame: not {"object_name", "class_name", "registered_name"}.isdisjoint(frame.frame.f_locals),
        )
        for function, file in _LOOKED_UP
    ),
    FrameRule(
        function="get_config",
        file=("ops/operation.py", "engine/base_layer.py"),
        local="self",
        requires="an object that tells how it is made again, and its class has no `get_config`",
        advice=("define `get_config`: add the arguments of `__init__` to `super().get_config()`",),
    ),
    FrameRule(
        function="learning_rate",
        file=("optimizers/base_optimizer.py", "optimizers/optimizer.py"),
        local="self",
        requires="an optimizer with a number as learning rate, to change that, and this one follows a schedule",
        advice=(
            "create the optimizer with a number: `learning_rate=0.001`",
            "or keep the schedule, and omit what sets the rate, such as a callback",
        ),
    ),
    FrameRule(
        function="add",
        file="sequential.py",
        local="layer",
        requires="layers, which it calls itself",
        advice=(
            "pass each layer without calling it",
            "or build a functional model from the tensors: `keras.Model(inputs, outputs)`",
        ),
        when=lambda frame: packages.is_keras_tensor(frame.local("layer")),
    ),
    FrameRule(
        function="__init__",
        file=".py",
        local="layer",
        requires="a layer, which it calls itself",
        advice=("pass the layer without calling it, and call the result on the tensor: `Wrapper(layer)(x)`",),
        when=lambda frame: packages.is_keras_tensor(frame.local("layer")),
    ),
    FrameRule(
        function="__init__",
        file="input_layer.py",
        local="input_tensor",
        requires="a symbolic Keras tensor: an input of a model has no value",
        advice=("use `keras.Input(shape=...)` without the batch axis, and pass the values to the finished model",),
        when=lambda frame: frame.local("input_tensor") is not None,
    ),
    FrameRule(
        function="add_loss",
        file="layers/layer.py",
        local="loss",
        requires="a tensor, not a function",
        advice=(
            "for a penalty on weights, set a regularizer on their layer: `kernel_regularizer=...`",
            "otherwise add the tensor in the `call` of a layer or model: `self.add_loss(value)`",
        ),
        when=lambda frame: callable(frame.local("loss")),
    ),
    FrameRule(
        function="add_loss",
        file="layers/layer.py",
        local="loss",
        requires="a tensor that is computed in a `call`",
        advice=(
            "compute the loss in the `call` of a layer that gets these tensors, call `self.add_loss(...)` there, and "
            "return a tensor that the outputs depend on",
        ),
        when=lambda frame: packages.is_keras_tensor(frame.local("loss")),
    ),
    *(
        FrameRule(function=function, file="base_layer.py", requires=requires, advice=(advice,), when=_is_outside)
        for function, requires, advice in (
            ("add_loss", "a symbolic Keras tensor, or a function", "pass a function: `model.add_loss(lambda: ...)`"),
            ("add_metric", "a symbolic Keras tensor", "call `self.add_metric(...)` in the `call` of a layer"),
        )
    ),
)

VOCABULARY = Vocabulary(
    describe=describe, libraries=("keras", "tf_keras"), rules=RULES, kind=kind, part=part, settings=settings
)
