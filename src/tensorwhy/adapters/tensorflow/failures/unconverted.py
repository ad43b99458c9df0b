"""Which function of the user's AutoGraph was the first not to rewrite, on the way to the line that failed, and why."""

from __future__ import annotations

import inspect

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.graph import Unconverted

_API = "/autograph/"
_CALLING = ("converted_call", "call_unconverted")
_MADE = ("__init__", "__new__", "__post_init__")


def first(live: LiveFailure) -> Unconverted | None:
    """The first frame that runs as it was written below one that was rewritten; None where none was rewritten."""
    for stack in live.whole():
        last = max((index for index, frame in enumerate(stack.frames) if frame.converted), default=None)
        if last is None:
            continue
        index = next((at for at in range(last + 1, len(stack.frames)) if stack.frames[at].user), None)
        if index is None:
            return None
        frame, called = stack.frames[index], stack.frames[last].location
        if frame.location is None or called is None:
            return None
        why, by = _why(stack, last, index)
        name = getattr(frame.frame.f_code, "co_qualname", frame.function).replace("<locals>.", "")
        return Unconverted(function=name, why=why, by=by, called=called)
    return None


def _why(stack: Stack, last: int, index: int) -> tuple[str, str]:
    frame = stack.frames[index]
    if frame.function in _MADE:
        return "constructor", ""
    between = [each for each in stack.frames[last + 1 : index] if _API not in each.file]
    if between:
        return "library", f"{between[0].module.partition('.')[0]}: {between[0].function}"
    if frame.function == "<lambda>":
        return "lambda", ""
    called = next((each for each in reversed(stack.frames[last + 1 : index]) if each.name in _CALLING), None)
    return ("excluded" if called is not None and _is_excluded(called) else "unknown"), ""


def _is_excluded(called: Frame) -> bool:
    """Whether the function says itself that it is not to be rewritten."""
    function = inspect.unwrap(called.local("f")) if callable(called.local("f")) else None
    held = getattr(function, "autograph_info__", None) or getattr(called.local("f"), "autograph_info__", None)
    return held is not None or hasattr(function, "__ag_compiled")
