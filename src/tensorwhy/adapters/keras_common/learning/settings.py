"""Settings of a training that take no effect: another setting, or the way `fit` is called, stands against them.

All is read from the objects that a training call is given, before and after it; nothing of the program runs.
"""

from __future__ import annotations

import ast
import dis
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import certain
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.training import VainSetting
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_TIMES = 3
"""So often `fit` must begin anew at epoch 0 before it is told."""
_NEAR = 16
_CUT = 0.5
_ROWS = 20_000
"""So many rows of the targets are looked at."""
_FEW = 0.01
_PROBABLE = ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy")
_BEGUN: dict[tuple[Location, int], tuple[weakref.ref[Any] | None, int]] = {}
"""How often in a row a call began at epoch 0, by its place and the schedule, with the model that it trained."""
_OPTIMIZERS: dict[tuple[Location, int], tuple[weakref.ref[Any], weakref.ref[Any], int]] = {}
"""By the place of a call and its model: the model, the optimizer that trained it last, and how often that was new."""
_ONCE: set[Location] = set()
"""Calls that train one epoch each."""
_ASKED: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
"""The compiled losses that a training step has called, by their ids."""


def clear() -> None:
    """Forget what was seen."""
    _BEGUN.clear()
    _OPTIMIZERS.clear()
    _ONCE.clear()
    _ASKED.clear()


def watch(compiled_loss: Any) -> Callable[[], None]:
    """Note which compiled losses a training step calls. Returns what takes the hook out."""
    looking = Bulkhead()

    def hooked(original: Any) -> Any:
        @functools.wraps(original)
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            if id(self) not in _ASKED:
                looking(_note_asked, self, sys._getframe(1))
            return original(self, *args, **kwargs)

        return call

    return replaced(compiled_loss, "call", hooked)


def _note_asked(loss: Any, frame: types.FrameType) -> None:
    if not is_test(frame):
        _ASKED[id(loss)] = loss


def is_test(frame: types.FrameType | None) -> bool:
    for _ in range(_NEAR):
        if frame is None or frame.f_code.co_name in ("fit", "train_step"):
            return False
        if frame.f_code.co_name in ("test_step", "evaluate"):
            return True
        frame = frame.f_back
    return False


class Training(NamedTuple):
    """A call of `fit`: what it was given, so many samples in a step, and where its model was compiled."""

    model: Any
    at: Location
    given: dict[str, Any]
    size: int | None
    compiled: Location | None


def begins(training: Training) -> None:
    """A call of `fit` begins."""
    _look(_AT_THE_BEGINNING, training)
    (_ONCE.add if training.given.get("epochs", 1) == 1 else _ONCE.discard)(training.at)


def ends(training: Training) -> None:
    """A call of `fit` is over."""
    _look(_AT_THE_END, training)


def _look(finders: Iterable[Callable[[Training], Iterator[VainSetting]]], training: Training) -> None:
    for find in finders:
        for fact in find(training):
            certain.keep(fact, training.model, "setting", fact.kind, fact.set_at, fact.used)


# -- fit, called anew for each epoch -----------------------------------------------------------------------------------


def _restarted(training: Training) -> Iterator[VainSetting]:
    model, at, given = training.model, training.at, training.given
    callbacks = given.get("callbacks")
    for each in callbacks if isinstance(callbacks, (list, tuple)) else ():
        schedule = getattr(each, "schedule", None)
        code = getattr(schedule, "__code__", None)
        if type(each).__name__ != "LearningRateScheduler" or not packages.native(each) or code is None:
            continue
        key = (at, id(code))
        of, count = _BEGUN.get(key, (None, 0))
        anew = given.get("epochs", 1) == 1 and given.get("initial_epoch", 0) == 0
        same = of is not None and of() is model
        reads = _reads_first(code, isinstance(schedule, types.MethodType))
        count = (count if same else 0) + 1 if anew and reads else 0
        _BEGUN[key] = weakref.ref(model), count
        if count >= _TIMES:
            yield VainSetting(kind="epoch", set_at=place(schedule), used=at, name=code.co_name, times=count)


