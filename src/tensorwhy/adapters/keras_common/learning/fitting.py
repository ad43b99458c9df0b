"""Hooks on `compile`, `fit` and `train_on_batch`: what they are given, and which layers their training goes by."""

from __future__ import annotations

import functools
import inspect
import math
import sys
import weakref
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.keras_common.learning import (
    certain,
    fed,
    frozen,
    parted,
    ran_out,
    settings,
    splits,
    standing,
    trainability,
    unread_metrics,
    unused_masks,
    weighing,
)
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode

given: list[tuple[Any, ...]] = []
"""What the training calls that run now were given: inputs, targets, weights of samples, as far as there are any."""
batch_sizes: list[int | None] = []
"""How many samples a step of these calls takes, where they were told so."""
ending: list[Callable[[], None]] = []
"""Told that a training call is over, while `given` still has what it was given."""
loss_logs: dict[Location, tuple[float, ...]] = {}
"""The losses of the epochs, by the last call of `fit` at each line."""
begun: list[Callable[[Any, Location], None]] = []
"""Told of each model that is about to be trained, and by which call."""
trained: list[Callable[[Any, Location], None]] = []
"""Told of each model that was trained, and by which call."""
not_finite: dict[Location, tuple[tuple[str, int], ...]] = {}
"""Of calls of `fit` whose loss was not finite: the arguments that hold such numbers, each with how many."""
losses: dict[Location, Location] = {}
"""Where a loss was chosen, by the training call that goes by it: the last `compile` of its model."""
_BATCH_SIZE = 32
_COMPILED: dict[int, tuple[weakref.ref[Any], Location, bool]] = {}
"""By the id of the model, which need not have a hash: where it was compiled, and whether a training call of it ran."""
_RUNNING: list[weakref.ref[Any]] = []
guarded = Bulkhead()


def watch(model_class: Any, user: UserCode) -> Callable[[], None]:
    """Look at these methods of a model's class. Returns what takes the hooks out."""
    hooks = {"compile": _compile, "fit": _train, "train_on_batch": _train, "evaluate": _test, "predict": _test}
    undo = [replaced(model_class, method, functools.partial(wrap, user=user)) for method, wrap in hooks.items()]

    def heard(layer: Any, said: frozen.Said) -> None:
        guarded(trainability.heard, layer, said)

    frozen.listeners.append(heard)

    def all_back() -> None:
        frozen.listeners.remove(heard)
        for module in (weighing, splits, fed, settings, standing, parted, ran_out, unused_masks, trainability):
            module.clear()
        certain.forget()
        for known in (losses, loss_logs, not_finite, _COMPILED, _RUNNING):
            known.clear()
        guarded.failure = ""
        for each in undo:
            each()

    return all_back


