"""Finds the statement that gave a name another value, in the text of the user's files: only where there is just one."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

from tensorwhy.adapters.tensorflow.tracing.python_values import Function
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_MAKERS = ("__init__", "__post_init__", "build")


def later(text: str, file: str, reader: Function, sources: Sources, user: Mapping[str, bool]) -> Location | None:
    """The only statement that stores to an attribute or a name after it was first set."""
    name, attribute = text.rpartition(".")[2], "." in text
    if not name.isidentifier() or not text.replace(".", "").isidentifier():
        return None
    files = [file, *(_files(user) if attribute else ())]
    found = [(each, *store) for each in dict.fromkeys(files) for store in _stores(sources.tree(each), name, attribute)]
    if not attribute:
        found = found[1:]
    own = range(reader.lineno, (reader.end_lineno or reader.lineno) + 1)
    others = [
        (each, node)
        for each, node, function in found
        if function not in _MAKERS and not (each == file and node.lineno in own)
    ]
    return sources.place(*others[0]) if len(others) == 1 else None


def initial(text: str, file: str, sources: Sources) -> Location | None:
    """The only statement that gives an attribute or a global its first value."""
    name, attribute = text.rpartition(".")[2], "." in text
    made = [
        node
        for node, function in _stores(sources.tree(file), name, attribute)
        if function in (_MAKERS if attribute else ("<module>",))
    ]
    return sources.place(file, made[0]) if len(made) == 1 else None


def _files(user: Mapping[str, bool]) -> Iterator[str]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(file, str) and user[file]:
            yield file


def _stores(
    node: ast.AST | None, name: str, attribute: bool, function: str = "<module>"
) -> Iterator[tuple[ast.stmt, str]]:
    """The statements that store to an attribute or a plain name, each with the function that it stands in."""
    for child in ast.iter_child_nodes(node) if node is not None else ():
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _stores(child, name, attribute, child.name)
            continue
        if isinstance(child, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            parts = [each for target in targets for each in getattr(target, "elts", [target])]
            if any(_is(each, name, attribute) for each in parts):
                yield child, function
        yield from _stores(child, name, attribute, function)


def _is(target: ast.expr, name: str, attribute: bool) -> bool:
    if attribute:
        return isinstance(target, ast.Attribute) and target.attr == name
    return isinstance(target, ast.Name) and target.id == name