def _reads_first(code: types.CodeType, method: bool) -> bool:
    """Return whether a function reads its first argument: a schedule that is given the epoch."""
    names = code.co_varnames[: code.co_argcount][1 if method else 0 :]
    read = [each.argval for each in dis.get_instructions(code) if each.opname.startswith("LOAD_")]
    return bool(names) and any(each == names[0] or (isinstance(each, tuple) and names[0] in each) for each in read)


def _renewed(training: Training) -> Iterator[VainSetting]:
    """An optimizer that remembers its steps, and is another one in each of several calls from the same line."""
    model, at = training.model, training.at
    optimizer = getattr(model, "optimizer", None)
    if training.compiled is None or optimizer is None or at not in _ONCE:
        return
    of, last, count = _OPTIMIZERS.get((at, id(model)), (None, None, 0))
    same = of is not None and of() is model
    anew = same and last is not None and last() is not optimizer and _remembers(optimizer)
    count = count + 1 if anew else 1
    _OPTIMIZERS[at, id(model)] = weakref.ref(model), weakref.ref(optimizer), count
    if count >= _TIMES:
        name = type(optimizer).__name__
        yield VainSetting(kind="optimizer", set_at=training.compiled, used=at, name=name, times=count)


def _remembers(optimizer: Any) -> bool:
    """Return whether an optimizer keeps something of its steps for each variable: momentum, or averages."""
    if getattr(optimizer, "momentum", None) == 0 and not hasattr(optimizer, "rho"):
        return False  # Keras 2.12 makes variables for a momentum of 0, too
    held = getattr(optimizer, "variables", ())
    held = held() if callable(held) else held  # Keras 2
    return any(len(getattr(each, "shape", ())) > 0 for each in held)


# -- states that go from batch to batch, of samples in another order -------------------------------------------------


def _shuffled(training: Training) -> Iterator[VainSetting]:
    given, size, at = training.given, training.size, training.at
    x = given.get("x")
    shape = getattr(x, "shape", None)
    if shape is None or hasattr(x, "element_spec") or not len(shape) or given.get("shuffle", True) is not True:
        return
    if size is None or shape[0] is None or int(shape[0]) <= size:
        return
    layer = next(
        (each for each in _layers(training.model) if getattr(each, "stateful", False) is True and _recurs(each)), None
    )
    if layer is None:
        return
    yield VainSetting(kind="state", set_at=creations.made(layer) or at, used=at, name=str(layer.name))


def _recurs(layer: Any) -> bool:
    own = packages.native(layer) and not hasattr(layer, "layers")  # a model counts as stateful with a layer that is
    return own and (hasattr(layer, "reset_states") or hasattr(layer, "reset_state"))


def _layers(model: Any) -> list[Any]:
    """All layers of a model, those in its parts included."""
    flat = getattr(model, "_flatten_layers", None)
    return list(flat()) if callable(flat) else list(getattr(model, "layers", ()))


# -- functions that share a variable of the loop that made them ------------------------------------------------------


def _shared(training: Training) -> Iterator[VainSetting]:
    alike: dict[types.CodeType, list[Any]] = {}
    for layer in _layers(training.model):
        function = getattr(layer, "function", None)
        if type(layer).__name__ == "Lambda" and isinstance(function, types.FunctionType):
            alike.setdefault(function.__code__, []).append(layer)
    for code, layers in alike.items():
        if len(layers) < 2:
            continue
        name, value = _loop_variable(code, [each.function for each in layers])
        if name:
            made = Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
            times = len(layers)
            yield VainSetting(kind="closure", set_at=made, used=training.at, name=name, value=value, times=times)


