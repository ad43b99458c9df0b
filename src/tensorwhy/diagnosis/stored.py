"""Does the program itself store values in a variable? Such a one is state, or set by a schedule, and not forgotten.

An update by a gradient is none of these: that is training, written by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tensorwhy.source.files import Sources

_METHODS = ("assign", "assign_add", "assign_sub", "set_value")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def by_hand(sources: Sources, files: Iterable[str], name: str) -> bool:
    """True if a line of these files assigns to what goes by this name, there or in what it is handed to by name."""
    return any(_stores(sources.nodes(file), name.rpartition(".")[2]) for file in set(files))


def _stores(nodes: tuple[ast.AST, ...], name: str) -> bool:
    slopes = _slopes(nodes) if any(_stored(node) == name for node in nodes) else set()
    if any(_stored(node) == name and not _mentions(node, slopes) for node in nodes):
        return True
    defined = {node.name: node for node in nodes if isinstance(node, _Definition)}
    for call in nodes:
        definition = (
            defined.get(call.func.id) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None
        )
        if definition is not None and isinstance(call, ast.Call):
            inner = tuple(ast.walk(definition))
            handed = set(_handed(call, definition, name))
            kept = {_last(target) for node in inner for target, value in _bound(node) if _last(value) in handed}
            if any(_stored(node) in handed | kept for node in inner):
                return True
    return False


def _stored(node: ast.AST) -> str:
    """The last part of the name of what a call assigns to: `self.beta.assign(1.0)`, `K.set_value(beta, 1.0)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _METHODS:
        return ""
    if node.func.attr == "set_value":
        return _last(node.args[0]) if node.args else ""
    return _last(node.func.value)


def _slopes(nodes: tuple[ast.AST, ...]) -> set[str]:
    """The names of what was computed from what a tape gave."""
    bound = [pair for node in nodes for pair in _bound(node)]
    found: set[str] = set()
    count = -1
    while count < len(found):
        count = len(found)
        for target, value in bound:
            if _mentions(value, found):
                found |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


def _mentions(expression: ast.AST, slopes: set[str]) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id in slopes)
        or (isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "gradient")
        for each in ast.walk(expression)
    )


def _handed(call: ast.Call, definition: _Definition, name: str) -> Iterator[str]:
    """The parameters through which a call hands on what goes by this name."""
    inner = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    made = [each for each in inner if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if isinstance(definition, ast.ClassDef):
        made = [each for each in made if each.name == "__init__"]
    for function in made:
        parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        given = zip(parameters[isinstance(definition, ast.ClassDef) :], call.args, strict=False)
        yield from (parameter for parameter, value in given if _last(value) == name)
    yield from (each.arg for each in call.keywords if each.arg is not None and _last(each.value) == name)


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs of target and value of an assignment, those of tuples one by one, and of a loop."""
    if isinstance(node, (ast.For, ast.comprehension)):
        yield node.target, node.iter
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _last(node: ast.expr) -> str:
    """The last part of a name: `beta` of `self.beta`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
