"""Finds `trainable` that was changed when it was too late: what `fit` trains had been settled before.

Keras 2 settles it in `compile`. Keras 3 settles it when the training function is made, in the first `fit` or
`train_on_batch` after `compile`; with `run_eagerly`, in every step. A callback that changes it while `fit` runs comes
too late in both. Inside of a model that is untrainable a layer is not trained, whatever its own flag says: in Keras 3
that goes for the model that is told to train, in Keras 2 for every one around the layer. Whether a statement was really
without effect is seen in the values.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import frozen, ran_out
from tensorwhy.adapters.keras_common.learning.training import handles_of
from tensorwhy.model.facts.training import NothingTrainable, OverruledTrainable, StaleTrainable
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.recording import locations

_LOOKED_AT = 4
"""So many variables of a layer are compared."""


class _Stale(msgspec.Struct, kw_only=True):
    """A layer whose flag is not the one that counts, and the values of its variables when that was first noticed."""

    layer: weakref.ref[Any]
    said: frozen.Said
    variables: tuple[Variable, ...]
    before: tuple[bytes | None, ...]
    trained_at: Location
    running: bool = False
    changed: bool | None = None


class _Overruled(msgspec.Struct, kw_only=True):
    """A layer that was set free inside of one that stays untrainable, with its values when it was to be trained."""

    stale: _Stale
    outer: frozen.Said
    changed: bool | None = None


class _Run(msgspec.Struct, kw_only=True):
    """A `fit` that runs now: the flags that it goes by, and how many batches there had been at first."""

    model: weakref.ref[Any]
    flags: dict[int, bool]
    batches: int
    trained_at: Location
    late: dict[int, tuple[_Stale, int]] = {}


class _Model:
    """What is known of a model: which flags its training goes by, when it was compiled, and what came too late."""

    def __init__(self, model: Any) -> None:
        self.reference = weakref.ref(model)
        self.settled: dict[int, bool] | None = None
        self.function: weakref.ref[Any] | None = None
        self.compiled = 0
        self.looked_at: tuple[Any, ...] | None = None
        self.stale: dict[int, _Stale] = {}
        self.overruled: dict[int, _Overruled] = {}


_RUNNING: list[_Run] = []
_statements = 0
"""How often `trainable` was set."""
_MODELS: dict[int, _Model] = {}
_NOTHING: dict[tuple[str, int], NothingTrainable] = {}


def clear() -> None:
    """Forget everything."""
    _MODELS.clear()
    _NOTHING.clear()
    _RUNNING.clear()


def compiled(model: Any) -> None:
    """A model was compiled: its flags count again."""
    known = _known(model)
    _settle_pending(known)
    known.stale.clear()
    known.compiled = next(frozen.clock)
    known.settled = _flags(model) if packages.generation_of(model) == 2 else None
    known.function = None


def begins(model: Any, trained_at: Location, fit: bool = True) -> None:
    """`fit` or `train_on_batch` begins."""
    known = _known(model)
    function = getattr(model, "train_function", None)
    if packages.generation_of(model) != 2:
        if function is None or known.function is None or known.function() is not function:
            known.settled = None  # will be made now
        if getattr(model, "run_eagerly", False):
            known.settled = None
    # A loop trains a batch a thousand times: its layers are looked at only when something can have become different.
    state = (_statements, known.compiled, id(function), known.settled is None, getattr(model, "built", True))
    if state != known.looked_at:
        known.looked_at = state
        _look(model, known, trained_at)
    if fit:  # callbacks run in it
        _RUNNING.append(
            _Run(
                model=weakref.ref(model),
                flags=known.settled if known.settled is not None else _flags(model),
                batches=ran_out.batches(),
                trained_at=trained_at,
            )
        )


def _look(model: Any, known: _Model, trained_at: Location) -> None:
    _nothing_trainable(model, known, trained_at)
    now = _flags(model)
    for layer in _layers(model) if known.settled else ():
        was = known.settled.get(id(layer)) if known.settled else None
        if was is None or was == now.get(id(layer)):
            known.stale.pop(id(layer), None)
            continue
        said = frozen.last_said(_handles(layer))
        if id(layer) not in known.stale and said is not None and said.value != was:
            known.stale[id(layer)] = _stale(layer, said, trained_at)
    _look_for_overruled(model, known, trained_at)


def ends(model: Any, whole: bool) -> None:
    """`fit` or `train_on_batch` is over; `whole` when it came to its end."""
    run = next((run for run in reversed(_RUNNING) if run.model() is model), None)
    if run is not None:
        del _RUNNING[_RUNNING.index(run) :]
    if not whole:
        return
    known = _known(model)
    if packages.generation_of(model) != 2 and known.settled is None:
        function = getattr(model, "train_function", None)
        if function is not None:
            known.function = weakref.ref(function)
            known.settled = {**_flags(model), **(run.flags if run is not None else {})}
    if run is not None and run.late:
        for key, (stale, then) in run.late.items():
            if key not in known.stale and then < ran_out.batches():
                stale.running = True
                stale.changed = _changed(stale)
                known.stale[key] = stale
    for stale in known.stale.values():
        if stale.changed is None and not stale.said.value:
            stale.changed = _changed(stale)
    for overruled in known.overruled.values():
        overruled.changed = overruled.changed or _changed(overruled.stale)


def heard(layer: Any, said: frozen.Said) -> None:
    """`trainable` was set: while a `fit` runs, that is too late, once its first step has been traced."""
    global _statements
    from tensorflow.python.framework import ops

    _statements += 1
    for run in _RUNNING[-1:]:
        model = run.model()
        if model is None or getattr(model, "run_eagerly", False):
            continue
        if run.batches == ran_out.batches() or ops.inside_function():
            if _known(model).settled is None or packages.generation_of(model) == 2:
                run.flags = _flags(model)  # the step is yet to be traced, or is being traced
            continue
        flags = _flags(model)
        for each in (layer, *_layers(layer)):
            was = run.flags.get(id(each))
            if was is None or not _own(each):
                continue
            if was == flags[id(each)] or was == said.value:
                run.late.pop(id(each), None)
            elif id(each) not in run.late:
                run.late[id(each)] = _stale(each, said, run.trained_at), ran_out.batches()


def facts(_: object, generation: int) -> Iterator[StaleTrainable | NothingTrainable | OverruledTrainable]:
    """What is certain at the end."""
    late = (stale for known in _MODELS.values() for stale in known.stale.values())
    thawed = {each.trained_at for each in late if each.running and each.said.value and each.changed is False}
    yield from (each for each in _NOTHING.values() if each.trained_at not in thawed)
    for known in list(_MODELS.values()):
        yield from _overruled_facts(known)
        _settle_pending(known)
        lines: dict[tuple[Location, bool], list[_Stale]] = {}
        for stale in known.stale.values():
            # Freezing that comes after `compile` is meant for another model, when one was compiled with it later.
            elsewhere = not stale.said.value and _compiled_elsewhere(stale, known)
            if stale.changed is not None and stale.changed != stale.said.value and not elsewhere:
                lines.setdefault((locations.resolve(*stale.said.place), stale.said.value), []).append(stale)
        for (place, value), group in lines.items():
            model, layer = known.reference(), group[0].layer()
            yield StaleTrainable(
                value=value,
                said=place,
                variables=tuple(variable for stale in group for variable in stale.variables),
                layer=str(getattr(layer, "name", "")) if len(group) == 1 else "",
                model=str(getattr(model, "name", "")),
                trained_at=group[0].trained_at,
                at_compile=packages.generation_of(model) == 2 if model is not None else None,
                running=all(stale.running for stale in group),
            )


def _overruled_facts(known: _Model) -> Iterator[OverruledTrainable]:
    lines: dict[tuple[Location, Location], list[_Overruled]] = {}
    for each in known.overruled.values():
        if each.changed is False:
            said, outer = each.stale.said, each.outer
            lines.setdefault((locations.resolve(*said.place), locations.resolve(*outer.place)), []).append(each)
    for (place, outer_place), group in lines.items():
        yield OverruledTrainable(
            said=place,
            outer_said=outer_place,
            outer=group[0].outer.name,
            layer=group[0].stale.said.name if len(group) == 1 else "",
            variables=tuple(variable for each in group for variable in each.stale.variables),
            trained_at=group[0].stale.trained_at,
        )


def told() -> set[Location]:
    """The statements by which a model that was then told to train became untrainable as a whole."""
    return {fact.said for fact in _NOTHING.values()}


def _known(model: Any) -> _Model:
    key = id(model)
    found = _MODELS.get(key)
    if found is None or found.reference() is not model:
        found = _MODELS[key] = _Model(model)
    return found


def _layers(model: Any) -> list[Any]:
    """All layers inside a model, at every depth."""
    flatten = getattr(model, "_flatten_layers", None)
    return [layer for layer in flatten() if layer is not model] if flatten is not None else []


def _flags(model: Any) -> dict[int, bool]:
    """For every layer inside a model: whether training the model trains the layer's own weights.

    Keras 2 asks every layer on the way to it, Keras 3 the model and the layer itself.
    """
    if packages.generation_of(model) != 2:
        return {id(layer): bool(model.trainable) and bool(layer.trainable) for layer in _layers(model)}
    found: dict[int, bool] = {}
    if hasattr(model, "_flatten_layers"):
        _descend(model, bool(model.trainable), found)
    return found


def _descend(outer: Any, allowed: bool, found: dict[int, bool]) -> None:
    for layer in outer._flatten_layers(include_self=False, recursive=False):
        free = allowed and bool(layer.trainable)
        if layer is not outer and found.get(id(layer)) in (None, False if free else None):
            found[id(layer)] = free
            _descend(layer, free, found)


def _stale(layer: Any, said: frozen.Said, trained_at: Location) -> _Stale:
    return _Stale(
        layer=weakref.ref(layer),
        said=said,
        variables=tuple(_variable(each, layer) for each in _own(layer)),
        before=_values(layer),
        trained_at=trained_at,
    )


def _look_for_overruled(model: Any, known: _Model, trained_at: Location) -> None:
    """Layers that the program set free, inside of one that it had frozen before, and has not set free since."""
    freed = {id(layer) for layer in _layers(model) if layer.trainable and _own(layer)}
    freed -= {key for key, free in _flags(model).items() if free}
    known.overruled = {key: each for key, each in known.overruled.items() if each.changed is False or key in freed}
    for layer in _layers(model):
        said = frozen.said_of(layer) if id(layer) in freed - set(known.overruled) else None
        if said is None or not said.value:
            continue
        around = [each for each in _layers(model) if not each.trainable and any(x is layer for x in _layers(each))]
        outer = next((found for each in around if (found := frozen.said_of(each)) is not None), None)
        if outer is not None and not outer.value and outer.time < said.time:
            known.overruled[id(layer)] = _Overruled(stale=_stale(layer, said, trained_at), outer=outer)


def _own(layer: Any) -> list[Any]:
    """The weights that a layer itself holds, and would train."""
    return list(getattr(layer, "_trainable_weights", None) or getattr(layer, "_trainable_variables", None) or ())


def _handles(layer: Any) -> set[int]:
    return handles_of(layer, "variables") if _own(layer) else set()


def _values(layer: Any) -> tuple[bytes | None, ...]:
    return tuple(variable_values.digest(_inner(each)) for each in _own(layer)[:_LOOKED_AT])


def _inner(variable: Any) -> Any:
    """TensorFlow's own variable; Keras 3 wraps it."""
    return variable if hasattr(variable, "_handle") else getattr(variable, "value", variable)


