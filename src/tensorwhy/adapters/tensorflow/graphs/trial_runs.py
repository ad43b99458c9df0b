"""Variables whose first values are constants of a traced function, as it was traced in Keras' trial run (Keras 3).

When a layer is called first, Keras runs its `call` on trial, to make the variables of the layers in it. Until that run
is over they have no value, and whoever reads one is given a new tensor of its initializer. A `tf.function` that is
traced meanwhile puts that tensor into its graph, and the graph serves the real calls: these read no variable.
"""

from __future__ import annotations

import ast
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_STATE = "keras.src.backend.common.global_state"
_WAITING = "uninitialized_variables"

_MADE: list[tuple[weakref.ref[Any], Location]] = []
"""Those whose handles are not known yet: they get them when the trial run is over."""
_KEPT: dict[int, Location] = {}
"""By the identifier of the handle: the variables themselves may be gone when somebody asks."""


def look(graph: Any, user: UserCode) -> None:
    """Note the variables without a value that a graph, whose trace has just ended, has first values of."""
    state = sys.modules.get(_STATE)
    waiting = state.get_global_attribute(_WAITING) if state is not None else None
    if not waiting:
        return
    read: dict[tuple[int | None, ...] | None, Location] = {}
    shapes = {tuple(variable.shape) for variable in waiting}
    traced = set(_names(graph))
    for operation in graph.get_operations():
        for tensor in operation.outputs[:1]:
            shape = tuple(tensor.shape.as_list()) if tensor.shape.rank is not None else None
            if shape not in shapes or shape in read:
                continue
            stack = symbolic.traceback_of(tensor)
            if not symbolic.reads_first_value(stack):
                continue
            inside = [
                call
                for call in symbolic.user_calls(stack, user)
                if call.function.rpartition(".")[2].removeprefix("tf__") in traced
            ]
            if inside:
                read[shape] = inside[-1]
    for variable in waiting:
        place = read.get(tuple(variable.shape))
        if place is not None:
            _MADE.append((weakref.ref(variable), place))


def _names(graph: Any) -> Iterator[str]:
    """What the graph was traced from; the body of a loop and a branch belong to the function around them."""
    while getattr(graph, "outer_graph", None) is not None:
        yield graph.name
        graph = graph.outer_graph


def settle() -> None:
    """Note the handles that such variables have by now; a question for their gradients is about to be kept."""
    waiting = _MADE[:]
    _MADE.clear()
    for reference, place in waiting:
        variable = reference()
        handle = getattr(getattr(variable, "_value", None), "handle", None)
        if handle is not None:
            _KEPT[handle._id] = place
        elif variable is not None:
            _MADE.append((reference, place))


def kept_first_value(handle: int) -> Location | None:
    """Where the traced function begins that keeps the first value of the variable with this handle."""
    place = _KEPT.get(handle)
    return _head(place) if place is not None else None


def _head(inside: Location) -> Location:
    """The decorator that had the function around a place traced, else the line of the function's name."""
    sources = Sources()
    function = sources.function(inside)
    if function is None:
        return inside
    for decorator in getattr(function, "decorator_list", ()):
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(callee, (ast.Attribute, ast.Name)) and ast.unparse(callee).rpartition(".")[2] == "function":
            found = reading.place(decorator, inside, sources)
            return msgspec.structs.replace(found, column=(found.column or 1) - 1)
    return Location(file=inside.file, line=function.lineno, function=inside.function)
