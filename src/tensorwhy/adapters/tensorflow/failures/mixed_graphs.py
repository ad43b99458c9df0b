"""Where a tensor was first mixed into a graph that is not its own, without a word.

An operation goes to the graph of its inputs, whatever the default graph is. `iterator.get_next()` of another graph's
iterator thus works, and so does arithmetic on what it gives; only the first operation with an input of the graph that
is being built fails, perhaps many lines later.
"""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.failures import givers
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


def first(tensor: Any, place: UserStack, live: LiveFailure, sources: Sources) -> tuple[Any, Location] | None:
    """What the failing call of a function first made from inputs of elsewhere, on the way to `tensor`, and its line.

    None where that is the failing line itself, and where something was made from nothing: that is in the graph that was
    the default one, so nothing was mixed up. A constant says nothing: TensorFlow makes those that it needs itself.
    """
    around = _Around(place, live, sources)
    entered: list[tuple[Any, Location]] = []
    seen: set[Any] = set()
    pending = [tensor.op]
    while pending and len(seen) < _MOST:
        operation = pending.pop()
        made = around.made(operation, live.user) if operation not in seen else None
        seen.add(operation)
        if made is None:
            continue
        inputs = [each.op for each in operation.inputs]
        if not inputs and operation.type != "Const":
            return None
        outside = [each for each in inputs if around.made(each, live.user) is None]
        if outside and all(each.type == "Const" or each in outside for each in inputs):
            entered.append((operation, made))
        pending += inputs
    found = min(entered, key=lambda each: each[1].line, default=None)
    return found if found is not None and found[1].line != place.own.location.line else None


_MOST = 500


class _Around:
    """The failing call of the user's function: its callers' lines, and the `with` blocks around its own line."""

    def __init__(self, place: UserStack, live: LiveFailure, sources: Sources) -> None:
        callers = (frame.location for frame in givers.callers(place, live))
        self._callers = [(each.file, each.line) for each in callers if each is not None]
        self._place, self._sources = place.own.location, sources
        self._blocks = self._blocks_around(place.own.location)

    def made(self, operation: Any, user: UserCode) -> Location | None:
        """The line of this same call that made the operation, under the same `with` blocks."""
        calls = symbolic.user_calls(symbolic.traceback_of(operation.outputs[0]), user) if operation.outputs else ()
        if not calls or [(each.file, each.line) for each in calls[:-1]] != self._callers:
            return None
        last = calls[-1]
        # Operations know the plain names of functions, frames the qualified ones.
        named = last.function.rpartition(".")[2] == self._place.function.rpartition(".")[2]
        return last if named and last.file == self._place.file and self._blocks_around(last) == self._blocks else None

    def _blocks_around(self, location: Location) -> list[int]:
        tree = self._sources.tree(location.file)
        return [
            node.lineno
            for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, (ast.With, ast.AsyncWith))
            and node.body[0].lineno <= location.line <= (node.end_lineno or node.lineno)
        ]


def owner(location: Location, sources: Sources) -> str:
    """What the user calls the object whose method the line calls: `iterator` in `iterator.get_next()`."""
    statement = sources.statement(location)
    owners = [
        ast.unparse(node.func.value)
        for node in (ast.walk(statement) if statement is not None else ())
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    ]
    return owners[0] if len(owners) == 1 else ""
