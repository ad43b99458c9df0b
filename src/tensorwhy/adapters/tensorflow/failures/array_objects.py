"""Live TensorArray objects: what they were declared as, and where the user's source makes them."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

FILE = "ops/tensor_array_ops.py"
_TRANSPARENT = (
    FILE,
    "ops/list_ops.py",
    "util/tf_should_use.py",
    "/traceback_utils.py",
    "util/dispatch.py",
    "autograph/impl/api.py",
)
WRITING = (
    *_TRANSPARENT,
    "ops/gen_list_ops.py",
    "framework/op_def_library.py",
    "framework/ops.py",
    "framework/func_graph.py",
    "autograph/core/function_wrappers.py",
)
"""Where an operation stands that one of the array's own methods made."""
METHODS = frozenset({"write", "read", "stack", "gather", "concat", "unstack", "split", "scatter"})


def is_array(value: Any) -> bool:
    """Return whether this is a TensorArray, also inside the wrapper that watches for unused results."""
    from tensorflow.python.ops import tensor_array_ops

    if isinstance(value, tensor_array_ops.TensorArray):
        return True
    wrapped = type(value).__name__ == "ShouldUseWrapper"
    return wrapped and isinstance(getattr(value, "_tf_decorated", None) or unwrap(value), tensor_array_ops.TensorArray)


def unwrap(value: Any) -> Any:
    """The TensorArray inside the wrapper that watches for unused results."""
    from tensorflow.python.util import tf_should_use

    getter = getattr(tf_should_use, "_get_wrapper", None)
    inner = vars(value).get("_wrapped") if hasattr(value, "__dict__") else None
    if inner is not None:
        return inner
    return getattr(value, "__wrapped__", value) if getter is not None else value


def implementation(array: Any) -> Any:
    """The eager or graph array behind the public object."""
    return getattr(array, "_implementation", array)


def called(way: Stack) -> tuple[int, str, Any, Frame] | None:
    """The array's method that the user's code called and that failed: position, name, array, innermost frame.

    None when TensorFlow or Keras made the call for a construct of its own.
    """
    found: tuple[int, str, Any] | None = None
    innermost: Frame | None = None
    for index in range(len(way.frames) - 1, -1, -1):
        step = way.frames[index]
        if step.user:
            break
        if step.file.endswith(FILE):
            innermost = innermost or step
            if step.name in METHODS and step.local("self") is not None:
                found = (index, step.name, implementation(step.local("self")))
        elif found is not None and not step.file.endswith(_TRANSPARENT):
            return None
    return (*found, innermost) if found is not None and innermost is not None else None


def name_at(location: Location, method: str, sources: Sources) -> str:
    """What the user calls the array, at a line that calls one of its methods."""
    found = reading.named_call(location, sources, method)
    if found is not None and isinstance(found[0].func, ast.Attribute):
        owner = found[0].func.value
        if isinstance(owner, (ast.Name, ast.Attribute)):
            return ast.unparse(owner)
    return ""


def made_at(name: str, location: Location, sources: Sources) -> Location | None:
    """Where the name was given a new `TensorArray(...)`: in the same function, else anywhere in the file.

    A partial of the class, or a function that returns a new one, is followed to where that says what is made.
    """
    if not name:
        return None
    scopes = [sources.function(location), sources.tree(location.file)]
    for scope in scopes:
        if scope is None:
            continue
        if scope is scopes[1] and scopes[0] is not None and _bound_here(name, scopes[0]):
            break
        every = reading.assignments(scope, name) if scope is not scopes[1] else _everywhere(scope, name)
        for statement in every:
            value = reading.assigned_value(statement, name)
            if not isinstance(value, ast.Call):
                continue
            if "TensorArray" in ast.unparse(value.func):
                return reading.place(statement, location, sources)
            maker = _maker(reading.callee(value), scopes[1])
            if maker is not None:
                return sources.place(location.file, maker)
    return None


def _bound_here(name: str, function: ast.AST) -> bool:
    """Return whether the function itself gives the name a value that is not made of what it stood for before."""
    values = (reading.assigned_value(each, name) for each in reading.assignments(function, name))
    return any(
        value is not None and all(ast.unparse(each) != name for each in ast.walk(value) if isinstance(each, ast.expr))
        for value in values
    )


def _everywhere(tree: ast.AST, name: str) -> list[ast.stmt]:
    return [each for each in ast.walk(tree) if isinstance(each, ast.Assign) and name in map(ast.unparse, each.targets)]


def _maker(name: str, tree: ast.AST | None) -> ast.stmt | None:
    """The one statement of the file that says what a function or partial of this name makes, if that is an array."""
    found: list[ast.stmt] = []
    for node in ast.walk(tree) if tree is not None and name else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            returned = [each for each in ast.walk(node) if isinstance(each, ast.Return) and _makes(each.value)]
            found += returned
        elif isinstance(node, ast.Assign) and any(reading.last_name(target) == name for target in node.targets):
            found += [node] if _makes(node.value) else []
    return found[0] if len(found) == 1 else None


def _makes(node: ast.AST | None) -> bool:
    """Return whether an expression is `TensorArray(...)`, or a partial of it, be it a static method."""
    if not isinstance(node, ast.Call):
        return False
    called = reading.callee(node)
    if called in ("partial", "staticmethod") and node.args:
        return _makes(node.args[0]) or reading.last_name(node.args[0]) == "TensorArray"
    return called == "TensorArray"


def call_place(location: Location, method: str, sources: Sources) -> Location:
    """The call of the method on this line, with columns."""
    found = reading.named_call(location, sources, method)
    return found[1] if found is not None else location
