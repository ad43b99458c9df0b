"""Finds updates that were made to copies: arrays of weights that the program itself subtracts gradients from.

What `get_weights()` gives are copies. A step that changes them changes the model only when it sets them again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

_HANDING_ON = ("ReadVariableOp", "Identity")


def place(session: Any, variables: Iterable[int], gradients: Iterable[int], since: int) -> Location | None:
    """Where a gradient is subtracted from something of the program's own, while the variables' values had left.

    None when anything is stored in a variable after that.
    """
    journal, handles = session.journal, set(variables)
    if not _left(journal, handles):
        return None
    held, sources, met = set(gradients) - {-1}, Sources(), set[int]()
    found: Location | None = None
    for row in journal.events(since, journal.position):
        if row.kind <= j.GRAPH_OP and "Assign" in journal.names[row.name]:
            return None  # it may be the copies that are stored, be it in another model
        if row.kind > j.EXIT or held.isdisjoint(row.inputs) or found is not None:
            continue
        if row.kind <= j.RECORDED:
            held.update(row.outputs)
        if row.place not in met:
            met.add(row.place)
            location: Location | None = journal.location(row.place)
            found = location if location is not None and _subtracts(sources.statement(location)) else None
    return found


def _left(journal: j.Journal, handles: set[int]) -> bool:
    """Return whether the value of one of these variables became an array."""
    values = set(handles)
    for row in journal.events(0, journal.position):
        inputs = set(inputs_of(row))
        if values.isdisjoint(inputs):
            continue
        if row.kind == j.EXIT:
            return True
        if row.kind <= j.RECORDED and journal.names[row.name] in _HANDING_ON:
            values.update(row.outputs)
    return False


def _subtracts(statement: ast.stmt | None) -> bool:
    """Return whether a statement takes something away from what a name stands for, or from each thing of a list."""
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, ast.Sub)
    if not isinstance(statement, ast.Assign):
        return False
    value, targets = statement.value, {ast.unparse(target) for target in statement.targets}
    if isinstance(value, ast.ListComp):
        bound = {node.id for each in value.generators for node in ast.walk(each.target) if isinstance(node, ast.Name)}
        value, targets = value.elt, bound
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub) and ast.unparse(value.left) in targets
