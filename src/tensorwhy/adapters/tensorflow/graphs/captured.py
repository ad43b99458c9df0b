"""Where a traced function uses a tensor that it took in from outside.

A dataset's function is traced first; only then is the dataset made, from the function and the tensors that it captured.
A tensor that cannot be handed over fails there, at the line of `map`. The function's own line is in its graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode


def used_inside(tensor: Any, frames: Iterable[Frame], user: UserCode) -> tuple[Location, Any] | None:
    """The user's line that uses the captured tensor in a function that a frame has as a variable, and its graph."""
    for frame in frames:
        for value in list(frame.frame.f_locals.values()):
            graph = getattr(value, "graph", None) if _is_function(value) else None
            if graph is not None and symbolic.is_function_graph(graph):
                inside = next((inner for outer, inner in graph.captures if outer is tensor), None)
                found = _consumed(inside, user) if inside is not None else None
                if found is not None:
                    return found, graph
    return None


def _is_function(value: Any) -> bool:
    return type(value).__name__ == "ConcreteFunction" and type(value).__module__.startswith("tensorflow.")


def _consumed(placeholder: Any, user: UserCode) -> Location | None:
    for operation in placeholder.consumers():
        calls = symbolic.user_calls(symbolic.traceback_of(operation.outputs[0]), user) if operation.outputs else ()
        if calls:
            return calls[-1]
    return None