def _changed(stale: _Stale) -> bool | None:
    layer = stale.layer()
    if layer is None or None in stale.before or not stale.before:
        return None
    return _values(layer) != stale.before


def _settle_pending(known: _Model) -> None:
    for stale in known.stale.values():
        if stale.said.value:
            stale.changed = _changed(stale)


def compiled_since(said: frozen.Said) -> bool:
    """Return whether a model with some of the variables that a statement is about was compiled after it."""
    models = [known.reference() for known in _MODELS.values() if known.compiled > said.time]
    return any(handles_of(model, "variables") & said.handles for model in models if model is not None)


def _compiled_elsewhere(stale: _Stale, known: _Model) -> bool:
    layer = stale.layer()
    later = [other.reference() for other in _MODELS.values() if other is not known and other.compiled > stale.said.time]
    return any(each is layer for model in later if model is not None for each in _layers(model))


def _variable(variable: Any, layer: Any) -> Variable:
    name = str(getattr(variable, "path", "") or getattr(variable, "name", "")).partition(":")[0]
    shape = tuple(int(size) for size in variable.shape)
    return Variable(tensor=-1, name=name, shape=shape, trainable=bool(layer.trainable), created=creations.made(layer))


def _nothing_trainable(model: Any, known: _Model, trained_at: Location) -> None:
    """Keras's own training is asked of a model that is frozen as a whole."""
    flags = known.settled or {}
    own_step = getattr(type(model), "train_step", None)
    if handles_of(model, "trainable_variables") or any(flags.values()):
        return
    if own_step is None or not packages.is_keras_module(own_step.__module__):
        return
    if not all(getattr(each, "built", False) for each in (model, *_layers(model))):
        return  # what is made later will be trainable
    about_it = frozen.said_of(model) if not model.trainable else None
    said = about_it or frozen.last_said(handles_of(model, "variables"), value=False)
    if said is None or said.value:
        return
    place = locations.resolve(*said.place)
    variables = tuple(_variable(each, layer) for layer in _layers(model) for each in _own(layer))
    if variables:
        _NOTHING[place.file, place.line] = NothingTrainable(
            said=place,
            variables=variables,
            model=str(getattr(model, "name", "")),
            trained_at=trained_at,
            overruled=about_it is not None and any(layer.trainable and _own(layer) for layer in _layers(model)),
            warned=packages.generation_of(model) != 2,
        )
