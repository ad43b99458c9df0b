"""One ledger of the calls that are meant to change a state, and of what they really changed.

Each kind of call is a row of `watch`: how the state is read before and after it. A call that changed nothing is kept
with its place; at the end it is told, unless a later call at the same place did change something.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.keras_common.survival import states
from tensorwhy.adapters.patches import Bulkhead, quietly, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 64
_LARGEST = 1 << 26
"""Weights of so many numbers are not compared."""
guarded = Bulkhead()


class Effect(msgspec.Struct, kw_only=True):
    """What the calls at one place were meant for, and how many of them changed nothing."""

    kind: str
    place: tuple[CodeType, int]
    subject: str
    made: Any = None
    detail: dict[str, Any] = {}
    calls: int = 0
    vain: int = 0
    told: bool = False


_ROWS: dict[tuple[str, int, int], Effect] = {}


def clear() -> None:
    """Forget everything."""
    _ROWS.clear()
    guarded.failure = ""


def _is_settled(kind: str, place: tuple[CodeType, int]) -> bool:
    """Whether a call there has changed something: then no other one is looked at."""
    row = _ROWS.get((kind, id(place[0]), place[1]))
    return row is not None and row.vain < row.calls


def _enter(kind: str, place: tuple[CodeType, int], subject: Any, vain: bool, detail: dict[str, Any]) -> None:
    key = kind, id(place[0]), place[1]
    row = _ROWS.get(key)
    if row is None:
        if len(_ROWS) >= _MOST:
            return
        row = _ROWS[key] = Effect(kind=kind, place=place, subject=str(getattr(subject, "name", "")))
    row.calls += 1
    row.vain += vain
    if vain:
        row.detail, row.made = detail, creations.made(subject)


def watch(model: type, user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch a generation's model; yields what takes the hooks out."""
    for owner, name, kind in ((model, "load_weights", _loads), (model, "fit", _trains)):
        defining = next((each for each in owner.__mro__ if name in vars(each)), None)
        if defining is not None:
            yield replaced(defining, name, kind(user))
    yield clear


def _loads(user: UserCode) -> Callable[..., Any]:
    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(model: Any, *args: Any, **kwargs: Any) -> Any:
            place = locations.caller(user, sys._getframe(1))
            path = args[0] if args else kwargs.get("filepath")
            if guarded.failure or place is None or path is None or _is_settled("load", place) or not _is_small(model):
                return None
            known = {each.handle: each.value for each in states.of(model, user) if each.listed}
            return (model, *args), kwargs, (model, str(path), place, known, bool(kwargs.get("by_name")))

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(_has_loaded, *state, user)

        return around(original, before, after)

    return wrap


def _is_small(model: Any) -> bool:
    weights: list[Any] = quietly(lambda: list(model.weights), [])
    return 0 < sum(math.prod(int(size or 1) for size in each.shape) for each in weights) < _LARGEST


def _has_loaded(
    model: Any, path: str, place: tuple[CodeType, int], known: dict[int, Any], by_name: bool, user: UserCode
) -> None:
    now = {each.handle: each for each in states.of(model, user) if each.listed and each.value is not None}
    same = bool(now) and all(known.get(handle) == each.value for handle, each in now.items())
    names: tuple[str, ...] = ()
    if same:
        found = _in_file(path)
        arrays: list[Any] = quietly(model.get_weights, [])
        telling = [each for each in arrays if each.size > 1 and each.min() != each.max()]
        if not found or not telling or any(_fingerprint(each) in found[1] for each in telling):
            return  # unreadable, or the model had these values already
        names = found[0]
    layers: list[Any] = quietly(lambda: [each for each in model.layers if each.weights], [])
    own = tuple(str(each.name) for each in layers)
    detail = {"path": os.path.basename(path), "file": names, "own": own, "by_name": by_name, "count": len(now)}
    _enter("load", place, model, same, detail)


def _fingerprint(array: Any) -> tuple[tuple[int, ...], bytes]:
    return tuple(array.shape), hashlib.blake2b(array.tobytes(), digest_size=16).digest()


def _in_file(path: str) -> tuple[tuple[str, ...], set[tuple[tuple[int, ...], bytes]]] | None:
    """The groups of a file that hold arrays, and the fingerprints of those."""
    try:
        import h5py  # type: ignore[import-untyped]
        import numpy as np

        groups: dict[str, None] = {}
        values: set[tuple[tuple[int, ...], bytes]] = set()

        def see(name: str, thing: Any) -> None:
            if isinstance(thing, h5py.Dataset):
                parts = [
                    each
                    for each in name.split("/")
                    if each not in ("model_weights", "layers", "_layer_checkpoint_dependencies")
                ]
                if parts[0] != "optimizer_weights":
                    groups[parts[0]] = None
                values.add(_fingerprint(np.asarray(thing)))

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


def _trains(user: UserCode) -> Callable[..., Any]:
    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(model: Any, *args: Any, **kwargs: Any) -> Any:
            place = locations.caller(user, sys._getframe(1))
            if guarded.failure or place is None or _is_settled("fit", place):
                return None
            return (model, *args), kwargs, (model, place, kwargs)

        def after(state: Any, raised: BaseException | None, result: Any) -> None:
            if raised is None:
                guarded(_has_trained, *state, result)

        return around(original, before, after)

    return wrap


def _has_trained(model: Any, place: tuple[CodeType, int], given: dict[str, Any], history: Any) -> None:
    plain = {key: value for key, value in given.items() if type(value) is int}
    _enter("fit", place, model, getattr(history, "epoch", None) == [], plain)


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each place where no call changed anything."""
    sources = Sources()
    for row in list(_ROWS.values()):
        if row.vain == row.calls and not row.told:
            row.told = True
            yield _TOLD[row.kind](row, sources)


def _loaded(row: Effect, sources: Sources) -> Observed:
    at = reading.exact(locations.resolve(*row.place), sources)
    own, file = row.detail["own"], row.detail["file"]
    shared = [each for each in own if each in file]
    notes = [f"the file has {_listed(file)}; the model has {_listed(own)}"] if file and own else []
    missing = (
        "" if shared else ", and no layer of the model has a name that is in the file" if row.detail["by_name"] else ""
    )
    return Observed(
        slug="not-restored",
        message=f"`load_weights` changed none of the {row.detail['count']} weights of the model: "
        f"the values in `{row.detail['path']}` are others{missing}",
        label="nothing was loaded here",
        location=at,
        related=(Marked.at(row.made, "the model is created here", "made"),) if row.made is not None else (),
        severity="warning",
        notes=tuple(notes),
        fixes=(
            Fix(summary="give the layers explicit names, the same when the file is written and read: `name=...`"),
            Fix(summary="or load by order, into the same architecture: leave out `by_name` and `skip_mismatch`"),
        )
        if row.detail["by_name"]
        else (Fix(summary="load the file into a model of the architecture that it was saved from"),),
    )


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{each}`" for each in names[:3]) + more


def _trained(row: Effect, sources: Sources) -> Observed:
    at = reading.exact(locations.resolve(*row.place), sources)
    settings = [f"`{key}={value}`" for key, value in row.detail.items() if key in ("epochs", "initial_epoch")]
    return Observed(
        slug="never-updated",
        message=f"`fit` trained for no epoch{': ' if settings else ''}{' and '.join(settings)}",
        label="no weight was updated here",
        location=at,
        related=(Marked.at(row.made, "the model is created here", "made"),) if row.made is not None else (),
        severity="warning",
        fixes=(Fix(summary="`epochs` counts from the beginning: let it be more than `initial_epoch`"),),
    )


_TOLD = {"load": _loaded, "fit": _trained}
