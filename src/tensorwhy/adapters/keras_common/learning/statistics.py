"""Statistics of layers that were trained, and that no call in training mode ever moved.

Which variables a layer moves only in training mode is found by experiment: a copy of it, made from its configuration,
is called on random numbers in both modes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning.training import handle_of
from tensorwhy.model.location import Location

_MOST = 4
"""So many classes of layers are tried."""
_SIZE = 3


class Unmoved(NamedTuple):
    """A layer, the handles of its trained variables and of its statistics."""

    name: str
    kind: str
    made: Location | None
    trained: tuple[int, ...]
    statistics: tuple[Any, ...]
    loaded: bool = False


def unmoved(trained: Collection[int], still: Callable[[int], bool]) -> Iterator[Unmoved]:
    """Yield the layers that train some of these variables and whose statistics did not move.

    They have the values that they were made with; or, `loaded`, others that an earlier training or a file gave them,
    and `still` says of each that all steps left it as it was.
    """
    known: dict[type, dict[str, float]] = {}
    resting = _resting()
    for layer in creations.live(("layer",)):
        if not packages.native(layer) or not getattr(layer, "trainable", False) or id(layer) in resting:
            continue
        own = [handle for each in layer.trainable_variables if (handle := handle_of(each)) in trained]
        state = {_own_name(each): each for each in layer.non_trainable_variables if _is_floating(each)}
        if not own or not state:
            continue
        if type(layer) not in known:
            if len(known) == _MOST:
                continue
            known[type(layer)] = _moved_in_training(layer)
        first = known[type(layer)]
        values = {name: _value(variable) for name, variable in state.items() if name in first}
        never = all(each is not None and np.all(each == first[name]) for name, each in values.items())
        if values and (never or all(still(handle_of(state[name]) or -1) for name in values)):
            yield Unmoved(
                name=str(layer.name),
                kind=type(layer).__name__,
                made=creations.made(layer),
                trained=tuple(handle for handle in own if handle is not None),
                statistics=tuple(state[name] for name in values),
                loaded=not never,
            )


def _resting() -> set[int]:
    """The layers, by their id, that a functional model calls with `training=False`, and those inside of them."""
    return {
        id(inner)
        for layer in creations.live(("layer", "model"))
        if any(_arguments(node).get("training") is False for node in getattr(layer, "_inbound_nodes", ()))
        for inner in packages.layers_of(layer)
    }


def _arguments(node: Any) -> dict[str, Any]:
    found = getattr(getattr(node, "arguments", None), "kwargs", None) or getattr(node, "call_kwargs", None)
    return found if isinstance(found, dict) else {}


def beside(trained: Collection[int]) -> Iterator[Any]:
    """Yield the statistics of layers that train some of these variables."""
    for layer in creations.live(("layer",)):
        if packages.native(layer) and any(handle_of(each) in trained for each in layer.trainable_variables):
            yield from (each for each in layer.non_trainable_variables if _is_floating(each))


def _moved_in_training(layer: Any) -> dict[str, float]:
    """Return the statistics that a copy moves in training mode alone, each with the number that it begins with."""
    drawn = random.getstate()
    try:
        copy = type(layer).from_config(layer.get_config())
        axes = getattr(copy, "axis", -1)
        rank = getattr(getattr(layer, "input_spec", None), "ndim", None) or 2
        if rank < 2 or (isinstance(axes, (list, tuple)) and len(axes) != 1):
            return {}
        drawing = np.random.default_rng(0)
        batch = sys.modules["tensorflow"].constant(drawing.normal(3.0, 2.0, (_SIZE,) * rank), "float32")
        copy.build(batch.shape)
        before = _state(copy)
        copy.call(batch, training=False)  # when Python exits, `__call__` of Keras 3 takes its arguments apart no more
        resting = _state(copy)
        copy.call(batch, training=True)
        moving = _state(copy)
    except Exception:  # a layer may refuse such a call in many ways: then nothing is known of it
        return {}
    finally:
        random.setstate(drawn)
    return {
        name: float(value.reshape(-1)[0])
        for name, value in before.items()
        if np.array_equal(value, resting[name])
        and not np.array_equal(value, moving[name])
        and np.all(value == value.reshape(-1)[0])
    }


def _state(layer: Any) -> dict[str, Any]:
    found = {_own_name(each): _value(each) for each in layer.non_trainable_variables if _is_floating(each)}
    return {name: np.array(value) for name, value in found.items() if value is not None}


def _own_name(variable: Any) -> str:
    return str(variable.name).split(":")[0].rpartition("/")[2]


def _is_floating(variable: Any) -> bool:
    return "float" in str(getattr(variable.dtype, "name", variable.dtype))


def _value(variable: Any) -> Any:
    held = getattr(variable, "_value", None)
    inner: Any = held if hasattr(held, "handle") else variable
    return variable_values.value(inner.handle, inner.dtype) if hasattr(inner, "handle") else None
