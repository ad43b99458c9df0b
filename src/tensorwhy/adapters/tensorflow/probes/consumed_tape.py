"""A non-persistent gradient tape that is asked twice: which `with` opened it, and who used it up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserFrame
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_ASKING = ("gradient", "jacobian", "batch_jacobian")


def probe(live: LiveFailure) -> Iterable[ConsumedRecorder]:
    """One fact, when the exception came out of a tape that had given itself up."""
    for exception, frames in zip(live.exceptions, live.frames, strict=True):
        if isinstance(exception, RuntimeError):
            tape = _refusing(frames)
            callers = [each for each in reversed(frames) if isinstance(each, UserFrame)]
            if tape is not None and callers:
                yield _fact(tape, callers)
                return


def _refusing(frames: tuple[Frame, ...]) -> Any:
    """The tape whose own method raised, when it is one that answers once and has done so."""
    if not frames or frames[-1].user:
        return None
    for frame in reversed(frames):
        tape = frame.frame.f_locals.get("self")
        if frame.frame.f_code.co_name in _ASKING and type(tape).__name__ == "GradientTape":
            spent = getattr(tape, "_tape", 0) is None and not getattr(tape, "_persistent", True)
            return tape if spent else None
    return None


def _fact(tape: Any, callers: Sequence[UserFrame]) -> ConsumedRecorder:
    """What is known of a tape from the user's frames that led to the second question, innermost first."""
    sources = Sources()

    def opening(block: ast.With | None) -> Location | None:
        return sources.opening(found.file, block, found.name) if block is not None else None

    asked = callers[0].location
    found = _Scope(sources, asked, _asking_name(sources, asked))
    for caller in callers[1:]:
        if found.opened:
            break
        name = next((name for name, value in caller.frame.f_locals.items() if value is tape), "")
        outer = _Scope(sources, caller.location, name)
        found = outer if outer.opened else found
    inner, earlier = found.opened[-1] if found.opened else None, found.earlier()
    around = next(
        (each for each in found.opened if inner is not None and each is not inner and _holds(each, inner)), None
    )
    return ConsumedRecorder(
        name=found.name,
        location=asked,
        opened=opening(inner),
        first=sources.place(found.file, earlier) if earlier is not None else None,
        hidden=opening(around),
    )


class _Scope:
    """The function (or file) of one frame, in which a tape has a name. `opened`: the `with` statements before there."""

    def __init__(self, sources: Sources, location: Location, name: str) -> None:
        self.file, self.name, self._line = location.file, name, location.line
        tree = sources.tree(location.file)
        scope = sources.function(location) or tree
        self._calls = [node for node in ast.walk(scope) if isinstance(node, ast.Call)] if scope is not None else []
        withs = _withs(tree, name) if tree is not None and name else ()
        self.opened = [node for node in withs if node.lineno <= self._line]

    def earlier(self) -> ast.Call | None:
        """The last call before that asked the tape: itself, or by giving it to the same function."""
        now = [node for node in self._calls if _spans(node, self._line)]
        helpers = {ast.unparse(node.func) for node in now if self._given(node)}
        before = [
            node
            for node in self._calls
            if self.name
            and node.lineno < self._line
            and (_asked(node) == self.name or (self._given(node) and ast.unparse(node.func) in helpers))
        ]
        return before[-1] if before else None

    def _given(self, call: ast.Call) -> bool:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return any(ast.unparse(each) == self.name for each in given)


def _asking_name(sources: Sources, location: Location) -> str:
    scope = sources.function(location) or sources.tree(location.file)
    calls = [node for node in ast.walk(scope) if isinstance(node, ast.Call)] if scope is not None else []
    names = [_asked(node) for node in calls if _spans(node, location.line)]
    return next(filter(None, reversed(names)), "")


def _spans(call: ast.Call, line: int) -> bool:
    return reading.on_line(call, line)


def _asked(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _ASKING:
        return ast.unparse(function.value)
    return ""


def _withs(tree: ast.AST, name: str) -> Iterator[ast.With]:
    """The `with` statements that open what has a name, in the order of their lines."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        and any(ast.unparse(item.optional_vars or item.context_expr) == name for item in node.items)
    ]
    yield from sorted(found, key=lambda node: node.lineno)


def _holds(outer: ast.With, inner: ast.With) -> bool:
    return outer.lineno < inner.lineno and (inner.end_lineno or 0) <= (outer.end_lineno or 0)
