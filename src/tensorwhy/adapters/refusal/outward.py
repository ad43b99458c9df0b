"""What a refused value was computed from, frame by frame, from where a library raised out to the user's line.

A library converts what it is given: a copy, a shape or a dtype of it is refused further in. The call that each frame
was making tells which of its variables became the parameters that the refusal depends on.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from tensorwhy.adapters.refusal import anatomy, relation, values
from tensorwhy.adapters.refusal.anatomy import Anatomy, Read
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.recording.frames import locals_of
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_VARIADIC = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def reads(read: Anatomy, stack: Stack, sources: Sources) -> Iterator[list[Read]]:
    """What each library frame gave the next one, innermost first: only what the refusal depends on."""
    last = stack.innermost_user()
    inner = stack.frames[read.frame]
    names = {each.text.partition(".")[0] for each in read.reads if each.frame == read.frame}
    for index in range(read.frame - 1, -1 if last is None else last, -1):
        frame = stack.frames[index]
        given = _given(frame, inner, names, sources)
        if given is None:
            return
        known = locals_of(frame.frame)
        found: list[Read] = []
        names = set()
        for node in (name for each in given for name in relation.names(each)):
            root = ast.unparse(node).partition(".")[0]
            thing = values.value(node, frame.frame)
            if root in known and root not in ("self", "cls"):
                names.add(root)
                origins = anatomy.computed_from(root, frame, sources)
                names |= {ast.unparse(each).partition(".")[0] for each in origins}.intersection(known)
            if thing is not MISSING and not anatomy.is_machinery(thing) and root in known:
                found.append(Read(text=ast.unparse(node), thing=thing, frame=index, direct=True))
        yield found
        if not names:
            return
        inner = frame


def _given(frame: Frame, inner: Frame, names: set[str], sources: Sources) -> list[ast.expr] | None:
    """The arguments of the call that a frame is making which became one of these variables of the next frame."""
    statement = anatomy.innermost(frame, sources)
    called = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
    at = frame.at
    exact = [
        each
        for each in called
        if (each.lineno, each.col_offset, each.end_col_offset) == (at.line, at.column, at.end_column)
    ]
    fitting = exact or [each for each in called if reading.callee(each) == inner.function] or called
    if len(fitting) != 1:
        return None
    call, code = fitting[0], inner.frame.f_code
    parameters = code.co_varnames[: code.co_argcount]
    handed_on = code.co_flags & _VARIADIC or any(isinstance(each, ast.Starred) for each in call.args)
    if handed_on or any(each.arg is None for each in call.keywords):
        every = [*call.args, *(each.value for each in call.keywords)]
        return [each.value if isinstance(each, ast.Starred) else each for each in every]
    shift = 1 if parameters[:1] in (("self",), ("cls",)) and isinstance(call.func, ast.Attribute) else 0
    placed = [each for name, each in zip(parameters[shift:], call.args, strict=False) if name in names]
    return placed + [each.value for each in call.keywords if each.arg in names]