def watch_losses(trainer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note where losses are chosen, in the class that `compile` is inherited from. Returns what takes the hook out."""
    return replaced(trainer_class, "compile", functools.partial(_choose, user=user))


def _train(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    name, parameters = kept.__name__, [*inspect.signature(kept).parameters][1:]

    def begins(model: Any, *args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any], Any] | None:
        place = locations.caller(user, sys._getframe(1))
        if place is None:
            return None
        guarded(weighing.look, kwargs, place)
        at = locations.resolve(*place)
        guarded(trainability.begins, model, at, name == "fit")
        guarded(_goes_by, model, at)
        guarded(parted.begins, model, at)
        for each in begun:
            guarded(each, model, at)
        if name == "fit":
            named = {**dict(zip(parameters, args)), **kwargs}
            guarded(fed.look, model, name, named.get("x"), at)
            guarded(splits.trains, named.get("x"), at)
            guarded(splits.tests, model, named.get("validation_data"), at)
            guarded(standing.begins, model, at)
            guarded(ran_out.begins, at, named)
            training = settings.Training(model, at, named, _batch_size(name, args, kwargs), losses.get(at))
            guarded(settings.begins, training)
        _RUNNING.append(weakref.ref(model))
        given.append(arguments(args, kwargs))
        batch_sizes.append(_batch_size(name, args, kwargs))
        return (model, *args), kwargs, (model, at)

    def ends(training: tuple[Any, Location], raised: BaseException | None, result: Any) -> None:
        if name == "fit":
            guarded(ran_out.ends, training[0], raised is None)
        if name == "fit" and raised is None:
            guarded(_note_losses, training[1], result)
            guarded(_note_data, training[1], given[-1])
            guarded(standing.ends, *training)
            model, at = training
            ended = settings.Training(model, at, {}, batch_sizes[-1], losses.get(at))
            guarded(settings.ends, ended)
        for told in ending if name == "fit" else ():
            guarded(told)
        given.pop()
        _RUNNING.pop()
        batch_sizes.pop()
        if raised is not None:
            guarded(fed.failed, training[1])
        guarded(trainability.ends, training[0], raised is None)
        for each in trained if raised is None else ():
            guarded(each, *training)

    return around(kept, begins, ends)


def _test(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    name = kept.__name__

    def begins(model: Any, *args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any], Any] | None:
        place = locations.caller(user, sys._getframe(1))
        if place is None:
            return None
        data, at = args[0] if args else kwargs.get("x"), locations.resolve(*place)
        guarded(fed.look, model, name, data, at)
        if name == "evaluate":
            guarded(splits.tests, model, data, at)
        return (model, *args), kwargs, (model, at)

    def ends(state: tuple[Any, Location], raised: BaseException | None, result: Any) -> None:
        if raised is not None:
            guarded(fed.failed, state[1])
        elif name == "evaluate":
            guarded(unread_metrics.tested, *state, result)

    return around(kept, begins, ends)


def arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """`x`, `y` and `sample_weight` of such a call; trailing ones that are not there are left out."""
    x = args[0] if args else kwargs.get("x")
    y = args[1] if len(args) > 1 else kwargs.get("y")
    weights = kwargs.get("sample_weight")
    return tuple(each for each in (x, y, weights) if each is not None)


def _batch_size(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int | None:
    """Return the batch size of a training call: Keras takes 32 where `fit` is not told one."""
    if name != "fit":
        return None
    size = args[2] if len(args) > 2 else kwargs.get("batch_size")
    return size if isinstance(size, int) and size > 0 else _BATCH_SIZE


def _note_losses(at: Location, history: Any) -> None:
    logs = getattr(history, "history", None)
    losses = logs.get("loss") if isinstance(logs, dict) else None
    if isinstance(losses, list) and all(isinstance(each, (int, float)) for each in losses):
        loss_logs[at] = tuple(map(float, losses))


def _note_data(at: Location, data: tuple[Any, ...]) -> None:
    """Look for numbers that are not finite in what a training call was given, once its loss is not."""
    not_finite.pop(at, None)
    if not bad_epoch(at)[0]:
        return
    import numpy as np

    arrays = {name: each for name, each in zip(("x", "y"), data) if isinstance(each, np.ndarray)}
    counts = {name: int(np.size(each) - np.isfinite(each).sum()) for name, each in arrays.items() if _is_real(each)}
    not_finite[at] = tuple((name, count) for name, count in counts.items() if count)


def _is_real(array: Any) -> bool:
    return bool(array.dtype.kind == "f")


def bad_epoch(at: Location | None) -> tuple[int, int]:
    """Return the first epoch at a line whose loss was not finite, from 1 (0: none), and how many ran."""
    losses = loss_logs.get(at, ()) if at is not None else ()
    return next((n for n, loss in enumerate(losses, 1) if not math.isfinite(loss)), 0), len(losses)


def _chosen(model: Any, place: Location) -> None:
    _COMPILED[id(model)] = weakref.ref(model), place, any(each() is model for each in _RUNNING)


def compiled_at(model: Any) -> Location | None:
    """Where a model was compiled last."""
    reference, place, _ = _COMPILED.get(id(model), (None, None, False))
    return place if reference is not None and reference() is model else None


def compiled_within(model: Any) -> bool:
    """Return whether that was done while a training call of the model ran."""
    return compiled_at(model) is not None and _COMPILED[id(model)][2]


def _goes_by(model: Any, at: Location) -> None:
    """The training call at `at` goes by the loss that the model was compiled with."""
    place = compiled_at(model)
    if place is not None:
        losses[at] = place


def _choose(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    @functools.wraps(kept)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        place = locations.caller(user, sys._getframe(1))
        if place is not None:
            guarded(_chosen, self, locations.resolve(*place))
        return kept(self, *args, **kwargs)

    return hooked


def _compile(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    kept = _choose(kept, user)

    @functools.wraps(kept)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = kept(self, *args, **kwargs)
        guarded(trainability.compiled, self)
        return result

    return hooked
