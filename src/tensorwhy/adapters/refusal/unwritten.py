"""A method that a library calls, and that a class does not define: its base only raises.

The library's function that raised is an attribute of the object's class: the name of that attribute is what the class
should define. A class of the program's often does, in the wrong place, or under another name, which no class of the
library has and nothing calls.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.model.location import Location, Marked

_ALIKE = 0.6
_Class = tuple[str, ast.ClassDef]
"""A class of the program's, with its file."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def find(context: Context) -> RefusedObject | None:
    """The class that does not define what was called; None where another one is at fault."""
    stack, own = context.stack, context.stack.own
    missing = _missing(stack) if isinstance(stack.exception, NotImplementedError) and own is not None else None
    if missing is None or own is None:
        return None
    cls, method = missing
    mine = [(_file(each, context), _defined(each, context)) for each in cls.__mro__ if _file(each, context)]
    classes = [(file, defined) for file, defined in mine if defined is not None]
    if not classes and (mine or method.startswith("__") or not _only_raises(stack, context)):
        return None
    made, name, marks, advice = None, cls.__name__, tuple[Marked, ...](), tuple[str, ...]()
    if classes:
        (file, defined), marks, advice = _meant(cls, method, classes, context)
        made, name = context.sources.place(file, defined), defined.name
    return RefusedObject(
        thing=Thing(text=name, what="class", made=made),
        used=own.location,
        call=context.called(own),
        how="unwritten",
        check=Check(by=stack.raised.qualified),
        holder=method,
        advice=advice,
        marks=marks,
    )


def _only_raises(stack: Stack, context: Context) -> bool:
    """Whether the function that raised does nothing else."""
    code = stack.raised.frame.f_code
    function = context.sources.function(Location(file=code.co_filename, line=stack.raised.at.line))
    body = function.body if isinstance(function, ast.FunctionDef) else []
    return bool(body) and all(isinstance(each, (ast.Raise, ast.Expr)) for each in body)


def _missing(stack: Stack) -> tuple[type, str] | None:
    """The class of the object whose method raised, and what that method is called there."""
    frame = stack.raised.frame
    parameters = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    held = frame.f_locals.get(parameters[0]) if parameters else None
    for name in dir(type(held)) if held is not None else ():
        found = inspect.getattr_static(type(held), name)
        if getattr(inspect.unwrap(found) if callable(found) else None, "__code__", None) is frame.f_code:
            return type(held), name
    return None


def _file(cls: type, context: Context) -> str:
    """The file of a class of the program's; empty for one of a library."""
    file = str(getattr(sys.modules.get(cls.__module__), "__file__", None) or "")
    return file if file and context.user.owns(file) else ""


def _defined(cls: type, context: Context) -> ast.ClassDef | None:
    nodes = context.sources.nodes(_file(cls, context))
    found = [each for each in nodes if isinstance(each, ast.ClassDef) and each.name == cls.__name__]
    return found[0] if len(found) == 1 else None


def _meant(
    cls: type, method: str, classes: list[_Class], context: Context
) -> tuple[_Class, tuple[Marked, ...], tuple[str, ...]]:
    """The class that should define the method, what it has in its place, and what to do."""
    for file, defined in classes:
        for outer in (each for each in defined.body if isinstance(each, _FUNCTIONS)):
            inner = [each for each in ast.walk(outer) if isinstance(each, _FUNCTIONS) and each.name == method]
            if inner:
                place = context.sources.place(file, inner[0])
                mark = Marked.at(place, f"this `{method}` is a local function of `{outer.name}`", "unused")
                return (file, defined), (mark,), (f"indent `{method}` like the other methods of `{defined.name}`",)
    name, unused, alike = _misnamed(cls, method, context)
    define = f"define `{method}` in `{classes[0][1].name}`"
    if unused is None:
        return classes[0], (), (define,)
    advice = f"rename `{name}` to `{method}`" if alike else f"{define}; if `{name}` is meant to be it, rename that"
    return classes[0], (Marked.at(unused, f"nothing calls `{name}`", "unused"),), (advice,)


def _misnamed(cls: type, method: str, context: Context) -> tuple[str, Location | None, bool]:
    """The method that was meant, and whether its name is alike; else the only one that nothing calls."""
    mine = {each: file for each in cls.__mro__ if (file := _file(each, context))}
    known = {name for base in cls.__mro__ if base not in mine for name in vars(base)}
    functions = {name: each for base in mine for name, each in _functions(base) if name not in known}
    nodes = [node for file in {*mine.values()} for node in context.sources.nodes(file)]
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    bare = {name.strip("_").replace("_", ""): name for name in functions if name not in called}
    alike = difflib.get_close_matches(method.strip("_").replace("_", ""), bare, 1, _ALIKE)
    name = bare[alike[0]] if alike else next(iter(bare.values())) if len(bare) == 1 else ""
    code = functions[name].__code__ if name else None
    definition = context.sources.function(Location(file=code.co_filename, line=code.co_firstlineno)) if code else None
    place = context.sources.place(code.co_filename, definition) if code and definition is not None else None
    return name, place, bool(alike)


def _functions(cls: type) -> Iterator[tuple[str, Any]]:
    return ((name, each) for name, each in vars(cls).items() if inspect.isfunction(each))
