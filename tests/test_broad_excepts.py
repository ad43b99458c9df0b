"""A broad `except` is a bulkhead, and is seen to be one."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "tensorwhy"


def broad(path: Path) -> list[tuple[ast.ExceptHandler, str]]:
    """Each handler of `Exception` or `BaseException`, or of everything, with its first line as it is written."""
    text = path.read_text(encoding="utf-8")
    handlers = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ExceptHandler)]
    return [
        (node, text.splitlines()[node.lineno - 1])
        for node in handlers
        if node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
    ]


def hands_on(handler: ast.ExceptHandler) -> bool:
    """Whether the error is raised again, or given to something that records it."""
    if any(isinstance(node, ast.Raise) for node in ast.walk(handler)):
        return True
    names = [node.id for part in handler.body for node in ast.walk(part) if isinstance(node, ast.Name)]
    return handler.name is not None and handler.name in names


def test_every_broad_except_hands_the_error_on_or_says_why_not() -> None:
    silent = [
        f"{path.relative_to(SOURCES)}:{handler.lineno}"
        for path in sorted(SOURCES.rglob("*.py"))
        for handler, line in broad(path)
        if not hands_on(handler) and "  # " not in line
    ]
    assert silent == []
