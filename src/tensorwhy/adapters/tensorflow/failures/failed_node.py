"""From an error of a running graph to the operation that failed, and to the user's line that made it.

The error names a node. The graph that holds it is found in the live frames: the function that was being called is
still there as an object, and it keeps the graphs of its loops, branches and inner functions by name.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.stack import Stack
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode

_FEW = 8
_NODE = re.compile(r"\{\{node ([^{}]+)\}\}")
_CALL = re.compile(r"(Stateful)?PartitionedCall(_\d+)?/")


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where an operation was made. `user` are the user's lines, outermost first; `library` names the functions of
    TensorFlow and Keras between the innermost of them and the operation."""

    user: tuple[Location, ...]
    library: tuple[tuple[str, str], ...]

    @property
    def location(self) -> Location | None:
        return self.user[-1] if self.user else None

    def through(self, function: str, file: str) -> bool:
        """Return whether a library function stands between the user's line and the operation."""
        return any(name.lstrip("_") == function and path.endswith(file) for path, name in self.library)


def origin(operation: Any, user: UserCode) -> Origin:
    """Reads an operation's traceback; empty where the graph was loaded and has none."""
    frames = getattr(operation, "traceback", None)
    mine: list[Location] = []
    library: list[tuple[str, str]] = []
    for frame in list(frames) if frames is not None else ():
        if user.owns(frame.filename):
            mine.append(Location(file=frame.filename, line=frame.lineno, function=frame.name))
            library.clear()
        elif "__autograph_generated_file" not in frame.filename:
            library.append((frame.filename.replace("\\", "/"), frame.name))
    return Origin(user=tuple(mine), library=tuple(library))


def methods(operation: Any, user: UserCode) -> Iterator[type]:
    """The library's classes whose methods made an operation, from the user's line inward."""
    found: list[type] = []
    for frame in getattr(operation, "traceback", None) or ():
        if user.owns(frame.filename):
            found.clear()
        elif (cls := class_of(frame)) is not None:
            found.append(cls)
    yield from dict.fromkeys(found)


def class_of(frame: Any) -> type | None:
    """The class whose method a frame of an operation's traceback is."""
    modules = (each for each in list(sys.modules.values()) if getattr(each, "__file__", "") == frame.filename)
    best: tuple[int, type] | None = None
    for module in list(modules)[:1]:
        for cls in list(vars(module).values()):
            method = vars(cls).get(frame.name) if isinstance(cls, type) and cls.__module__ == module.__name__ else None
            code = getattr(inspect.unwrap(method) if callable(method) else None, "__code__", None)
            if code is not None and code.co_firstlineno <= frame.lineno and (not best or best[0] < code.co_firstlineno):
                best = code.co_firstlineno, cls
    return best[1] if best is not None else None


def is_kernel_error(exception: BaseException) -> bool:
    """Whether an operation itself failed, below Python."""
    from tensorflow.python.framework import errors_impl

    return isinstance(exception, errors_impl.OpError)


def failed(exceptions: Iterable[BaseException], stack: Stack) -> tuple[Any, BaseException] | None:
    """The operation that an error of a running graph names, with that error; None when there is none."""
    from tensorflow.python.framework import errors_impl

    for exception in exceptions:
        if not isinstance(exception, errors_impl.OpError):
            continue
        if exception.op is not None:
            return exception.op, exception
        for name in named(exception):
            for graph in graphs(stack):
                operation = operation_named(graph, name)
                if operation is not None:
                    return operation, exception
        operation = differentiated(stack)
        if operation is not None:
            return operation, exception
    return None


def named(error: Any) -> list[str]:
    """The nodes that an error of a running graph names. TensorFlow's optimizers may have made some of them.

    A function that was put in the place of its call has the name of that call in front of its own nodes.
    """
    found: dict[str, None] = {}
    for name in _NODE.findall(error.message):
        found[name] = None
        while _CALL.match(name):
            name = name.partition("/")[2]
            found[name] = None
    return [*found]


def differentiated(stack: Stack) -> Any:
    """The operation whose registered gradient function was building a graph when it failed; None when there is none."""
    from tensorflow.python.framework import ops

    for step in reversed(stack.frames):
        operation = step.local("op") if not step.user else None
        if not isinstance(operation, ops.Operation):
            continue
        try:
            function = ops.get_gradient_function(operation)
        except (LookupError, ValueError):
            continue
        if getattr(function, "__code__", None) is step.frame.f_code:
            return operation
    return None


def operation_named(graph: Any, name: str) -> Any:
    """An operation of a graph by its name; None when there is none."""
    try:
        return graph.get_operation_by_name(name)
    except (KeyError, ValueError):
        return None


def graphs(stack: Stack) -> Iterator[Any]:
    """All graphs that the failing frames were executing, with those of their loops, branches and inner functions."""
    seen: set[int] = set()
    for graph in _called(stack):
        yield from nested(graph, seen)


def _called(stack: Stack) -> Iterator[Any]:
    """Graphs of the functions that the failing frames were calling, and of the datasets they were reading."""
    from tensorflow.python.framework import func_graph

    for step in reversed(stack.frames):
        if step.user:
            continue
        held = step.local("self")
        graph = getattr(held, "graph", None)
        if isinstance(graph, func_graph.FuncGraph):
            yield graph
        for thing in list(step.frame.f_locals.values()):
            for each in thing if isinstance(thing, (tuple, list)) and len(thing) <= _FEW else (thing,):
                yield from dataset_graphs(getattr(each, "_dataset", None) if not isinstance(each, type) else None)


def dataset_graphs(dataset: Any) -> Iterator[Any]:
    """Graphs of the user's functions in a tf.data pipeline, from the last transformation backwards."""
    pending = [dataset]
    while pending:
        current = pending.pop()
        if current is None or not hasattr(current, "_functions"):
            continue
        for wrapper in current._functions():
            graph = getattr(getattr(wrapper, "function", None), "graph", None)
            if graph is not None:
                yield graph
        pending.extend(current._inputs())


def nested(graph: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """A graph and those of its loops, branches and inner functions."""
    seen = set() if seen is None else seen
    pending = [graph]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        functions = getattr(current, "_functions", None)
        if isinstance(functions, dict):
            pending.extend(getattr(function, "graph", None) for function in functions.values())


def through_captures(tensor: Any) -> Any:
    """The tensor outside of a function, loop or branch that a captured input stands for, as far out as it goes."""
    for _ in range(10):
        captures = getattr(tensor.graph, "captures", None)
        outer = next((outside for outside, inside in captures or () if inside is tensor), None)
        if outer is None or hasattr(outer, "numpy"):
            return tensor
        tensor = outer
    return tensor
