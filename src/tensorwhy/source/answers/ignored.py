"""Which elements of an answer a program throws away, or never reads."""

from __future__ import annotations

import ast

from tensorwhy.source.answers.calls import written_sources
from tensorwhy.source.answers.carriers import Scope, scope_of
from tensorwhy.source.files import walked


def ignored(call: ast.Call, tree: ast.Module, positions: frozenset[int], asked: int) -> bool:
    """Whether nothing reads the elements at these positions of what a call gives: `slope, _ = tape.gradient(...)`.

    `asked` is how many elements there are.
    """
    for node in walked(tree):
        if isinstance(node, ast.Subscript) and node.value is call:
            return _passes_over(node.slice, call, positions, asked)
        if isinstance(node, ast.Assign) and node.value is call and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Tuple):
                return _unpacked_away(target, positions, asked)
            if isinstance(target, ast.Name):
                return target.id == "_" or _read_elsewhere(target.id, scope_of(call, tree), call, positions, asked)
    return False


def _unpacked_away(target: ast.Tuple, positions: frozenset[int], asked: int) -> bool:
    """Whether each of these elements is bound to a name that begins with an underscore."""
    names: list[ast.expr] = []
    for each in target.elts:
        several = isinstance(each, ast.Starred)
        names += [each.value] * (asked - len(target.elts) + 1) if isinstance(each, ast.Starred) else [each]
        if several and asked < len(target.elts) - 1:
            return False
    given = [names[at] if at < len(names) else None for at in positions]
    return all(isinstance(each, ast.Name) and each.id.startswith("_") for each in given)


def _read_elsewhere(name: str, scope: Scope, call: ast.Call, positions: frozenset[int], asked: int) -> bool:
    """Whether a name is read for other elements alone, by indices that are written out."""
    held = {id(node.value): node for node in walked(scope) if isinstance(node, ast.Subscript)}
    reads = [
        node
        for node in walked(scope)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    return bool(reads) and all(
        id(node) in held and _passes_over(held[id(node)].slice, call, positions, asked) for node in reads
    )


def _passes_over(index: ast.expr, call: ast.Call, positions: frozenset[int], asked: int) -> bool:
    """Whether an index that is written out takes none of these elements."""
    try:
        value = ast.literal_eval(index)
    except (ValueError, TypeError, SyntaxError):
        return False
    given = written_sources(call)
    if isinstance(given, ast.Dict):  # its values are taken in the order of the keys
        keys = sorted(each.value for each in given.keys if isinstance(each, ast.Constant) and type(each.value) is str)
        return len(keys) == asked and value in keys and keys.index(value) not in positions
    if not isinstance(value, int) or isinstance(value, bool) or not -asked <= value < asked or asked < 2:
        return False
    return value % asked not in positions