def _loop_variable(code: types.CodeType, functions: list[types.FunctionType]) -> tuple[str, str]:
    """The variable of a loop around a function that all of these read from the same place, with what it is now."""
    sources = Sources()
    tree = sources.tree(code.co_filename)
    if tree is None:
        return "", ""
    loops = [
        each
        for each in ast.walk(tree)
        if isinstance(each, (ast.For, ast.comprehension)) and _is_around(each, tree, code.co_firstlineno)
    ]
    bound = {name.id for loop in loops for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    for at, name in enumerate(code.co_freevars):
        cells = {id(each.__closure__[at]) for each in functions if each.__closure__ is not None}
        if name in bound and len(cells) == 1:
            return name, repr(functions[0].__closure__[at].cell_contents)[:40]  # type: ignore[index]
    for name in code.co_names:
        if name in bound and name in functions[0].__globals__ and not code.co_freevars:
            return name, repr(functions[0].__globals__[name])[:40]
    return "", ""


def _is_around(loop: ast.For | ast.comprehension, tree: ast.AST, line: int) -> bool:
    if isinstance(loop, ast.For):
        inner = [each for each in ast.walk(loop) if isinstance(each, (ast.FunctionDef, ast.Lambda))]
        return any(each.lineno == line for each in inner)
    owners = (each for each in ast.walk(tree) if loop in getattr(each, "generators", ()))
    return any(isinstance(each, ast.Lambda) and each.lineno == line for owner in owners for each in ast.walk(owner))


# -- what `compile` was told ----------------------------------------------------------------------------------------


def _weights(training: Training) -> Iterator[VainSetting]:
    """The weights of losses, where the training step of the program never asks for the compiled loss."""
    model, compiled = training.model, training.compiled
    held = getattr(model, "_compile_loss", None)
    loss = held if held is not None else getattr(model, "compiled_loss", None)
    weights = getattr(loss, "_user_loss_weights", None)
    if compiled is None or loss is None or weights is None or not is_own(model, "train_step"):
        return
    values = list(weights.values()) if isinstance(weights, dict) else weights
    values = values if isinstance(values, (list, tuple)) else [values]
    asked = id(loss) in _ASKED if held is not None else bool(getattr(loss, "built", True))
    if asked or not any(isinstance(each, (int, float)) and each != 1 for each in values):
        return
    step = place(type(model).train_step)
    yield VainSetting(kind="loss-weights", set_at=compiled, used=training.at, step=step)


def place(function: Any) -> Location:
    """Return where a function of the program begins."""
    code = function.__code__
    return Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)


def is_own(model: Any, method: str) -> bool:
    """Return whether a class of the program's has this method."""
    owner = next((each for each in type(model).__mro__ if method in vars(each)), None)
    return owner is not None and not packages.is_keras_module(owner.__module__)


def _loss(model: Any) -> Any:
    held = getattr(model, "_compile_loss", None)
    if held is not None:
        return getattr(held, "_user_loss", None)
    return getattr(getattr(model, "compiled_loss", None), "_user_losses", None)


def _named(loss: Any) -> tuple[str, dict[str, Any]]:
    """The name of a loss or metric that is one function, and what that is given."""
    function = getattr(loss, "fn", None) or getattr(loss, "_fn", None) or loss
    name = loss if isinstance(loss, str) else getattr(function, "__name__", "")
    return str(name), dict(getattr(loss, "_fn_kwargs", {}) or {})


def _metrics(model: Any) -> list[Any]:
    held = getattr(model, "_compile_metrics", None) or getattr(model, "compiled_metrics", None)
    return list(getattr(held, "metrics", ()) or ())


_BINARY = ("binary_accuracy", "binary_matches")  # the latter is what Keras 2.12 gives the metric of that name


def _threshold(training: Training) -> Iterator[VainSetting]:
    """A metric that cuts at 0.5 what the loss takes for logits, which are cut at 0."""
    model, compiled = training.model, training.compiled
    name, options = _named(_loss(model))
    if compiled is None or name != "binary_crossentropy" or options.get("from_logits") is not True:
        return
    for metric in _metrics(model):
        function, given = _named(metric)
        if function in _BINARY and given.get("threshold", _CUT) == _CUT:
            yield VainSetting(kind="threshold", set_at=compiled, used=training.at, name=str(metric.name))
            return


