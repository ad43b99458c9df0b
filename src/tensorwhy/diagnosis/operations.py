"""Names an operation the way the user wrote it: `>` instead of the kernel's Greater, `tf.argmax` instead of ArgMax."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at, sign

_LONGEST = 50
_RUNNING = (
    *("fit", "fit_generator", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"),
    *("assert_gradients_flow", "assert_all_trained", "summary"),
)
"""What runs a whole model: the user wrote no operation there."""


def as_written(op: str, location: Location | None, sources: Sources) -> str:
    """Return what stands at the location for the operation `op`, in backticks, with the kernel where that differs.

    A call whose name is that of the kernel (`tf.argmax`, ArgMax) needs no kernel; a call of something else that ran the
    operation inside (`layer(x)`) and an operator do. Without columns, or inside a library, there is only the kernel.
    """
    node = node_at(location, sources) if location is not None and location.column is not None else None
    text = written(node) if node is not None else ""
    if not text:
        return f"`{op}`"
    if isinstance(node, ast.Call) and _plain(text.rpartition(".")[2]) == _plain(op):
        return f"`{text}`"
    return f"`{text}` ({op})"


_OPERATORS: dict[str, tuple[type, str]] = {
    "+": (ast.Add, "add"),
    "-": (ast.Sub, "subtract"),
    "*": (ast.Mult, "multiply"),
    "/": (ast.Div, "divide"),
    "**": (ast.Pow, "pow"),
}
"""By its sign, what stands for an operation: an operator, or the name of a function."""


class Operands(NamedTuple):
    """An operation of two operands as it is written."""

    node: ast.expr
    left: ast.expr
    right: ast.expr


def operands(op: str, sign: str, location: Location, sources: Sources) -> Operands | None:
    """Return the operation `op` (`sign`, if it has one) with both operands as they are written at the location; None
    where that is uncertain.

    Without columns, it must be the only one of its kind in the statement.
    """
    exact = node_at(location, sources) if location.column is not None and location.end_column is not None else None
    statement = sources.statement(location)
    nodes = [exact] if exact is not None else [] if statement is None else [*ast.walk(statement)]
    found = [operation for node in nodes if (operation := _operation(node, op, sign)) is not None]
    return found[0] if len(found) == 1 else None


def _operation(node: ast.AST, op: str, sign: str) -> Operands | None:
    operator, function = _OPERATORS.get(sign, (ast.operator, op))
    if isinstance(node, ast.BinOp) and type(node.op) is operator:
        return Operands(node, node.left, node.right)
    called = written(node).rpartition(".")[2] if isinstance(node, ast.Call) and len(node.args) >= 2 else ""
    if isinstance(node, ast.Call) and called and _plain(called) in (_plain(op), function):
        return Operands(node, node.args[0], node.args[1])
    return None


def written(node: ast.expr) -> str:
    """Return the function that an expression calls, the sign of its operator, or its index; empty for all others."""
    if isinstance(node, ast.BinOp | ast.UnaryOp) or (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return sign(node)
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        return name if len(name) <= _LONGEST and name.rpartition(".")[2] not in _RUNNING else ""
    if isinstance(node, ast.Subscript):
        text = ast.unparse(node)
        return text if len(text) <= _LONGEST else ""
    return ""


def _plain(name: str) -> str:
    """A name without the marks in which a function and its kernel differ: case, underscores, and the version."""
    letters = name.replace("_", "").lower()
    head, mark, version = letters.rpartition("v")
    return head if mark and version.isdigit() else letters
