"""Which Python values of a function end up in the graph when it is traced: found in its syntax, looked up in its frame.

Two kinds of reads matter. A test (`if self.warm:`) decides which operations are traced at all; a number in arithmetic
or in a call (`loss * beta`) becomes a constant. Only attributes of `self`, globals and closure variables are followed:
they can change between two runs of the graph. A name that the function itself stores is left alone: that is the idiom
of doing something in the first call only, or of counting traces.
"""

from __future__ import annotations

import ast
import types
import weakref
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.recording.frames import locals_of

MISSING: Any = object()
_SCALARS = (bool, int, float, str)
_QUIET = {
    "print",
    "len",
    "range",
    "str",
    "repr",
    "format",
    "isinstance",
    "hasattr",
    "getattr",
    "info",
    "debug",
    "log",
    "warning",
}
_BINARY = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Mod: lambda a, b: a % b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Div: lambda a, b: a / b,
}
_COMPARE = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """An expression of plain Python values. `test`: it decides a branch, else it is a part of arithmetic."""

    node: Any
    text: str
    test: bool


class Scope:
    """Where the names of a traced function lead, without keeping its `self` alive."""

    def __init__(self, frame: types.FrameType, function: Function) -> None:
        arguments = [*function.args.posonlyargs, *function.args.args]
        self._self_name = arguments[0].arg if arguments else ""
        local = locals_of(frame)
        owner = local.get(self._self_name)
        try:
            self._self = weakref.ref(owner) if owner is not None and not isinstance(owner, _SCALARS) else None
        except TypeError:  # an object without weak references
            self._self = None
        self._globals = frame.f_globals
        bound = set(frame.f_code.co_varnames) | set(frame.f_code.co_cellvars)
        self._closed = {name: local[name] for name in frame.f_code.co_freevars if isinstance(local.get(name), _SCALARS)}
        self._locals = bound - {self._self_name}

    def value(self, node: ast.AST) -> Any:
        """The value of an expression of plain values; MISSING where it is anything else."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, _SCALARS) or node.value is None else MISSING
        if isinstance(node, (ast.Name, ast.Attribute)):
            found = self._object(node)
            return found if isinstance(found, _SCALARS) else MISSING
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            inner = self.value(node.operand)
            return MISSING if inner is MISSING else (not inner if isinstance(node.op, ast.Not) else -inner)
        if isinstance(node, ast.BoolOp):
            values = [self.value(each) for each in node.values]
            if any(each is MISSING for each in values):
                return MISSING
            return all(values) if isinstance(node.op, ast.And) else any(values)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._apply(_BINARY[type(node.op)], node.left, node.right)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            return self._apply(_COMPARE[type(node.ops[0])], node.left, node.comparators[0])
        return MISSING

    def _apply(self, operate: Any, left: ast.AST, right: ast.AST) -> Any:
        one, two = self.value(left), self.value(right)
        if one is MISSING or two is MISSING:
            return MISSING
        try:
            return operate(one, two)
        except (TypeError, ZeroDivisionError, OverflowError):
            return MISSING

    def _object(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name):
            if node.id == self._self_name:
                return self._self() if self._self is not None else MISSING
            if node.id in self._locals:
                return MISSING
            return self._globals.get(node.id, MISSING)
        if isinstance(node, ast.Attribute):
            owner = self._object(node.value)
            if owner is MISSING or owner is None or isinstance(owner, (types.ModuleType, type, *_SCALARS)):
                return MISSING
            try:
                return object.__getattribute__(owner, "__dict__").get(node.attr, MISSING)
            except (AttributeError, TypeError):
                return MISSING
        return MISSING


def reads(function: Function) -> Iterator[Read]:
    """The reads of a function that can matter for its graph. Nested functions are functions of their own."""
    stored = {ast.unparse(target) for target in _stores(function)}
    yield from _reads(function.body, stored)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield child


def _stores(node: ast.AST) -> Iterator[ast.AST]:
    for child in _own(node):
        if isinstance(child, (ast.Name, ast.Attribute)) and isinstance(child.ctx, ast.Store):
            yield child
        yield from _stores(child)


def _reads(nodes: Any, stored: set[str]) -> Iterator[Read]:
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, (ast.If, ast.IfExp)):
            if _names(node.test) and not _names(node.test) & stored and _has_effect(node):
                yield Read(node=node.test, text=ast.unparse(node.test), test=True)
            rest = [each for each in ast.iter_child_nodes(node) if each is not node.test]
            yield from _reads(rest, stored)
            continue
        if isinstance(node, ast.Call) and _callee(node) in _QUIET:
            continue
        if isinstance(node, (ast.BinOp, ast.Call)):
            for operand in _operands(node):
                if isinstance(operand, (ast.Name, ast.Attribute)) and not _names(operand) & stored:
                    yield Read(node=operand, text=ast.unparse(operand), test=False)
        yield from _reads(_own(node), stored)


def _operands(node: ast.BinOp | ast.Call) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def _names(node: ast.AST) -> set[str]:
    """The names and attributes that an expression reads, as text."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, (ast.Name, ast.Attribute)):
            found.add(ast.unparse(each))
    return found


def _callee(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _has_effect(node: ast.If | ast.IfExp) -> bool:
    """Whether a branch changes what is computed, and does not only print or raise."""
    if isinstance(node, ast.IfExp):
        return True
    return any(
        isinstance(each, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return))
        for statement in (*node.body, *node.orelse)
        for each in ast.walk(statement)
    )
