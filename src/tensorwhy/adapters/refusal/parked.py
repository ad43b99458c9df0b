"""Which earlier line handed an object to a library that kept it: a seed, a default graph, a cache, a scope.

The object fails later, in a call that it is no operand of. The line that made it is known; from there the value is
followed through the user's source to the call of a library whose own source stores that argument.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_DEPTH = 4
_CALLED = 3


class Parking(msgspec.Struct, frozen=True, kw_only=True):
    """The call that made the library keep the object. `at` is that call, `text` the argument, `handed` the user's own
    call around it, where a helper did so."""

    at: Location
    call: str
    text: str
    handed: Location | None = None


def find(made: tuple[Location, ...], stack: Stack, user: UserCode, sources: Sources) -> Parking | None:
    """The one call that stored what these lines made; None where there is none, or are several."""
    for location in reversed(made):
        found = list(_from(location, stack, user, sources))
        if len(found) == 1:
            return found[0]
    return None


def _from(location: Location, stack: Stack, user: UserCode, sources: Sources) -> Iterator[Parking]:
    statement = sources.statement(location)
    scope = sources.function(location, lambdas=False) or sources.tree(location.file)
    if statement is None or scope is None:
        return
    namespace = _globals(location.file, stack)
    yield from _calls(statement, None, location, namespace, user, sources, _DEPTH)
    for name in sources.names(location):
        for each in ast.walk(scope):
            if isinstance(each, ast.stmt) and each.lineno > statement.lineno and not hasattr(each, "body"):
                yield from _calls(each, name, location, namespace, user, sources, _DEPTH)


def _calls(
    statement: ast.AST,
    name: str | None,
    like: Location,
    namespace: dict[str, Any],
    user: UserCode,
    sources: Sources,
    depth: int,
) -> Iterator[Parking]:
    """Calls in a statement that get the value: what `name` stands for, or any expression on its line."""
    for call in (each for each in ast.walk(statement) if isinstance(each, ast.Call)):
        function = _static(call.func, namespace)
        given = [(position, "", each) for position, each in enumerate(call.args)]
        given += [(-1, each.arg or "", each.value) for each in call.keywords]
        for position, keyword, each in given:
            fits = ast.unparse(each) == name if name is not None else not isinstance(each, ast.Constant)
            code = getattr(autograph.unwrapped(function), "__code__", None)
            if not fits or code is None:
                continue
            parameter = keyword or _parameter(code, position)
            if not parameter:
                continue
            at = reading.where(call, like.file, like.function, sources)
            if user.owns(code.co_filename):
                if depth:
                    yield from _within(function, code, parameter, at, user, sources, depth)
            elif _stores(code, parameter, _CALLED, sources):
                yield Parking(at=at, call=ast.unparse(call.func), text=ast.unparse(each))


def _within(
    function: Any, code: Any, parameter: str, handed: Location, user: UserCode, sources: Sources, depth: int
) -> Iterator[Parking]:
    """The calls in a function of the user's that go on with its parameter."""
    inside = Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    namespace = getattr(autograph.unwrapped(function), "__globals__", {})
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            for statement in node.body:
                for found in _calls(statement, parameter, inside, namespace, user, sources, depth - 1):
                    yield msgspec.structs.replace(found, handed=handed)


def _parameter(code: Any, position: int) -> str:
    return code.co_varnames[position] if 0 <= position < code.co_argcount else ""


def _stores(code: Any, parameter: str, depth: int, sources: Sources) -> bool:
    """Return whether a library's function keeps its argument in an attribute, a container, or by one that it calls."""
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            return _stores_in(node, parameter, code.co_filename, depth, sources)
    return False


def _stores_in(function: Any, parameter: str, file: str, depth: int, sources: Sources) -> bool:
    def reads(node: ast.AST | None) -> bool:
        return node is not None and any(isinstance(each, ast.Name) and each.id == parameter for each in ast.walk(node))

    module = next((each for each in list(sys.modules.values()) if getattr(each, "__file__", None) == file), None)
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) and reads(node.value) else []
        if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets):
            return True
        if not isinstance(node, ast.Call) or depth == 0:
            continue
        positions = [index for index, each in enumerate(node.args) if reads(each)]
        keywords = [each.arg for each in node.keywords if reads(each.value) and each.arg]
        if not positions and not keywords:
            continue
        callee = _static(node.func, vars(module) if module is not None else {})
        code = getattr(callee, "__code__", None)
        if code is not None:
            names = [*(_parameter(code, position) for position in positions), *keywords]
            if any(name and _stores(code, name, depth - 1, sources) for name in names):
                return True
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "add", "push"):
            return True
        for other in _methods(node.func, file, sources):
            parameters = [each.arg for each in other.args.args]
            names = [parameters[position + 1] for position in positions if position + 1 < len(parameters)]
            if any(_stores_in(other, name, file, depth - 1, sources) for name in (*names, *keywords)):
                return True
    return False


def _methods(called: ast.expr, file: str, sources: Sources) -> Iterator[ast.FunctionDef]:
    """Methods of this name in the same file: whose method it is would take running the code."""
    if isinstance(called, ast.Attribute):
        for node in sources.nodes(file):
            if isinstance(node, ast.FunctionDef) and node.name == called.attr:
                yield node


def _static(node: ast.expr, namespace: dict[str, Any]) -> Any:
    """The function that an expression names in a module."""
    if isinstance(node, ast.Name):
        found = namespace.get(node.id)
    elif isinstance(node, ast.Attribute):
        owner = _static(node.value, namespace)
        found = values.attribute(owner, node.attr) if owner is not None else None
    else:
        return None
    return None if found is values.MISSING else inspect.unwrap(found) if callable(found) else found


def _globals(file: str, stack: Stack) -> dict[str, Any]:
    for frame in reversed(stack.frames):
        if frame.frame.f_code.co_filename == file or (frame.location is not None and frame.location.file == file):
            return frame.frame.f_globals
    module = next((each for each in list(sys.modules.values()) if getattr(each, "__file__", None) == file), None)
    return vars(module) if module is not None else {}


def caller_of(location: Location, sources: Sources) -> Location | None:
    """The one call, in the same file, of the function that a line stands in."""
    function = sources.function(location, lambdas=False)
    if function is None or isinstance(function, ast.Lambda) or function.name == "__init__":
        return None
    found = [
        node
        for node in sources.nodes(location.file)
        if isinstance(node, ast.Call) and reading.callee(node) == function.name
    ]
    return sources.place(location.file, found[0]) if len(found) == 1 else None
