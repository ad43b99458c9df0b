"""Which function of the user's AutoGraph was the first not to rewrite, on the way to the line that failed, and why."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.graph import Unconverted
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_API = re.compile(r"/autograph/|/tensorflow/python/(eager|framework)/")
_CALLING = ("converted_call", "call_unconverted")
_TRACING = "func_graph_from_py_func"
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_MADE = ("__init__", "__new__", "__post_init__")


def first(live: LiveFailure, used: Location, text: str, sources: Sources) -> Unconverted | None:
    """The first frame that runs as it was written, below the one that began the trace or was rewritten last.

    Of a line that was rewritten, the comprehension in it that uses `text`.
    """
    for stack in live.whole():
        last = max((index for index, frame in enumerate(stack.frames) if _rewrites(frame)), default=None)
        if last is None:
            continue
        index = next((at for at in range(last + 1, len(stack.frames)) if stack.frames[at].user), None)
        if index is None:
            return _comprehension(used, text, sources) if stack.frames[last].converted else None
        frame = stack.frames[index]
        if frame.location is None:
            return None
        why, by = _why(stack, last, index)
        name = getattr(frame.frame.f_code, "co_qualname", frame.function).replace("<locals>.", "")
        return Unconverted(function=name, why=why, by=by, called=stack.frames[last].location)
    return None


def _rewrites(frame: Frame) -> bool:
    """Whether what this frame calls is rewritten: it was itself, or it begins a trace."""
    return frame.converted or frame.function == _TRACING


def _comprehension(used: Location, text: str, sources: Sources) -> Unconverted | None:
    """A comprehension is left as it was written in a function that is rewritten."""
    statement = sources.statement(used)
    for node in ast.walk(statement) if statement is not None else ():
        parts = (part for each in _asked(node) for part in ast.walk(each)) if isinstance(node, _COMPREHENSIONS) else ()
        if any(isinstance(part, ast.expr) and ast.unparse(part) == text for part in parts):
            return Unconverted(function=used.function, why="comprehension")
    return None


def _asked(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[ast.AST]:
    """The expressions of a comprehension whose value Python needs."""
    for each in ast.walk(node):
        if isinstance(each, ast.comprehension):
            yield from (each.iter, *each.ifs)
        elif isinstance(each, ast.IfExp):
            yield each.test


def _why(stack: Stack, last: int, index: int) -> tuple[str, str]:
    frame = stack.frames[index]
    if frame.function in _MADE:
        return "constructor", ""
    between = [each for each in stack.frames[last + 1 : index] if not _API.search(each.file)]
    if between:
        return "library", f"{between[0].module.partition('.')[0]}: {between[0].function}"
    if frame.function == "<lambda>":
        return "lambda", ""
    called = next((each for each in reversed(stack.frames[last + 1 : index]) if each.name in _CALLING), None)
    if called is None and not stack.frames[last].converted:
        return "off", ""
    return ("excluded" if called is not None and _is_excluded(called) else "unknown"), ""


def _is_excluded(called: Frame) -> bool:
    """Whether the function says itself that it is not to be rewritten."""
    function = inspect.unwrap(called.local("f")) if callable(called.local("f")) else None
    held = getattr(function, "autograph_info__", None) or getattr(called.local("f"), "autograph_info__", None)
    return held is not None or hasattr(function, "__ag_compiled")
