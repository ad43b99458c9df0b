"""Weights that an h5 file gave to another weight of the same layer: it stores them by position.

The trainable weights of a layer come first in the file. A layer that is built again with other weights trainable has
another order: the names in the file and the values of the variables then contradict each other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LARGEST = 1 << 24
"""Weights of more numbers are not compared."""


class _Exchanged(msgspec.Struct, frozen=True):
    """`pairs`: the name of a variable, and under which name the file has the value that it got."""

    layer: str
    pairs: tuple[tuple[str, str], ...]
    generation: int | None
    made: Any = None


_FOUND: dict[tuple[CodeType, int], _Exchanged] = {}
guarded = Bulkhead()


def clear() -> None:
    """Forget everything."""
    _FOUND.clear()
    guarded.failure = ""


def watch(module: Any, user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch the function of a module that loads by position; yields what takes the hooks out."""

    def before(group: Any, model: Any, *args: Any, **kwargs: Any) -> Any:
        state = group, model, locations.caller(user, sys._getframe(1))
        return (group, model, *args), kwargs, state

    def after(state: Any, raised: BaseException | None, result: Any) -> None:
        if raised is None and state[2] is not None:
            guarded(_loaded, *state)

    if module is not None:
        yield replaced(module, "load_weights_from_hdf5_group", lambda original: around(original, before, after))
        yield clear


def _loaded(group: Any, model: Any, place: tuple[CodeType, int]) -> None:
    stored = [
        (each, names) for each in _listed(group, "layer_names") if (names := _listed(group[each], "weight_names"))
    ]
    layers = [each for each in model.layers if each.weights]
    if len(stored) != len(layers):
        return
    for (name, names), layer in zip(stored, layers):
        weights = [*layer.trainable_weights, *layer.non_trainable_weights]
        own = {str(getattr(each, "path", each.name)): each for each in weights}
        if [*own] == names or own.keys() != set(names) or len(own) != len(names):
            continue
        pairs = tuple(_exchanged(own, group[name], names))
        if pairs:
            made = creations.made(layer)
            _FOUND[place] = _Exchanged(str(layer.name), pairs, packages.generation_of(model), made)
            return


def _listed(group: Any, name: str) -> list[str]:
    return [each.decode() if isinstance(each, bytes) else str(each) for each in group.attrs.get(name, ())]


def _exchanged(own: dict[str, Any], group: Any, names: list[str]) -> Iterator[tuple[str, str]]:
    """The variables whose value is what the file has by their position, and not what it has by their name."""
    import numpy as np

    for (name, variable), other in zip(own.items(), names):
        if name == other or int(np.prod(variable.shape)) > _LARGEST:
            continue
        inner: Any = getattr(variable, "_value", None)
        held: Any = inner if hasattr(inner, "handle") else variable
        value = variable_values.value(held.handle, held.dtype)
        if value is None:
            continue
        if np.array_equal(value, np.asarray(group[other])) and not np.array_equal(value, np.asarray(group[name])):
            yield name, other


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each line that loaded such a file."""
    sources = Sources()
    for place, found in _FOUND.items():
        if found.generation == generation:
            yield _told(found, place, sources)


def _told(found: _Exchanged, place: tuple[CodeType, int], sources: Sources) -> Observed:
    name, other = found.pairs[0]
    at = reading.exact(locations.resolve(*place), sources)
    return Observed(
        slug="not-restored",
        message=f"{len(found.pairs)} weights of layer `{found.layer}` got the values of each other: `{name}` got what "
        f"the file stores as `{other}`",
        label="loaded by position here",
        location=at,
        related=(Marked.at(found.made, "the layer is created here", "made"),)
        if found.made is not None and found.made != at
        else (),
        severity="warning",
        notes=(
            "an h5 file stores the weights of a layer by position, the trainable ones first: the order is another one "
            "where `trainable` of an inner layer was changed after it was created",
        ),
        fixes=(
            Fix(
                summary="save in the `.keras` format, which stores weights by their path",
                caveat="a `trainable` that was changed later is not stored in it: set it again",
            ),
            Fix(
                summary="or pass `trainable=False` to the inner layer where it is created",
                caveat="files that were saved before keep their order",
            ),
        ),
    )
