"""Finds `trainable` that was changed when it was too late: what `fit` trains had been settled before.

Keras 2 settles it in `compile`. Keras 3 settles it when the training function is made, in the first `fit` or
`train_on_batch` after `compile`; with `run_eagerly`, in every step. Whether the change was really without effect is
seen in the values.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages, stamps
from tensorwhy.adapters.keras_common.learning import frozen
from tensorwhy.adapters.keras_common.learning.training import digest, handles_of
from tensorwhy.model.facts.training import NothingTrainable, StaleTrainable
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
    changed: bool | None = None


class _Model:
    """What is known of a model: which flags its training goes by, when it was compiled, and what came too late."""

    def __init__(self, model: Any) -> None:
        self.reference = weakref.ref(model)
        self.settled: dict[int, bool] | None = None
        self.function: weakref.ref[Any] | None = None
        self.compiled = 0
        self.stale: dict[int, _Stale] = {}


_MODELS: dict[int, _Model] = {}
_NOTHING: dict[tuple[str, int], NothingTrainable] = {}


def clear() -> None:
    """Forget everything."""
    _MODELS.clear()
    _NOTHING.clear()


def compiled(model: Any) -> None:
    """A model was compiled: its flags count again."""
    known = _known(model)
    _settle_pending(known)
    known.stale.clear()
    known.compiled = next(frozen.clock)
    known.settled = _flags(model) if packages.generation_of(model) == 2 else None
    known.function = None


def begins(model: Any, trained_at: Location) -> None:
    """`fit` or `train_on_batch` begins."""
    known = _known(model)
    if packages.generation_of(model) != 2:
        function = getattr(model, "train_function", None)
        if function is None or known.function is None or known.function() is not function:
            known.settled = None  # will be made now
        if getattr(model, "run_eagerly", False):
            known.settled = None
    _nothing_trainable(model, known, trained_at)
    for layer in _layers(model) if known.settled else ():
        was = known.settled.get(id(layer)) if known.settled else None
        if was is None or was == bool(layer.trainable):
            known.stale.pop(id(layer), None)
            continue
        said = frozen.last_said(_handles(layer))
        if id(layer) not in known.stale and said is not None and said.value != was:
            known.stale[id(layer)] = _Stale(
                layer=weakref.ref(layer),
                said=said,
                variables=tuple(_variable(each, layer) for each in _own(layer)),
                before=_values(layer),
                trained_at=trained_at,
            )


def ends(model: Any) -> None:
    """`fit` or `train_on_batch` is over."""
    known = _known(model)
    if packages.generation_of(model) != 2 and known.settled is None:
        function = getattr(model, "train_function", None)
        if function is not None:
            known.function = weakref.ref(function)
            known.settled = _flags(model)
    for stale in known.stale.values():
        if stale.changed is None and not stale.said.value:
            stale.changed = _changed(stale)


def facts() -> Iterator[StaleTrainable | NothingTrainable]:
    """What is certain at the end."""
    yield from _NOTHING.values()
    for known in list(_MODELS.values()):
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
    return {id(layer): bool(layer.trainable) for layer in _layers(model)}


def _own(layer: Any) -> list[Any]:
    """The weights that a layer itself holds, and would train."""
    return list(getattr(layer, "_trainable_weights", None) or getattr(layer, "_trainable_variables", None) or ())


def _handles(layer: Any) -> set[int]:
    return handles_of(layer, "variables") if _own(layer) else set()


def _values(layer: Any) -> tuple[bytes | None, ...]:
    return tuple(digest(_inner(each)) for each in _own(layer)[:_LOOKED_AT])


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


def _compiled_elsewhere(stale: _Stale, known: _Model) -> bool:
    layer = stale.layer()
    later = [other.reference() for other in _MODELS.values() if other is not known and other.compiled > stale.said.time]
    return any(each is layer for model in later if model is not None for each in _layers(model))


def _variable(variable: Any, layer: Any) -> Variable:
    name = str(getattr(variable, "path", "") or getattr(variable, "name", "")).partition(":")[0]
    shape = tuple(int(size) for size in variable.shape)
    return Variable(tensor=-1, name=name, shape=shape, trainable=bool(layer.trainable), created=stamps.made(layer))


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
    handles = handles_of(model, "variables")
    said = frozen.last_said(handles, value=False)
    if said is None:
        return
    place = locations.resolve(*said.place)
    variables = tuple(_variable(each, layer) for layer in _layers(model) for each in _own(layer))
    if variables:
        _NOTHING[place.file, place.line] = NothingTrainable(
            said=place,
            variables=variables,
            model=str(getattr(model, "name", "")),
            trained_at=trained_at,
            warned=packages.generation_of(model) != 2,
        )
