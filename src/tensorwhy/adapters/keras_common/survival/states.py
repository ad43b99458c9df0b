"""All state that an object computes with: what it lists, what it hides, and what it keeps as plain numbers."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import holders, training
from tensorwhy.adapters.keras_common.learning.untracked import set_at
from tensorwhy.adapters.patches import quietly
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_MOST = 10_000


class State(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of state, as it is now.

    `key` tells which piece it is in another object of the same class. `listed`: a variable that its model lists.
    `owner`, `attribute` and `container` say who holds what is not listed, and in what.
    """

    key: str
    name: str
    handle: int = 0
    shape: tuple[int, ...] = ()
    value: bytes | None = None
    made: Location | None = None
    listed: bool = True
    owner: type | None = None
    attribute: str = ""
    container: str = ""
    floating: bool = False


def of(thing: Any, user: UserCode) -> Iterator[State]:
    """The state of a variable, a module, a layer or a model."""
    kind = packages.kind_of(thing)
    if kind in ("layer", "model"):
        yield from _of_layer(thing, user)
    elif holders.MODULES.owns(thing) or type(thing).__name__ == "AutoTrackable":
        yield from (_variable(each, f"[{index}]") for index, each in enumerate(_listed(thing)))
    elif training.handle_of(thing) is not None and kind != "optimizer":
        yield _variable(thing, "")


def _listed(thing: Any) -> list[Any]:
    return quietly(lambda: list(thing.variables)[:_MOST], [])  # a model may have no variables yet


def _of_layer(model: Any, user: UserCode) -> Iterator[State]:
    listed = _listed(model)
    known = {training.handle_of(each) for each in listed}
    yield from (_variable(each, f"[{index}]") for index, each in enumerate(listed))
    found: set[int] = set()

    def hidden(child: Any) -> bool:
        handle = training.handle_of(child) if "Variable" in type(child).__name__ else None
        if handle is None or handle in known or handle in found:
            return False
        found.add(handle)
        seen.append(child)
        return True

    seen: list[Any] = []
    while (way := holders.find(model, hidden, user)) is not None and len(seen) < 100:
        yield _held(seen[-1], way)
    for layer in packages.layers_of(model):
        yield from _plain(layer, user)


def held_by_a_name_of_keras(model: Any, state: State, sources: Sources) -> State:
    """The state, with the attribute that it is under, if saving passes over the name of that: Keras uses it itself."""
    library = sys.modules.get("keras.src.saving.saving_lib")
    skipped = getattr(library, "get_attr_skipset", None)
    names: Any = quietly(lambda: skipped("Layer"), ()) if skipped is not None else ()
    for layer in (model, *packages.layers_of(model)):
        for name, value in vars(layer).items():
            held = value if isinstance(value, (list, tuple)) else (value,)
            parts = [each for each in held if packages.kind_of(each) == "layer"] if name in names else []
            if (
                not packages.native(layer)
                and any(training.handle_of(variable) == state.handle for each in parts for variable in _listed(each))
                and set_at(type(layer), name, sources) is not None
            ):
                return msgspec.structs.replace(state, owner=type(layer), attribute=name)
    return state


def _held(variable: Any, way: holders.Held) -> State:
    state = _variable(variable, way.path)
    return msgspec.structs.replace(
        state,
        name=way.path,
        listed=False,
        owner=type(way.owner),
        attribute=way.attribute.partition("[")[0],
        container=holders.words(way.barrier),
    )


def _variable(variable: Any, key: str) -> State:
    inner = getattr(variable, "_value", variable)
    return State(
        key=key,
        name=str(getattr(variable, "path", "") or getattr(variable, "name", "")).partition(":")[0],
        handle=training.handle_of(variable) or 0,
        shape=tuple(int(size or 0) for size in variable.shape),
        value=variable_values.digest(inner) if hasattr(inner, "handle") else None,
        made=creations.made(variable),
        floating="float" in str(getattr(variable.dtype, "name", variable.dtype)),
    )


def _plain(layer: Any, user: UserCode) -> Iterator[State]:
    """Numbers and arrays that the user's `call` reads from attributes of its layer."""
    import numpy as np

    method = getattr(type(layer), "call", None)
    if not isinstance(method, types.FunctionType) or not user.owns(method.__code__.co_filename):
        return
    for name in sorted(set(method.__code__.co_names) & vars(layer).keys()):
        value = vars(layer)[name]
        if isinstance(value, (float, np.ndarray, np.floating)) and not isinstance(value, bool):
            array = np.asarray(value)
            if array.dtype.kind in "fiu":
                digest = hashlib.blake2b(array.astype(np.float64).tobytes(), digest_size=16).digest()
                yield State(
                    key=f"{getattr(layer, 'name', '')}.{name}",
                    name=f"self.{name}",
                    shape=array.shape,
                    value=digest,
                    listed=False,
                    owner=type(layer),
                    attribute=name,
                    container="number" if array.ndim == 0 else "array",
                )
