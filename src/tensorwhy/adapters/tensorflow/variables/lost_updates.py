"""Finds updates that are computed and lost: the result got the name of the variable, and nothing else became of it.

`w = w - rate * slope` makes a tensor and calls it `w`; in a loop over variables, or in a function, the next statement
has forgotten it, and the variable never changes.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable
from typing import Any

from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources


def lost(session: Any, gradients: dict[int, int], since: int) -> dict[int, Location]:
    """Variables, of those whose gradients are given by handle, with the statement that lost their update."""
    functions = session.rules().functions
    reader = _Reader(session.journal, gradients, functions)
    for event in session.journal.events(since, session.journal.position):
        reader.see(event)
    returned = {tensor for function in functions.values() for tensor in function.outputs}
    sources, found = Sources(), {}
    for handle, (update, place) in reader.updates.items():
        location = session.journal.location(place)
        if reader.unused(update, returned) and location is not None and rebinds(sources, location):
            found[handle] = location
    return found


class _Reader:
    """Follows the variables and their gradients through rows. `updates`: what was computed last from both, and where.

    A variable that a gradient was stored in (a momentum, a sum) hands it on. Calls of traced functions count by their
    bodies.
    """

    def __init__(self, journal: j.Journal, gradients: dict[int, int], functions: Container[str]) -> None:
        self.updates: dict[int, tuple[int, int]] = {}
        self.used: set[int] = set()
        self._journal, self._functions = journal, functions
        self._values: dict[int, set[int]] = {handle: {handle} for handle in gradients}
        self._slopes: dict[int, set[int]] = {handle: {slope} for handle, slope in gradients.items()}
        self._outer: dict[int, int] = {}
        self._stored: dict[int, int] = {}

    def unused(self, update: int, returned: Container[int]) -> bool:
        """Return whether nothing became of an update, nor of a new variable that it was stored in."""
        held = {update, self._stored.get(update, update)}
        return self.used.isdisjoint(held) and not any(tensor in returned for tensor in held)

    def see(self, event: j.Event) -> None:
        """Take one row in."""
        if event.kind > j.EXIT:
            return
        inputs = [self._source(value) for value in event.inputs]
        name = self._journal.names[event.name]
        if name == "AssignVariableOp" and inputs[0] not in self._values and inputs[1] in self._updates():
            self._stored[inputs[1]] = inputs[0]
            return
        if name == "DestroyResourceOp":
            return
        self.used.update(inputs)
        if name == "captured_value" and event.outputs:
            self._outer[event.outputs[0]] = inputs[0]
            return
        if name.partition("|")[0] in self._functions:
            return
        reads = name == "ReadVariableOp"
        for handle, slopes in self._slopes.items():
            sloped, valued = not slopes.isdisjoint(inputs), not self._values[handle].isdisjoint(inputs)
            if sloped and valued and len(event.outputs) == 1:
                self.updates[handle] = event.outputs[0], event.place
            elif sloped:
                slopes.update(event.outputs)
                slopes.update(inputs[:1] if "Assign" in name else ())
            elif valued and reads:
                self._values[handle].update(event.outputs)

    def _updates(self) -> set[int]:
        return {update for update, _ in self.updates.values()}

    def _source(self, value: int) -> int:
        handle = j.variable_handle(value)
        value = value if handle is None else handle
        return self._outer.get(value, value)


def rebinds(sources: Sources, location: Location) -> bool:
    """Return whether the statement gives a name to something that it computes from what had that name."""
    statement = sources.statement(location)
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Name)
    if not isinstance(statement, ast.Assign):
        return False
    read = set(_names([statement.value]))
    return any(name in read for name in _names(statement.targets))


def _names(nodes: Iterable[ast.expr]) -> list[str]:
    found = []
    for node in nodes:
        if isinstance(node, (ast.Tuple, ast.List)):
            found += _names(node.elts)
        else:
            found += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return found
