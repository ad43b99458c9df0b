"""Clones of a trained model whose weights nobody set, frozen in a model that is trained.

`clone_model` makes new weights. Frozen as they are, they stay random: the training of the original is lost.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import training
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 64
_NAMES = ("_clone_sequential_model", "_clone_functional_model")


class _Clone:
    """`first` are the values that the weights of the clone were made with, by their handles."""

    def __init__(self, origin: Any, clone: Any) -> None:
        self.clone = weakref.ref(clone)
        self.names = str(origin.name), str(clone.name)
        self.made = creations.made(origin), creations.made(clone)
        self.generation = packages.generation_of(origin)
        self.first = _digests(clone.trainable_weights)
        self.used: tuple[CodeType, int] | None = None


_CLONES: list[_Clone] = []
_TRAINED: set[int] = set()
guarded = Bulkhead()


def watch(module: Any) -> Iterator[Callable[[], None]]:
    """Watch the functions of a module that clone models; yields what takes the hooks out."""

    def before(model: Any, *args: Any, **kwargs: Any) -> Any:
        return (model, *args), kwargs, model

    def after(model: Any, raised: BaseException | None, result: Any) -> None:
        if raised is None:
            guarded(_cloned, model, result)

    for name in _NAMES if module is not None else ():
        yield replaced(module, name, lambda original: around(original, before, after))
    yield clear


def clear() -> None:
    """Forget everything."""
    _CLONES.clear()
    _TRAINED.clear()
    guarded.failure = ""


def _cloned(origin: Any, clone: Any) -> None:
    trained = training.handles_of(origin, "weights") & _TRAINED
    if trained and len(_CLONES) < _MOST:
        _CLONES.append(_Clone(origin, clone))


def _digests(weights: Any) -> dict[int, bytes | None]:
    """The values of variables, by their handles. Those of Keras 3 hold one of TensorFlow's."""
    inner = [getattr(each, "_value", None) for each in weights]
    held = [value if hasattr(value, "handle") else each for value, each in zip(inner, weights)]
    return {training.handle_of(each) or 0: variable_values.digest(each) for each in held}


def begins(model: Any, place: tuple[CodeType, int]) -> None:
    """A model is about to be trained: does it hold a clone as it was made, and frozen?"""
    for row in _CLONES:
        clone = row.clone()
        if clone is None or clone is model or row.used is not None:
            continue
        whole = any(layer is clone for layer in packages.layers_of(model))  # a model may not be built yet
        frozen = not clone.trainable_weights if whole else row.first.keys() <= _frozen(model)
        if row.first and frozen:
            now = _digests(clone.weights)
            if all(value is not None and now.get(key) == value for key, value in row.first.items()):
                row.used = place


def _frozen(model: Any) -> set[int]:
    return training.handles_of(model, "non_trainable_variables")


def trained(model: Any) -> None:
    """A model was trained."""
    _TRAINED.update(training.handles_of(model, "trainable_variables"))


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each clone."""
    sources = Sources()
    yield from (_told(row, row.used, sources) for row in _CLONES if row.used and row.generation == generation)


def _told(row: _Clone, used: tuple[CodeType, int], sources: Sources) -> Observed:
    origin, clone = (_named(*each, sources) for each in zip(row.names, row.made))
    fit = reading.exact(locations.resolve(*used), sources)
    where = row.made[1] or fit
    marks = (
        (fit, f"{clone} is frozen here, with random weights", "trained"),
        (row.made[0], f"{origin} is created here", "made"),
    )
    return Observed(
        slug="cloned-or-rebuilt",
        message=f"{clone} is a clone of {origin}, which was trained, and has new random weights: it is frozen in this "
        "training, and nothing was copied into it",
        label="a clone has new weights",
        location=where,
        related=tuple(Marked.at(at, label, kind) for at, label, kind in marks if at is not None and at != where),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary=f"copy the weights: `{clone.strip('`')}.set_weights({origin.strip('`')}.get_weights())`",
                caveat="unless random features are meant",
            ),
        ),
    )


def _named(name: str, made: Location | None, sources: Sources) -> str:
    names = sources.names(made) if made is not None else ()
    return f"`{names[0] if len(names) == 1 else name}`"
