"""What `torch.jit.trace` freezes: numbers of Python that a traced function takes from its tensors, and its branches."""

from __future__ import annotations

import ast
import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import msgspec
import torch

from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.warned import WARNED
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.source.files import Sources

_WORDS = "what `torch.jit.trace` runs"
_MOST = 64
_NUMBERS = ("__index__", "__int__", "__len__", "__bool__", "item")
"""What makes a number of Python of a tensor, as the sizes are while something is traced; or decides a branch."""
_CALLED = "traced module"
_Shapes = tuple[tuple[int, ...], ...]


class Other(NamedTuple):
    """A call of a traced module with other shapes: where, the first shape that differs, and the sizes that do."""

    place: int
    then: tuple[int, ...]
    now: tuple[int, ...]
    sizes: frozenset[int]


class Traced:
    """One trace: where it was made, with which shapes, and the numbers that it took from tensors, by place."""

    def __init__(self, place: int, shapes: _Shapes) -> None:
        self.place = place
        self.shapes = shapes
        self.frozen: dict[int, int] = {}
        self.decided: dict[int, set[bool]] = {}
        """What the branches of the program were decided by, by place."""
        self.other: Other | None = None
        self.problem = ""
        """The exception that a call with other shapes ended in."""

    def call(self, shapes: _Shapes, frame: FrameType, recorder: Recorder) -> Other | None:
        """The traced module is called: note the first call with other shapes."""
        if shapes == self.shapes or len(shapes) != len(self.shapes):
            return None
        then, now = next((one, other) for one, other in zip(self.shapes, shapes) if one != other)
        sizes = {size for one, other in zip(self.shapes, shapes) for size in _changed(one, other)}
        found = Other(recorder.place(frame), then, now, frozenset(sizes))
        self.other = self.other or found
        return found


class Traces:
    """All traces of a program, by the id of the module that each gave."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._made: dict[int, tuple[Traced, Callable[[], Any]]] = {}
        self._now: Traced | None = None

    def install(self) -> None:
        """Replace what traces, and the call of what that gives."""
        patches = self._recorder.patches
        for name in ("trace", "trace_module", "_get_trace_graph"):
            patches.replace(torch.jit, name, self._wrap_trace)
        patches.override(torch.jit.TopLevelTracedModule, "__call__", self._wrap_call)

    def _wrap_trace(self, original: Any) -> Any:
        recorder = self._recorder

        @functools.wraps(original)
        def trace(*args: Any, **kwargs: Any) -> Any:
            if not recorder.active or not recorder.mine():
                return original(*args, **kwargs)
            recorder.unseen[_WORDS] = None
            given = args[1] if len(args) > 1 else kwargs.get("example_inputs")
            traced = self._now = Traced(recorder.place(sys._getframe(1)), _shapes(given))
            on = recorder.hide()
            recorder.active = False  # whatever a hook did with a tensor would be in the trace, under the hook's names
            undo = [self._watch(name) for name in _NUMBERS]
            try:
                result = original(*args, **kwargs)
            finally:
                for each in undo:
                    each()
                self._now = None
                recorder.active = True
                recorder.show(on)
            if (traced.frozen or traced.decided) and isinstance(result, torch.nn.Module) and len(self._made) < _MOST:
                self._made[id(result)] = traced, weakref.ref(result)
            return result

        return trace

    def _watch(self, name: str) -> Callable[[], None]:
        """Note the numbers that the program itself makes of tensors, until what this returns is called."""
        original, own = getattr(torch.Tensor, name), name in vars(torch.Tensor)
        places = self._recorder.places

        def number(tensor: Any) -> Any:
            begun = WARNED.begin()
            try:
                found = original(tensor)
            finally:
                WARNED.end(begun)
            frame = sys._getframe(1)
            if self._now is not None and type(found) is int and places.files[frame.f_code.co_filename]:
                self._now.frozen.setdefault(places.place(frame), found)
            elif self._now is not None and type(found) is bool and places.files[frame.f_code.co_filename]:
                self._now.decided.setdefault(places.place(frame), set()).add(found)
            return found

        WARNED.hidden.add(number.__code__)
        setattr(torch.Tensor, name, number)

        def undo() -> None:
            if own:
                setattr(torch.Tensor, name, original)
            else:
                delattr(torch.Tensor, name)

        return undo

    def _wrap_call(self, original: Any) -> Any:
        @functools.wraps(original)
        def __call__(module: Any, *args: Any, **kwargs: Any) -> Any:
            traced, reference = self._made.get(id(module), (None, None))
            if traced is None or reference is None or reference() is not module or not self._recorder.active:
                return original(module, *args, **kwargs)
            other = traced.call(_shapes(args), sys._getframe(1), self._recorder)
            try:
                return original(module, *args, **kwargs)
            except (RuntimeError, torch.jit.Error) as error:
                if other is not None:
                    traced.other, traced.problem = other, str(error).strip().splitlines()[-1]
                raise

        return __call__

    def groups(self, sources: Sources) -> Iterator[CaseGroup]:
        """One group for each trace that was called with other sizes than those that it froze."""
        at = self._recorder.journal.location
        for traced, _ in self._made.values():
            for place, results in traced.decided.items():
                where, taken = at(place), " and ".join(map(str, sorted(results)))
                if where is not None and not _is_checked(where, sources):
                    fact = say("traced-branch", where, {"trace": at(traced.place)}, taken=taken)
                    yield CaseGroup(symptom=Symptom(kind="silent", location=where), facts=(fact,))
            other = traced.other
            if other is None:
                continue
            found = [
                (line, value)
                for place, value in traced.frozen.items()
                if value in other.sizes and (line := at(place)) is not None and not _is_checked(line, sources)
            ]
            for where, value in found[:1]:
                loop = isinstance(sources.statement(where), ast.For)
                fact = say(
                    "traced-loop" if loop else "traced-number",
                    where,
                    {"trace": at(traced.place), "call": at(other.place)},
                    value=value,
                    then=other.then,
                    now=other.now,
                    end="fails" if traced.problem else f"still computes with {value}",
                )
                if traced.problem:
                    fact = msgspec.structs.replace(fact, severity="error")
                kind, message = ("exception", traced.problem) if traced.problem else ("silent", "")
                symptom = Symptom(kind=kind, message=message, location=at(other.place))  # type: ignore[arg-type]
                yield CaseGroup(symptom=symptom, facts=(fact,), asked=bool(traced.problem))


def _shapes(given: Any) -> _Shapes:
    values = given if isinstance(given, (list, tuple, dict, torch.Tensor)) else ()
    return tuple(tuple(each.shape) for each in tensors(values))


def _changed(one: tuple[int, ...], other: tuple[int, ...]) -> set[int]:
    """The sizes of a shape that another one has not."""
    return {*one} if len(one) != len(other) else {size for size, now in zip(one, other) if size != now}


def _is_checked(where: Location, sources: Sources) -> bool:
    """Whether a line only compares sizes, to refuse some."""
    statement = sources.statement(where)
    return isinstance(statement, ast.Assert) or (
        isinstance(statement, ast.If) and any(isinstance(each, ast.Raise) for each in statement.body)
    )
