"""Which operation of a vectorised function has no vectorised form, and has its rows stacked instead."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.tensorflow.failures import failed_node
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def row_by_row(operation: Any) -> Any:
    """The operation of the mapped function whose rows are stacked, where others of that function go on from it.

    What has no vectorised form runs once for each row, in a loop that has the operation's name.
    """
    name, found, _ = str(operation.name).partition("/pfor/")
    body = name.rpartition("/")[0]
    inner = failed_node.operation_named(operation.graph, name) if found else None
    users = [each for output in inner.outputs for each in output.consumers()] if inner is not None else []
    return inner if any(each.name.startswith(f"{body}/") and "/pfor/" not in each.name for each in users) else None


def written(location: Location, sources: Sources) -> str:
    """The innermost call on a line, which is where the operation was made."""
    statement = sources.statement(location)
    calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
    return ast.unparse(calls[-1].func) if calls else ""
