"""A variable that a traced function created when it was called again."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
from typing import Literal

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserStack
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.adapters.tensorflow.tracing import frozen
from tensorwhy.diagnosis import tracing
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import LateVariable
from tensorwhy.model.location import Location
from tensorwhy.model.tracing import Trace
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    for place in live.roots():
        if not isinstance(place.exception, ValueError) or not place.inner:
            continue
        last = place.inner[-1]
        if last.frame.f_code.co_name == "invalid_creator_scope" and _is_tensorflow(last):
            made, optimizer = _owner(place) or _made(place)
            traced = _traced(live)
            state = _state(place) if made is None else ""
            created = place.own.location
            first, given = _earlier_path(last.frame, created) if made is None and not state else (None, "")
            yield LateVariable(
                created=created,
                function=traced,
                layer=made,
                optimizer=optimizer,
                state=state,
                first=first,
                given=given,
            )
            return
        late = _after_the_trace(last)
        if late is not None:
            yield late
            return
        if _inner_initial_value(last):
            yield LateVariable(created=place.own.location, function=_traced(live), nested=True)
            return


def _after_the_trace(frame: Frame) -> LateVariable | None:
    """A first trace created no variable, and a later one that was finished did: the function refuses it afterwards."""
    if not _is_tensorflow(frame) or not getattr(frame.frame.f_locals.get("self"), "_created_variables", None):
        return None
    for traces in _traces(frame.frame):
        if len(traces) > 1 and traces[-1].variables and not any(each.variables for each in traces[:-1]):
            created = traces[-1].variables[0]
            return LateVariable(
                created=reading.exact(created, Sources()) or created,
                function=traces[-1].function,
                first=traces[0].called,
                given=_given(traces),
            )
    return None


def _earlier_path(frame: types.FrameType, created: Location) -> tuple[Location | None, str]:
    """The first call of a function whose trace did not create the variable, and what differs since."""
    for traces in _traces(frame):
        begun = [each for each in traces if not each.failed]
        if begun and all((place.file, place.line) != (created.file, created.line) for place in begun[0].variables):
            return begun[0].called, _given([begun[0], traces[-1]])
    return None, ""


def _given(traces: Sequence[Trace]) -> str:
    """The Python argument that differs between the first trace and the last one, with its first value."""
    cause = tracing.anew(traces[-1], traces[:1])
    before = cause.before
    return f"{before.name}={before.shown}" if before is not None and cause.why == "value" else ""


def _traces(frame: types.FrameType | None) -> Iterator[list[Trace]]:
    """The rows of the function that was called last, of each watch."""
    called = None
    while frame is not None and called is None:
        held = frame.f_locals.get("self")
        called = held if frame.f_code.co_name in ("__call__", "_call") and hasattr(held, "_created_variables") else None
        frame = frame.f_back
    for watch in frozen.CURRENT if called is not None else ():
        yield watch.traces_of(called)


def _is_tensorflow(frame: Frame) -> bool:
    return "/tensorflow/python/eager/" in frame.frame.f_code.co_filename.replace("\\", "/")


def _inner_initial_value(frame: Frame) -> bool:
    """The constructor of a variable that refused a symbolic initial value."""
    code = frame.frame.f_code
    if code.co_name not in ("__init__", "_init_from_args") or not _is_variable(frame):
        return False
    return symbolic.is_symbolic(frame.frame.f_locals.get("initial_value"))


def _is_variable(frame: Frame) -> bool:
    return any(base.__name__ == "BaseResourceVariable" for base in type(frame.frame.f_locals.get("self")).__mro__)


def _owner(place: UserStack) -> tuple[Location, bool] | None:
    """Where the layer or optimizer was made that asked for the variable, if the traced function makes it each time."""
    for frame in place.inner:
        owner = frame.frame.f_locals.get("self")
        kind = packages.kind_of(owner)
        if kind in ("optimizer", "layer") and frame.frame.f_code.co_name == "__init__":
            return place.own.location, kind == "optimizer"
        if kind in ("optimizer", "layer") and creations.made_inside(owner):
            made = reading.exact(creations.made(owner), Sources())
            return (made, kind == "optimizer") if made is not None else None
    return None


def _state(place: UserStack) -> Literal["", "late", "build"]:
    """Whether an optimizer asked for the variable, and can be asked to make its variables before."""
    for frame in place.inner:
        owner = frame.frame.f_locals.get("self")
        if packages.kind_of(owner) == "optimizer":
            return "build" if callable(getattr(type(owner), "build", None)) else "late"
    return ""


def _made(place: UserStack) -> tuple[Location | None, bool]:
    """Where the same function made what the line calls: a layer, or an optimizer of which it calls a method."""
    sources, local = Sources(), place.own.frame.f_locals
    function = sources.function(place.own.location)
    nodes = [node for failed in operands.nodes(place, sources) for node in ast.walk(failed)]
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    called = {each.id for each in functions if isinstance(each, ast.Name) and each.id in local}
    owners = {
        each.value.id for each in functions if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
    }
    optimizers = {name for name in owners if packages.kind_of(local.get(name)) == "optimizer"}
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            if names & (called | optimizers):
                return reading.place(node, place.own.location, sources), bool(names & optimizers)
    return None, False


def _traced(live: LiveFailure) -> str:
    """The outermost function of the user's that was being traced."""
    for frames in reversed(live.frames):
        below = False
        for frame in frames:
            name = frame.frame.f_code.co_name
            below = below or name in ("autograph_handler", "wrapped_fn", "error_handler")
            location = frame.location
            if below and location is not None:
                return location.function
    return ""
