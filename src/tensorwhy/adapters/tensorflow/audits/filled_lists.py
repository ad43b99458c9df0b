"""Module-level lists that traced functions filled: at the end they hold placeholders, one for each trace.

Attributes are left alone. A layer may keep what it computes in a list and use it within the same trace; what is left
there is harmless. So it is with a list of the module that a function reads which was traced with it: terms of a loss,
as TensorFlow 1 collected them. Any other list of the module outlives every trace, and nothing else is ever in it.
"""

from __future__ import annotations

import ast
import collections
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.tensorflow.failures import failed_node
from tensorwhy.adapters.tensorflow.graphs import escapes, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import Holder
from tensorwhy.model.facts.loops import PythonAccumulator
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_TRACED = ("function", "loop", "branch")
_MOST = 5000
"""So many operations of a graph are asked where they were made."""
_FILLING = frozenset({*escapes.ADDERS, "clear"})


def audit(session: Any) -> Iterable[Fact]:
    """One fact for each such container of the user's modules."""
    if not session.traced:
        return
    user: UserCode = session.user
    sources = Sources()
    for name, container, file in _containers(user):
        items = list(container.values()) if isinstance(container, dict) else list(container)
        tensors = [each for each in items if symbolic.is_symbolic(each)]
        if not tensors or len(tensors) != len(items):
            continue
        made = symbolic.describe(tensors[0], user)
        if made.graph.kind not in _TRACED or _read_in_trace(name, tensors[0].graph, user, sources):
            continue
        holder = Holder(
            kind="global", expression=f"{name}[0]", steps=(f"module global `{name}`",), attribute=name, contained=True
        )
        files = (*(call.file for call in reversed(made.calls)), file)
        filled = next(iter(escapes.escapes(made, [(holder, files)], sources)), None)
        if filled is None:
            continue
        yield PythonAccumulator(
            container=name,
            kind="dict" if isinstance(container, dict) else "set" if isinstance(container, set) else "list",
            problem="left",
            construct="loop" if made.graph.kind == "loop" else "function",
            filled=filled,
            length=len(items),
        )


def _read_in_trace(name: str, graph: Any, user: UserCode, sources: Sources) -> bool:
    """True if a function that made operations of this graph, or of one around it, does more with a name than add."""
    lines: set[tuple[str, int]] = set()
    while symbolic.is_function_graph(graph):
        for operation in graph.get_operations()[:_MOST]:
            origin = failed_node.origin(operation, user)
            lines |= {(location.file, location.line) for location in origin.user}
        graph = graph.outer_graph
    functions = {sources.function(Location(file=file, line=line)) for file, line in lines}
    return any(_reads(function, name) for function in functions if function is not None)


def _reads(function: ast.AST, name: str) -> bool:
    """Return whether a function reads what is in a container: neither adds to it, nor counts or clears it."""
    passed = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr in _FILLING:
            passed.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            passed |= {id(each) for each in node.args}
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            passed.add(id(node.value))
    return any(
        (node.id if isinstance(node, ast.Name) else node.attr) == name
        and isinstance(node.ctx, ast.Load)
        and id(node) not in passed
        for node in ast.walk(function)
        if isinstance(node, (ast.Name, ast.Attribute))
    )


def _containers(user: UserCode) -> Iterator[tuple[str, Any, str]]:
    modules = [(key, module) for key, module in list(sys.modules.items()) if isinstance(module, types.ModuleType)]
    tops = {key: _file(module) for key, module in modules if "." not in key}
    libraries = {key for key, file in tops.items() if file and key != "__main__" and not user.owns(file)}
    for key, module in modules:
        if key.partition(".")[0] in libraries:  # nearly all of some thousand
            continue
        file = _file(module)
        if not (user.owns(file) or key == "__main__"):
            continue
        for name, value in list(vars(module).items()):
            if not name.startswith("__") and type(value) in (list, dict, set, collections.deque) and value:
                yield name, value, file


def _file(module: types.ModuleType) -> str:
    return vars(module).get("__file__") or ""
