"""Layers that learned from data before training, and that nothing calls: the model got a fresh one of the same kind.

Only layers of Keras 3 remember whether they were called.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.patches import Bulkhead, quietly, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode

_GENERATION = 3
_ADAPTED: dict[int, tuple[weakref.ref[Any], tuple[CodeType, int]]] = {}
_TOLD: set[int] = set()
guarded = Bulkhead()


def clear() -> None:
    """Forget everything."""
    _ADAPTED.clear()
    _TOLD.clear()
    guarded.failure = ""


def watch(classes: Iterable[type], user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch the layers that have `adapt`; yields what takes the hooks out."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def before(layer: Any, *args: Any, **kwargs: Any) -> Any:
            guarded(_note, layer, locations.caller(user, sys._getframe(1)))

        return around(original, before, lambda state, raised, result: None)

    for cls in classes:
        yield replaced(cls, "adapt", wrap)
    yield clear


def _note(layer: Any, place: tuple[CodeType, int] | None) -> None:
    if place is not None:
        _ADAPTED[id(layer)] = weakref.ref(layer), place


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One for each adapted layer that was never called, beside the only one like it that was, and was not adapted."""
    if generation != _GENERATION:
        return
    adapted = {id(each): (each, place) for reference, place in _ADAPTED.values() if (each := reference()) is not None}
    for layer, place in adapted.values():
        if _is_called(layer) or id(layer) in _TOLD:
            continue
        others = [
            each
            for each in creations.live(("layer",))
            if type(each) is type(layer) and id(each) not in adapted and _is_called(each) and _is_like(each, layer)
        ]
        if len(others) != 1:
            continue
        _TOLD.add(id(layer))
        name, made = others[0].name, creations.made(others[0])
        yield Observed(
            slug="ignored-setting",
            message=f"`adapt` changed the layer `{layer.name}`, which nothing calls: `{name}` is used in its place, "
            "and was never adapted",
            label="this layer learns from the data, and is not used",
            location=locations.resolve(*place),
            related=(Marked.at(made, f"`{name}`, which is used, is created here", "made"),) if made is not None else (),
            severity="warning",
            fixes=(Fix(summary="use the adapted layer in the model, in place of a new one"),),
        )


def _is_called(layer: Any) -> bool:
    return bool(getattr(layer, "_called", False))


def _is_like(one: Any, other: Any) -> bool:
    """Return whether two layers were made with the same settings: one that was given numbers needs no data."""
    settings = [quietly(each.get_config, None) for each in (one, other)]
    plain = [{key: repr(value) for key, value in each.items() if key != "name"} if each else None for each in settings]
    return plain[0] is not None and plain[0] == plain[1]
