"""Two models that share layers are called one after the other: what the first gives has no part in the second's result.

One model with both outputs, called once, gives values that belong together.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from tensorwhy.fixes import calls
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.files import Sources


def together(made: Location | None, sources: Sources) -> tuple[str, tuple[Edit, ...]] | None:
    """The words and edits for a value that one model gave, where another is called on the same input behind it."""
    first = _named(sources.statement(made)) if made is not None else None
    tree = sources.tree(made.file) if made is not None else None
    if made is None or first is None or tree is None:
        return None
    block = next((body for body in _blocks(tree) if first.statement in body), [first.statement])
    for second in map(_named, block[block.index(first.statement) + 1 :]):
        if second is None or first.model == second.model or not _same_arguments(first.call, second.call):
            continue
        model = _model_of(first.model, second.model, tree)
        if model:
            both = f"{model}({second.model}.inputs, [{first.model}.output, {second.model}.output])"
            return _edited(made.file, first, second, both, sources)
    return None


def _edited(file: str, first: _Named, second: _Named, model: str, sources: Sources) -> tuple[str, tuple[Edit, ...]]:
    given = ", ".join(map(ast.unparse, [*first.call.args, *first.call.keywords]))
    text = f"{first.name}, {second.name} = {model}({given})"
    one, other = first.statement, second.statement
    start = calls.position(file, one.lineno, one.col_offset, sources)
    end = calls.position(file, one.end_lineno or 0, one.end_col_offset or 0, sources)
    gone = Position(line=other.lineno, column=0), Position(line=(other.end_lineno or other.lineno) + 1, column=0)
    edits = (
        Edit(file=file, start=start, end=end, replacement=text),
        Edit(file=file, start=gone[0], end=gone[1], replacement=""),
    )
    return f"call one model that returns both, once: `{text}`", edits


def _blocks(tree: ast.Module) -> list[list[ast.stmt]]:
    bodies = (getattr(node, name, None) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody"))
    return [body for body in bodies if isinstance(body, list)]


class _Named(NamedTuple):
    """`name = model(...)`."""

    statement: ast.Assign
    name: str
    model: str
    call: ast.Call


def _named(statement: ast.stmt | None) -> _Named | None:
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    target, call = statement.targets[0], statement.value
    if len(statement.targets) > 1 or not isinstance(target, ast.Name) or not isinstance(call.func, ast.Name):
        return None
    return _Named(statement, target.id, call.func.id, call)


def _same_arguments(first: ast.Call, second: ast.Call) -> bool:
    return [ast.dump(each) for each in (*first.args, *first.keywords)] == [
        ast.dump(each) for each in (*second.args, *second.keywords)
    ] and bool(first.args)


def _model_of(part: str, whole: str, tree: ast.Module | None) -> str:
    """How the file makes the model `part`, where that begins at the inputs of `whole`; else empty."""
    made = {
        node.targets[0].id: node.value
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }
    call = made.get(part)
    if call is None or not ast.unparse(call.func).endswith("Model") or not (call.args or call.keywords):
        return ""
    begins, other = _inputs(call), made.get(whole)
    same = begins.startswith(f"{whole}.input") or (other is not None and begins == _inputs(other))
    return ast.unparse(call.func) if same else ""


def _inputs(call: ast.Call) -> str:
    given = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "inputs")]
    return ast.unparse(given[0]) if given else ""
