"""A custom gradient that TensorFlow refuses: its backward function takes or returns something else than it must."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import RefusedBackward
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_FILE = "ops/custom_gradient.py"
_WRAPPING = ("_eager_mode_decorator", "_graph_mode_decorator")
_ASKING = ("actual_grad_fn", "internal_grad_fn", "tape_grad_fn")


class Placed(NamedTuple):
    """A backward function: its name (empty for a lambda), where it begins, and where it returns."""

    name: str
    declared: Location
    returned: Location


def refused(live: LiveFailure) -> Iterator[RefusedBackward]:
    """One fact, when TensorFlow's own check of a backward function failed, or what it returned could not be taken."""
    for exception, frames in zip(reversed(live.exceptions), reversed(live.frames), strict=True):
        if isinstance(exception, (TypeError, ValueError)):
            at = next((i for i in range(len(frames) - 1, -1, -1) if _is_check(frames[i])), None)
            if at is None or any(each.location is not None for each in frames[at + 1 :]):
                continue  # an error in the backward function is its own
            found = _read(frames[at], last=at == len(frames) - 1)
            backward = _backward(frames[at])
            known = _placed(backward.__code__, live.user) if found is not None and backward is not None else None
            if found is not None and known is not None:
                callers = [each for each in reversed(frames[:at]) if each.user]
                found |= _by_position(known.declared, found.get("wanted", 0), found.get("got", 0))
                yield RefusedBackward(**found, **known._asdict(), called=callers[0].location if callers else None)
                return


def groups(session: Any) -> Iterator[CaseGroup]:
    """The function that a tape asked, and whose answer it refused: in a graph nothing but the tape counts. Before it
    those that no tape asks."""
    for place, (code, function, keywords) in session.tapes.by_hand.ignored.items():
        known, passed = _placed(code, session.user), session.journal.location(place)
        if known is not None:
            fact = RefusedBackward(
                problem="ignored", **known._asdict(), function=function, passed=passed, keywords=keywords
            )
            yield CaseGroup(symptom=Symptom(kind="silent", location=passed), facts=(fact,))
    found = session.tapes.by_hand.miscounted
    if found is None:
        return
    known, called = _placed(found.code, session.user), session.journal.location(found.place)
    if known is not None:
        fact = RefusedBackward(problem="count", **known._asdict(), wanted=found.wanted, got=found.got, called=called)
        symptom = Symptom(kind="exception", message="the tape refused its arguments", location=called)
        yield CaseGroup(symptom=symptom, facts=(fact,))


def _is_check(frame: Frame) -> bool:
    code = frame.frame.f_code
    return code.co_filename.replace("\\", "/").endswith(_FILE) and code.co_name in (*_WRAPPING, *_ASKING)


def _read(frame: Frame, last: bool) -> dict[str, Any] | None:
    """What did not fit, from the variables of TensorFlow's function."""
    local = frame.frame.f_locals
    names = tuple(str(getattr(each, "name", "")).removesuffix(":0") for each in local.get("variables") or ())
    if frame.frame.f_code.co_name in _WRAPPING:
        backward = _backward(frame)
        wanting = last and bool(names) and backward is not None and not _takes_variables(backward)
        known = {"problem": "variables", "variables": names, "wrapper": _wrapper(local)}
        return known if wanting else None
    if names and "variable_grads" not in local:
        return {"problem": "pair", "variables": names}
    if not last:
        return None
    given = local.get("variable_grads")
    if names and isinstance(given, (list, tuple)) and len(given) != len(names):
        return {"problem": "of-variables", "variables": names, "wanted": len(names), "got": len(given)}
    wanted, got = local.get("arg_count"), local.get("flat_grads")
    if isinstance(wanted, int) and isinstance(got, list) and wanted != len(got):
        return {"problem": "count", "wanted": wanted, "got": len(got)}
    return None


def _wrapper(local: dict[str, Any]) -> str:
    """The class of an argument that only stands for a variable, as mixed precision makes them."""
    read = {id(each) for each in local.get("variables") or ()}
    given = [*(local.get("args") or ()), *(local.get("kwargs") or {}).values()]
    return next((type(each).__name__ for each in given if id(getattr(each, "_variable", None)) in read), "")


def _backward(frame: Frame) -> FunctionType | None:
    found = inspect.unwrap(frame.frame.f_locals.get("grad_fn", None) or (lambda: None))
    return found if isinstance(found, FunctionType) else None


def _takes_variables(backward: FunctionType) -> bool:
    taken = inspect.signature(backward).parameters.values()
    return any(each.name == "variables" or each.kind is each.VAR_KEYWORD for each in taken)


def _placed(code: CodeType, user: UserCode) -> Placed | None:
    """Where a function of the user's stands; None for any other."""
    sources = Sources()
    begin: Location | None = Location(file=code.co_filename, line=code.co_firstlineno)
    if autograph.is_generated(code.co_filename):
        # Its first line is a decorator of AutoGraph's own.
        lines = sorted({line for _, _, line in code.co_lines() if line is not None})
        begin = next(filter(None, (autograph.original(code.co_filename, line) for line in lines)), None)
    function = sources.function(begin) if begin is not None and user.owns(begin.file) else None
    if begin is None or function is None:
        return None
    declared = sources.place(begin.file, function)
    if isinstance(function, ast.Lambda):
        return Placed("", declared, sources.place(begin.file, function.body))
    inner = {id(each) for node in function.body for f in ast.walk(node) if _is_function(f) for each in ast.walk(f)}
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return) and id(each) not in inner]
    last = max(returns, key=lambda each: each.lineno) if returns else function.body[-1]
    return Placed(function.name, declared, sources.place(begin.file, last))


def _by_position(backward: Location, wanted: int, got: int) -> dict[str, Any]:
    """The function around a backward function that returns a gradient for each of its arguments, and how it is called.

    TensorFlow counts the arguments that are passed by position. Without a call that passes so many, nothing is known.
    """
    sources = Sources()
    around = [
        each
        for each in sources.nodes(backward.file)
        if isinstance(each, ast.FunctionDef) and each.lineno < backward.line <= (each.end_lineno or 0)
    ]
    forward = max(around, key=lambda each: each.lineno, default=None)
    parameters = [each.arg for each in (*forward.args.posonlyargs, *forward.args.args)] if forward is not None else []
    if forward is None or not len(parameters) == got > wanted:
        return {}
    calls = [
        each
        for each in sources.nodes(backward.file)
        if isinstance(each, ast.Call) and reading.callee(each) == forward.name and len(each.args) == wanted
    ]
    passed = {each.arg for call in calls[:1] for each in call.keywords}
    at = sources.place(backward.file, calls[0]) if calls else None
    by_keyword = tuple(each for each in parameters[wanted:] if each in passed)
    return {"function": forward.name, "passed": at, "keywords": by_keyword} if by_keyword else {}


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.Lambda))
