"""Gradients that were never applied, though the program has the call: the condition that it stands under."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tensorwhy.model.location import Location
from tensorwhy.recording.sources import Sources

_APPLYING = ("apply_gradients", "apply", "minimize", "assign_sub")


def condition(sources: Sources, asked: Location | None) -> Location | None:
    """The innermost condition, in the function that asked, under which gradients are applied.

    Directly, or by a function of the same file. Meant for gradients that were seen not to be applied: then it never
    held. None where the function has a call that applies them without one.
    """
    tree = sources.tree(asked.file) if asked is not None else None
    if asked is None or tree is None:
        return None
    helpers = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any(_calls(node.body, _APPLYING))
    }  # fmt: skip
    own = sources.function(asked) or tree
    applying = list(_calls(own.body if isinstance(own.body, list) else [], (*_APPLYING, *helpers)))
    found = [test for call in applying for test in [_innermost(own, call)]]
    test = found[0] if found and None not in found else None
    return sources.place(asked.file, test) if test is not None else None


def _calls(body: Iterable[ast.stmt], names: Iterable[str]) -> Iterator[ast.Call]:
    wanted = set(names)
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _name(node.func) in wanted:
                yield node


def _innermost(scope: ast.AST, call: ast.Call) -> ast.expr | None:
    """The test of the nearest `if` that has the call in one of its branches; `walk` comes to outer ones first."""
    test = None
    for node in ast.walk(scope):
        if isinstance(node, ast.If) and any(
            call is each for part in node.body + node.orelse for each in ast.walk(part)
        ):
            test = node.test
    return test


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
