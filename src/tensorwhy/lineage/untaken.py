"""Branches that were not taken, and that use a source: the program had a way for its value, and did not go it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tensorwhy.model.location import Location
from tensorwhy.recording.sources import Sources


def untaken_branch(sources: Sources, executed: Iterable[Location], names: set[str]) -> Location | None:
    """The `if` of a branch in which nothing was executed and one of `names` is read.

    `executed` are the lines at which operations ran, in every frame of their call stacks: only functions in which
    something ran are looked at. `names` are plain names or last attributes (`auxiliary` for `self.auxiliary`).
    """
    lines: dict[str, set[int]] = {}
    for location in executed:
        lines.setdefault(location.file, set()).add(location.line)
    for file, ran in lines.items():
        tree = sources.tree(file)
        for node in _conditionals(tree, ran) if tree is not None else ():
            for branch, other in ((node.body, node.orelse), (node.orelse, node.body)):
                if branch and not _ran(branch, ran) and _read_names(branch) & names and not _read_names(other) & names:
                    return Location(
                        file=file,
                        line=node.lineno,
                        column=node.col_offset,
                        end_line=node.test.end_lineno,
                        end_column=node.test.end_col_offset,
                    )
    return None


def _conditionals(tree: ast.Module, ran: set[int]) -> Iterator[ast.If]:
    """The `if` statements of functions in which an operation ran, and of the module where one ran."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.For, ast.While, ast.With)) and any(
            node.lineno <= line <= (node.end_lineno or node.lineno) for line in ran
        ):
            for inner in ast.walk(node):
                if isinstance(inner, ast.If):
                    yield inner


def _ran(branch: list[ast.stmt], ran: set[int]) -> bool:
    return any(branch[0].lineno <= line <= (branch[-1].end_lineno or branch[-1].lineno) for line in ran)


def _read_names(branch: list[ast.stmt]) -> set[str]:
    return {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for statement in branch
        for node in ast.walk(statement)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    }


def names_at(sources: Sources, location: Location | None) -> set[str]:
    """What a thing is called where it is made: the names that the statement binds, or calls a method of."""
    statement = sources.statement(location) if location is not None else None
    if statement is None:
        return set()
    names = set()
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        targets = [function.value] if isinstance(function, ast.Attribute) else [function]
    for target in targets:
        for node in [*target.elts] if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.Name):
                names.add(node.id)
    return names
