"""A non-persistent gradient tape that is asked twice: which `with` opened it, and who used it up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tensorwhy.adapters.protocol import LiveFailure, LiveFrame
from tensorwhy.model.facts.tape import ConsumedTape
from tensorwhy.model.location import Location
from tensorwhy.recording.sources import Sources

_ASKING = ("gradient", "jacobian", "batch_jacobian")


def probe(live: LiveFailure) -> Iterable[ConsumedTape]:
    """One fact, when the exception came out of a tape that had given itself up."""
    for exception, frames in zip(live.exceptions, live.frames, strict=True):
        if isinstance(exception, RuntimeError):
            asking = _refusing(frames)
            caller = next((frame for frame in reversed(frames) if frame.user), None)
            if asking and caller is not None:
                yield _fact(caller.location)
                return


def _refusing(frames: tuple[LiveFrame, ...]) -> bool:
    if not frames or frames[-1].user:
        return False
    for frame in reversed(frames):
        tape = frame.frame.f_locals.get("self")
        if frame.frame.f_code.co_name in _ASKING and type(tape).__name__ == "GradientTape":
            return getattr(tape, "_tape", 0) is None and not getattr(tape, "_persistent", True)
    return False


def _fact(location: Location) -> ConsumedTape:
    sources = Sources()
    tree = sources.tree(location.file)
    scope = sources.function(location) or tree
    calls = [node for node in ast.walk(scope) if isinstance(node, ast.Call)] if scope is not None else []
    name = ""
    for node in calls:
        if node.lineno <= location.line <= (node.end_lineno or node.lineno):
            name = _asked(node) or name
    earlier = [node for node in calls if name and _asked(node) == name and node.lineno < location.line]
    opened = [node for node in _withs(tree, name) if node.lineno <= location.line] if tree is not None and name else []
    inner = opened[-1] if opened else None
    outer = next((each for each in opened if inner is not None and each is not inner and _holds(each, inner)), None)
    return ConsumedTape(
        name=name,
        location=location,
        opened=_at(location.file, inner),
        first=_at(location.file, earlier[-1] if earlier else None),
        hidden=_at(location.file, outer),
    )


def _asked(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _ASKING:
        return ast.unparse(function.value)
    return ""


def _withs(tree: ast.AST, name: str) -> Iterator[ast.With]:
    """The `with` statements that bind a name, in the order of their lines."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        and any(item.optional_vars is not None and ast.unparse(item.optional_vars) == name for item in node.items)
    ]
    yield from sorted(found, key=lambda node: node.lineno)


def _holds(outer: ast.With, inner: ast.With) -> bool:
    return outer.lineno < inner.lineno and (inner.end_lineno or 0) <= (outer.end_lineno or 0)


def _at(file: str, node: ast.With | ast.Call | None) -> Location | None:
    if node is None:
        return None
    last = node.items[-1].optional_vars or node.items[-1].context_expr if isinstance(node, ast.With) else node
    return Location(
        file=file,
        line=node.lineno,
        column=node.col_offset,
        end_line=last.end_lineno,
        end_column=last.end_col_offset,
    )
