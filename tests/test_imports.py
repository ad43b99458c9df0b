"""No module of the package imports itself by way of others, also not for its types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import tensorwhy

ROOT = Path(tensorwhy.__file__).parent


def modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = ("tensorwhy", *path.relative_to(ROOT).with_suffix("").parts)
        if not parts[-1].startswith(("broken_", "fixed_")):
            found[".".join(parts)] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports at its top or under `TYPE_CHECKING`; those inside of functions come later."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                own = f"{node.module}.{alias.name}"
                yield own if own in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    known = modules()
    graph = {name: {each for each in imported(path, known) if each in known} - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None