def _equal(training: Training) -> Iterator[VainSetting]:
    """A metric that asks whether the outputs are the labels, where the loss says that they are probabilities."""
    name, options = _named(_loss(training.model))
    if training.compiled is None or name not in _PROBABLE:
        return
    for metric in _metrics(training.model):
        if _named(metric)[0] == "accuracy" and type(metric).__name__ == "Accuracy" and packages.native(metric):
            other = "".join(part.capitalize() for part in name.removesuffix("_crossentropy").split("_")) + "Accuracy"
            value = other + ("(threshold=0.0)" if options.get("from_logits") and name.startswith("binary") else "()")
            own = str(metric.name)
            yield VainSetting(kind="equality", set_at=training.compiled, used=training.at, name=own, value=value)
            return


def _empty(training: Training) -> Iterator[VainSetting]:
    """Rows of one-hot targets that are all zero: no loss, and an accuracy that takes them for the first class."""
    model, given, at = training.model, training.given, training.at
    targets = given.get("y")
    import numpy as np  # which reads the environment: not before the program does

    shape: tuple[int, ...] = targets.shape if isinstance(targets, np.ndarray) else ()
    counted = [each for each in _metrics(model) if _named(each)[0] == "categorical_accuracy"]
    if not isinstance(targets, np.ndarray) or len(shape) < 2 or shape[-1] < 2 or given.get("sample_weight") is not None:
        return
    names = _unbuilt(model) or [str(each.name) for each in counted]
    if not names or _named(_loss(model))[0] != "categorical_crossentropy" or any(map(_masks, _layers(model))):
        return
    rows = targets.reshape(-1, shape[-1])[:_ROWS]
    empty = 1 - rows.any(axis=-1).mean()
    if empty:
        value = f"{empty:.0%}" if empty >= _FEW else "some"
        yield VainSetting(kind="empty", set_at=at, used=at, name=names[0], value=value)


def _unbuilt(model: Any) -> list[str]:
    """The names for an accuracy that `compile` was given, before the first step has chosen which one."""
    held = getattr(model, "_compile_metrics", None) or getattr(model, "compiled_metrics", None)
    given = getattr(held, "_user_metrics", None)
    return [each for each in given if each in ("accuracy", "acc")] if isinstance(given, (list, tuple)) else []


def _masks(layer: Any) -> bool:
    """Return whether a layer says which steps count, so that metrics leave the others out."""
    own = not packages.is_keras_module(type(layer).__module__) and hasattr(type(layer), "compute_mask")
    written = own and not packages.is_keras_module(getattr(type(layer).compute_mask, "__module__", ""))
    return bool(getattr(layer, "mask_zero", False)) or type(layer).__name__ == "Masking" or written


def _logits(training: Training) -> Iterator[VainSetting]:
    """A loss that takes probabilities, of a model whose last layer gives any number."""
    model, compiled = training.model, training.compiled
    name, options = _named(_loss(model))
    outputs = getattr(model, "outputs", None)
    if name not in _PROBABLE or options.get("from_logits") or not isinstance(outputs, list) or len(outputs) != 1:
        return
    if compiled is None or is_own(model, "train_step") or is_own(model, "compute_loss"):
        return
    layer: Any = (getattr(outputs[0], "_keras_history", None) or (None,))[0]
    activation = getattr(getattr(layer, "activation", None), "__name__", "")
    if type(layer).__name__ != "Dense" or not packages.native(layer) or activation != "linear":
        return
    made = creations.made(layer) or compiled
    yield VainSetting(kind="logits", set_at=made, used=compiled, name=str(layer.name), value=name)


_AT_THE_BEGINNING = (_restarted, _shuffled, _shared, _empty)
_AT_THE_END = (_renewed, _weights, _threshold, _equal, _logits)
"""Each yields settings of one kind that take no effect. What is said of a kind is a row of TW612."""
