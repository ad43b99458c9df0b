"""Whether what failed in a loop's body was to become the next value of a variable, or only used the variable.

`total = total + x` makes a float of a whole number that the loop began with. `x = x * i` leaves the counter as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.model.location import Location
from tensorwhy.source import reading


def of_loop(loop: ast.For | ast.AsyncFor | ast.While | None, failed: Location | None, name: str) -> bool:
    """Of a `for` or `while`; true where its text does not tell."""
    if loop is None or failed is None:
        return True
    body = ast.Module(body=list(loop.body), type_ignores=[])
    statement = _statement(body, failed)
    if statement is None:  # the condition only compares
        return not loop.lineno <= failed.line < loop.body[0].lineno
    if _apart(statement, name):
        return False
    return name in _following(body, statement)


def _statement(tree: ast.AST | None, failed: Location) -> ast.stmt | None:
    """The smallest statement of a body, besides its loops and branches, that holds a line."""
    found = [
        each
        for each in _statements(tree)
        if not isinstance(each, (ast.For, ast.While, ast.If, ast.With, ast.Try)) and reading.on_line(each, failed.line)
    ]
    return found[-1] if found else None


def _statements(tree: ast.AST | None) -> Iterator[ast.stmt]:
    inner = (each for each in ast.walk(tree) if isinstance(each, ast.stmt) and each is not tree) if tree else ()
    yield from sorted(inner, key=lambda each: (each.lineno, each.col_offset))


def _following(tree: ast.AST | None, statement: ast.stmt) -> set[str]:
    """What a statement gives its value to, by way of further statements, too."""
    bound = set(reading.targets(statement))
    for _ in range(2):  # what stands before it takes the value in the next round
        for each in _statements(tree):
            value = getattr(each, "value", None)
            if isinstance(value, ast.expr) and _names(value) & bound:
                bound |= set(reading.targets(each))
    return bound


def _apart(statement: ast.stmt, name: str) -> bool:
    """`i, x = i + 1, x * i`: only another part of the statement computes with the variable and something beside."""
    value = reading.assigned_value(statement, name)
    whole = getattr(statement, "value", None)
    if value is None or value is whole or not isinstance(whole, ast.Tuple):
        return False
    return any(name in _names(each) for each in whole.elts if each is not value)


def _names(node: ast.expr) -> set[str]:
    return {ast.unparse(each) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute))}
