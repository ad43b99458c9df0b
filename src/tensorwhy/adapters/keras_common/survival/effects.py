"""What Keras adds to the ledger of effects: what loads, copies, and trains, and how the state is read around it.

A call that changed nothing is told at the end, unless another one at the same place did change something.
"""

from __future__ import annotations

import math
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters.effects import Effect, Ledger
from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.keras_common.survival import copies, states, unclaimed
from tensorwhy.adapters.patches import Bulkhead, quietly, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LARGEST = 1 << 26
"""Weights of so many numbers are not compared."""
_TAKEN_LATELY = 64
guarded = Bulkhead()


_LEDGER = Ledger()
_TAKEN: dict[int, tuple[Callable[[], Any], Callable[[], Any]]] = {}
"""Models, and the first array of what their `get_weights` returned, by the id of that."""


def clear() -> None:
    """Forget everything."""
    _LEDGER.rows.clear()
    _TAKEN.clear()
    copies.clear()
    guarded.failure = ""


def _enter(kind: str, place: tuple[CodeType, int], model: Any, vain: bool, detail: dict[str, Any]) -> None:
    row = _LEDGER.enter(kind, place, None, vain)
    if row is not None and vain:
        row.found, row.before = creations.made(model), detail


def watch(model: type, user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch a generation's model; yields what takes the hooks out."""
    kinds: dict[str, tuple[Callable[..., Any], Callable[..., None]]] = {
        "load_weights": (_before_load, _has_loaded),
        "get_weights": (_nothing, _has_taken),
        "set_weights": (_origin, _has_copied),
        "fit": (_given, _has_trained),
    }
    for name, (read, compare) in kinds.items():
        defining = next((each for each in model.__mro__ if name in vars(each)), None)
        if defining is not None:
            yield replaced(defining, name, _watched(name, read, compare, user))
    yield clear


def _watched(name: str, read: Callable[..., Any], compare: Callable[..., None], user: UserCode) -> Callable[..., Any]:
    """A wrapper of a method: what is read before it is compared after it, until a call there has changed something."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(model: Any, *args: Any, **kwargs: Any) -> Any:
            place = locations.caller(user, sys._getframe(1))
            row = _LEDGER.row(name, place)
            if guarded.failure or place is None or (row is not None and row.vain < row.calls):
                return None
            known = read(model, args, kwargs, user)
            if name == "fit":
                guarded(copies.begins, model, place)
            return ((model, *args), kwargs, (model, place, known)) if known is not None else None

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(compare, *state, result, user)

        return around(original, before, after)

    return wrap


def _before_load(model: Any, args: Any, kwargs: dict[str, Any], user: UserCode) -> Any:
    path = args[0] if args else kwargs.get("filepath")
    if path is None or not _is_small(model):
        return None
    return str(path), {each.handle: each.value for each in states.of(model, user) if each.listed}, kwargs.get("by_name")


def _is_small(model: Any) -> bool:
    weights: list[Any] = quietly(lambda: list(model.weights), [])
    return 0 < sum(math.prod(int(size or 1) for size in each.shape) for each in weights) < _LARGEST


def _has_loaded(model: Any, place: tuple[CodeType, int], before: Any, _: Any, user: UserCode) -> None:
    path, known, by_name = before
    now = {each.handle: each for each in states.of(model, user) if each.listed and each.value is not None}
    same = bool(now) and all(known.get(handle) == each.value for handle, each in now.items())
    names: tuple[str, ...] = ()
    stayed = {handle for handle, each in now.items() if known.get(handle) == each.value}
    left: tuple[unclaimed.Left, ...] = ()
    if stayed:
        found = _in_file(path)
        left = tuple(unclaimed.left(model, stayed, found[1])) if found else ()
    if same:
        arrays: list[Any] = quietly(model.get_weights, [])
        telling = [each for each in arrays if each.size > 1 and each.min() != each.max()]
        if not found or not telling or any(unclaimed.fingerprint(each) in found[1].values() for each in telling):
            return  # unreadable, or the model had these values already
        names = found[0]
    layers: list[Any] = quietly(lambda: [each for each in model.layers if each.weights], [])
    own = tuple(str(each.name) for each in layers)
    detail = {"path": os.path.basename(path), "file": names, "own": own, "by_name": bool(by_name), "count": len(now)}
    detail["left"] = left if not same else ()
    _enter("load_weights", place, model, same or bool(left), detail)


def _in_file(path: str) -> tuple[tuple[str, ...], dict[str, unclaimed.Print]] | None:
    """The groups of a file that hold arrays, and the fingerprints of those by their names."""
    try:
        import h5py  # type: ignore[import-untyped]
        import numpy as np

        groups: dict[str, None] = {}
        values: dict[str, unclaimed.Print] = {}

        def see(name: str, thing: Any) -> None:
            if isinstance(thing, h5py.Dataset):
                parts = [
                    each
                    for each in name.split("/")
                    if each not in ("model_weights", "layers", "_layer_checkpoint_dependencies")
                ]
                if parts[0] != "optimizer_weights":
                    groups[parts[0]] = None
                values[name] = unclaimed.fingerprint(np.asarray(thing))

        with h5py.File(path, "r") as file:
            file.visititems(see)
        return tuple(groups), values
    except (
        ImportError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
        KeyError,
    ):  # another format, or a file that is gone
        return None


def _nothing(_: Any, args: Any, kwargs: dict[str, Any], user: UserCode) -> tuple[()]:
    return ()


def _has_taken(model: Any, place: tuple[CodeType, int], _: Any, arrays: Any, user: UserCode) -> None:
    copies.read(model)
    if isinstance(arrays, list) and arrays:
        _TAKEN[id(arrays[0])] = weakref.ref(model), weakref.ref(arrays[0])
        while len(_TAKEN) > _TAKEN_LATELY:
            del _TAKEN[next(iter(_TAKEN))]


def _origin(_: Any, args: Any, kwargs: dict[str, Any], user: UserCode) -> Any:
    """The model whose weights are about to be set; None where that is not known."""
    given = args[0] if args else kwargs.get("weights")
    first = given[0] if isinstance(given, (list, tuple)) and given else None
    model, array = _TAKEN.get(id(first), (None, None))
    return model if model is not None and array is not None and array() is first else None


def _has_copied(model: Any, place: tuple[CodeType, int], origin: Any, _: Any, user: UserCode) -> None:
    other = origin()
    shared = other is not None and other is not model and [*map(id, model.weights)] == [*map(id, other.weights)]
    if other is not None and other is not model and not shared:
        copies.copied(other, model, place)
    _enter("set_weights", place, model, shared, {"name": str(model.name), "count": len(model.weights)})


def _given(_: Any, args: Any, kwargs: dict[str, Any], user: UserCode) -> dict[str, Any]:
    return {key: value for key, value in kwargs.items() if type(value) is int}


def _has_trained(model: Any, place: tuple[CodeType, int], given: Any, history: Any, _: UserCode) -> None:
    copies.trained(model, place)
    _enter("fit", place, model, getattr(history, "epoch", None) == [], given)


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each place where no call changed anything."""
    sources = Sources()
    for kind, tell in (("load_weights", _loaded), ("set_weights", _copied), ("fit", _trained)):
        for row in _LEDGER.of(kind):
            if row.vain == row.calls and row.after is None:
                row.after = True
                yield tell(row, sources)


def _loaded(row: Effect, sources: Sources) -> Observed:
    at = reading.exact(locations.resolve(*row.place), sources)
    if row.before["left"]:
        return _partly_loaded(row, at)
    own, file = row.before["own"], row.before["file"]
    shared = [each for each in own if each in file]
    notes = [f"the file has {_listed(file)}; the model has {_listed(own)}"] if file and own else []
    missing = (
        "" if shared else ", and no layer of the model has a name that is in the file" if row.before["by_name"] else ""
    )
    return Observed(
        slug="not-restored",
        message=f"`load_weights` changed none of the {row.before['count']} weights of the model: "
        f"the values in `{row.before['path']}` are others{missing}",
        label="nothing was loaded here",
        location=at,
        related=(Marked.at(row.found, "the model is created here", "made"),) if row.found is not None else (),
        severity="warning",
        notes=tuple(notes),
        fixes=(
            Fix(summary="give the layers explicit names, the same when the file is written and read: `name=...`"),
            Fix(summary="or load by order, into the same architecture: leave out `by_name` and `skip_mismatch`"),
        )
        if row.before["by_name"]
        else (Fix(summary="load the file into a model of the architecture that it was saved from"),),
    )


def _partly_loaded(row: Effect, at: Location | None) -> Observed:
    left: tuple[unclaimed.Left, ...] = row.before["left"]
    path, first = row.before["path"], left[0]
    layer = f"`model.get_layer({first.outer!r}).load_weights(path, by_name=True)`"
    nested = first.outer and first.outer not in first.name.split("/")
    return Observed(
        slug="not-restored",
        message=f"`load_weights` left {len(left)} of the {row.before['count']} weights as they were, although "
        f"`{path}` has values for them: {_listed(tuple(each.name for each in left))}",
        label="these weights were not loaded here",
        location=at,
        related=(Marked.at(row.found, "the model is created here", "made"),) if row.found is not None else (),
        severity="warning",
        notes=(
            f"the file has `{first.name}` as `{first.stored}`; loading by name compares only the model's own layers"
            + (f", and there this layer is inside of `{first.outer}`" if nested else ""),
        ),
        fixes=(
            Fix(summary=f"load the file into the layer that holds them too: {layer}")
            if nested
            else Fix(
                summary="load the file into a model of the architecture that it was saved from, and copy its layers: "
                "`layer.set_weights(saved.get_layer(...).get_weights())`"
            ),
        ),
    )


def _copied(row: Effect, sources: Sources) -> Observed:
    made = (Marked.at(row.found, "this model is created here, from the same layers", "made"),) if row.found else ()
    return Observed(
        slug="not-restored",
        message=f"`set_weights` copies each of the {row.before['count']} weights of model `{row.before['name']}` onto "
        "itself: it shares its variables with the model that the weights come from",
        label="nothing was copied here",
        location=reading.exact(locations.resolve(*row.place), sources),
        related=made,
        severity="warning",
        fixes=(
            Fix(
                summary="create one of the two models anew, with layers of its own: call the function that builds it "
                "again, or `keras.models.clone_model`",
                caveat="unless both are meant to be one model; then the copy is not needed",
            ),
        ),
    )


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{each}`" for each in names[:3]) + more


def _trained(row: Effect, sources: Sources) -> Observed:
    at = reading.exact(locations.resolve(*row.place), sources)
    settings = [f"`{key}={value}`" for key, value in row.before.items() if key in ("epochs", "initial_epoch")]
    return Observed(
        slug="never-updated",
        message=f"`fit` trained for no epoch{': ' if settings else ''}{' and '.join(settings)}",
        label="no weight was updated here",
        location=at,
        related=(Marked.at(row.found, "the model is created here", "made"),) if row.found is not None else (),
        severity="warning",
        fixes=(Fix(summary="`epochs` counts from the beginning: let it be more than `initial_epoch`"),),
    )
