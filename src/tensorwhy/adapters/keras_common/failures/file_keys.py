"""Reads a failure to load weights (Keras 3): the file has the values of a layer, under a key that is not looked for.

Files of Keras 3 name the layers of a model by their classes, and number those of one class. A layer of another class
with the same variables, and the same `name`, is looked for under another key.
"""

from __future__ import annotations

import collections
import os
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LAYERS = "layers"
_Shapes = collections.Counter[tuple[int, ...]]


class _Moved(NamedTuple):
    """A layer that was looked for as `key`, and whose values the file has as `stored`."""

    layer: Any
    key: str
    stored: str


def unmatched(live: LiveFailure, generation: int) -> Iterator[Observed]:
    """The layers that were not found in a file which has values of their shapes under another key."""
    for stack in live.whole() if generation == 3 else ():
        found = list(_moved(stack))
        place = stack.own.location if stack.own is not None else None
        if found and place is not None:
            at = reading.exact(place, Sources()) or place
            yield _told(found, os.path.basename(str(_loading(stack).get("filepath"))), at)
            return


def _loading(stack: Stack) -> dict[str, Any]:
    """What the library's function that reads a file was given and holds."""
    frames = [each.frame for each in stack.frames if not each.user]
    held = (each.f_locals for each in frames if each.f_code.co_name == "load_weights_only")
    return next(held, {})


def _moved(stack: Stack) -> Iterator[_Moved]:
    held = _loading(stack)
    model, errors = held.get("model"), held.get("error_msgs")
    if model is None or not isinstance(errors, dict) or not getattr(model, "layers", None):
        return
    failed = {id(each[0]) for each in errors.values()}
    keys = dict(_keys(model.layers))
    stored = _stored(str(held.get("filepath")))
    free = {key: shapes for key, shapes in stored.items() if key not in keys}
    for key, layer in keys.items():
        if key in stored or not any(id(each) in failed for each in packages.layers_of(layer)):
            continue
        own: _Shapes = collections.Counter(tuple(each.shape) for each in layer.trainable_weights)
        fitting = [each for each, shapes in free.items() if own and not own - shapes]
        if len(fitting) == 1:
            yield _Moved(layer, key, fitting[0])


def _keys(layers: list[Any]) -> Iterator[tuple[str, Any]]:
    """The keys under which Keras looks for layers: their classes, with a number from the second of a class on."""
    snake = getattr(sys.modules.get("keras.src.utils.naming"), "to_snake_case", str.lower)
    count: collections.Counter[str] = collections.Counter()
    for layer in layers:
        name = snake(type(layer).__name__)
        yield f"{name}_{count[name]}" if count[name] else name, layer
        count[name] += 1


def _stored(path: str) -> dict[str, _Shapes]:
    """The shapes of the arrays that a file has for each layer, by its key."""
    found: dict[str, _Shapes] = {}
    try:
        import h5py  # type: ignore[import-untyped]

        def see(name: str, thing: Any) -> None:
            parts = name.split("/")
            if isinstance(thing, h5py.Dataset) and parts[0] == _LAYERS:
                found.setdefault(parts[1], collections.Counter())[tuple(thing.shape)] += 1

        with h5py.File(path, "r") as file:
            file.visititems(see)
    except (ImportError, OSError, RuntimeError, TypeError, ValueError, KeyError):  # another format
        return {}
    return found


def _told(found: list[_Moved], file: str, at: Any) -> Observed:
    first = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    made = dict.fromkeys(creations.made(each.layer) for each in found)
    return Observed(
        slug="not-restored",
        message=f"`{file}` has no values for layer `{first.layer.name}`{more} under the key `{first.key}`, but values "
        f"of its shapes under `{first.stored}`: this format names layers by their class, not by `name`",
        label="this model has a layer of another class than the one that was saved",
        location=at,
        related=tuple(Marked.at(each, "the layer is created here", "made") for each in made if each is not None)[:3],
        severity="error",
        fixes=(
            Fix(
                summary="load the file into a model of the same classes, and copy the weights from that: "
                "`new.set_weights(saved.get_weights())`"
            ),
            Fix(
                summary=f"or give both layers one class name: the key `{first.stored}` comes from that",
                caveat="files that were saved before keep their keys",
            ),
        ),
    )
