"""What became of the copy of a model: who copies one wants to train the copy, or to keep the original as it is.

Two things go wrong. A model is trained with the layers of the original, and the copy of its weights is never used. Or
`clone_model` made new weights, nobody set them, and they are frozen: the training of the original is lost.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import calls, training
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_Place = tuple[CodeType, int]
_MOST = 128
_NAMES = ("_clone_sequential_model", "_clone_functional_model")


class _Copy:
    """`target` was made from `origin`, whose weights were copied into it at `place`.

    Without a place it is a clone, and `first` are the values that its weights were made with, by their handles. `by` is
    the model that was trained to the harm of the copy, and where, and how many weights it shares with the original.
    """

    def __init__(self, origin: Any, target: Any, place: _Place | None) -> None:
        self.origin, self.target, self.place = weakref.ref(origin), weakref.ref(target), place
        self.names = str(origin.name), str(target.name)
        self.made = creations.made(origin), creations.made(target)
        self.generation = packages.generation_of(origin)
        self.first = _digests(target.trainable_weights) if place is None else {}
        self.used = False
        self.by: tuple[str, Location | None, _Place, int] | None = None


_COPIES: list[_Copy] = []
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
    _COPIES.clear()
    _TRAINED.clear()
    guarded.failure = ""


def _cloned(origin: Any, clone: Any) -> None:
    if training.handles_of(origin, "weights") & _TRAINED and len(_COPIES) < _MOST:
        _COPIES.append(_Copy(origin, clone, None))


def _digests(weights: Any) -> dict[int, bytes | None]:
    """The values of variables, by their handles. Those of Keras 3 hold one of TensorFlow's."""
    inner = [getattr(each, "_value", None) for each in weights]
    held = [value if hasattr(value, "handle") else each for value, each in zip(inner, weights)]
    return {training.handle_of(each) or 0: variable_values.digest(each) for each in held}


def copied(origin: Any, target: Any, place: _Place) -> None:
    """The weights of one model were copied into another one, which has variables of its own."""
    read(target)
    if len(_COPIES) >= _MOST:
        return
    row, reference = _Copy(origin, target, place), weakref.ref(target)
    _COPIES.append(row)

    def called(_: Any) -> None:
        read(reference())

    for layer in packages.layers_of(target):
        row.used = row.used or calls.waiting.setdefault(id(layer), called) is not called


def read(model: Any) -> None:
    """A copy is used: it is called, its weights are taken out of it, or others are put in."""
    for each in _COPIES if model is not None else ():
        each.used = each.used or (each.place is not None and each.target() is model)


def begins(model: Any, place: _Place) -> None:
    """A model is about to be trained: does it hold a clone as it was made, and frozen?"""
    for row in _COPIES:
        clone = row.target()
        if not row.first or clone is None or clone is model or row.by is not None:
            continue
        whole = any(layer is clone for layer in packages.layers_of(model))  # a model may not be built yet
        frozen = training.handles_of(model, "non_trainable_variables")
        if not clone.trainable_weights if whole else row.first.keys() <= frozen:
            now = _digests(clone.weights)
            if all(value is not None and now.get(key) == value for key, value in row.first.items()):
                row.by = row.names[1], row.made[1], place, 0


def trained(model: Any, place: _Place) -> None:
    """A model was trained: does it share weights with an original whose copy nobody used yet?"""
    own = training.handles_of(model, "trainable_variables")
    _TRAINED.update(own)
    for row in _COPIES:
        origin, target = row.origin(), row.target()
        if row.place is None or row.used or row.by is not None or origin is None or target is None:
            continue
        shared = own & training.handles_of(origin, "trainable_variables") if model not in (origin, target) else ()
        if shared and not own & training.handles_of(target, "weights"):
            row.by = str(model.name), creations.made(model), place, len(shared)


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each copy that was not used until the end, and for each clone that stayed as it was made."""
    sources = Sources()
    for row in _COPIES:
        if row.by is not None and not row.used and row.generation == generation:
            yield _told(row, *row.by, sources)


def _told(row: _Copy, name: str, made: Location | None, place: _Place, count: int, sources: Sources) -> Observed:
    origin, target = (_named(*each, sources) for each in zip(row.names, row.made))
    model = _named(name, made, sources)
    fit = reading.exact(locations.resolve(*place), sources)
    where = made or fit
    if row.place is None:
        message = (
            f"{target} is a clone of {origin}, which was trained, and has new random weights: it is frozen in this "
            "training, and nothing was copied into it"
        )
        label, at_fit, copied_at = "a clone has new weights", f"{target} is frozen here, with random weights", None
        summary = f"copy the weights: `{target.strip('`')}.set_weights({origin.strip('`')}.get_weights())`"
        caveat = "unless random features are meant"
    else:
        message = (
            f"training {model} changes {origin}: they share {count} weights, and {target}, to which the weights "
            "were copied before, is never used"
        )
        label, at_fit = f"uses the layers of {origin}, not those of {target}", f"this trains the weights of {origin}"
        copied_at = reading.exact(locations.resolve(*row.place), sources)
        summary = f"build {model} from the layers of {target} instead of those of {origin}"
        caveat = f"unless {origin} is meant to be trained too, and the copy is only a backup"
    marks = (
        (copied_at, f"the weights are copied into {target} here", "copied"),
        (fit, at_fit, "trained"),
        (row.made[0], f"{origin} is created here", "made"),
    )
    return Observed(
        slug="cloned-or-rebuilt",
        message=message,
        label=label,
        location=where,
        related=tuple(Marked.at(at, label, kind) for at, label, kind in marks if at is not None and at != where),
        severity="warning",
        certainty="likely",
        fixes=(Fix(summary=summary, caveat=caveat),),
    )


def _named(name: str, made: Location | None, sources: Sources) -> str:
    names = sources.names(made) if made is not None else ()
    return f"`{names[0] if len(names) == 1 else name}`"
