"""Which Python values of a function end up in the graph when it is traced: found in its syntax.

Two kinds of reads matter. A test (`if self.warm:`) decides which operations are traced at all; a number in arithmetic
or in a call (`loss * beta`) becomes a constant, also by a name that the function gives it first. A model or an
optimizer that goes by a name (`model(x)`) leaves its variables in the graph. What the function itself stores is left
alone in tests: that is the idiom of doing something in the first call only, or of counting traces. A number that it
counts on (`self.step += 1`) and computes with is not.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.tracing.python_values import Function
from tensorwhy.source import reading

QUIET = {
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
_CHANGING = {"apply_gradients", "minimize", "assign", "assign_add", "assign_sub"}
_HARMLESS = ("name", "seed")
"""Arguments that may well be counted while tracing: each operation of the trace gets another one."""


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """An expression of plain Python values, and the `line` that uses it.

    `test`: it decides a branch; `arithmetic`: it is an operand; else it is an argument of a call. `counted` are the
    attributes in it that the function itself counts on. `calls`: all that the branches do is to call these.
    """

    node: Any
    text: str
    line: int
    test: bool = False
    arithmetic: bool = False
    counted: tuple[str, ...] = ()
    calls: tuple[ast.expr, ...] = ()


class Reads:
    """The reads of a function that can matter for its graph. Nested functions are functions of their own.

    `own` is what each name of the function's own stands for; None for those that stand for several things. `first` is
    the name of its first argument, `values` are the plain values that it reads, and `names` what it reads by a name or
    attribute that it does not store, each once. `carried` are the attributes, globals and variables of outer functions
    that it reads and then stores, each with the statement that stores it: what one call leaves for the next.
    """

    def __init__(self, function: Function) -> None:
        self._function = function
        stores = Counter(ast.unparse(target) for target in _stores(function))
        arguments = function.args
        given = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        named = {
            ast.unparse(each.targets[0]): each.value
            for each in _inside(function)
            if isinstance(each, ast.Assign) and [type(target) for target in each.targets] == [ast.Name]
        }
        bound = {name: value for name, value in named.items() if stores[name] == 1 and name not in given}
        counted = Counter(ast.unparse(each.target) for each in _inside(function) if isinstance(each, ast.AugAssign))
        self._counted = {text for text, times in counted.items() if "." in text and stores[text] == times}
        self._given = given
        self._stored = {text for text in stores if text not in bound and text not in self._counted}
        self.first = next((each.arg for each in (*arguments.posonlyargs, *arguments.args)), "")
        outer = {
            name for each in _inside(function) if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names
        }
        self.own: Mapping[str, ast.expr | None] = {
            **dict.fromkeys(each for each in stores if "." not in each and each not in outer),
            **{name: value for name, value in bound.items() if name not in outer},
        }
        self.carried = tuple(_carried(function.body, outer))
        self.values = tuple(self._among(function.body))
        self.names = tuple(self._named(set(stores)))

    def _named(self, stored: set[str]) -> Iterator[ast.expr]:
        told = set(stored)
        for node in _inside(self._function):
            text = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
            parts = {ast.unparse(each) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute))}
            if isinstance(node, (ast.Name, ast.Attribute)) and text not in told and not parts & stored:
                told.add(text)
                yield node

    def _among(self, nodes: Any) -> Iterator[Read]:
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                continue
            if isinstance(node, (ast.If, ast.IfExp)):
                read = self._names(node.test)
                calls = () if has_effect(node) else _called(node)
                if read and not read & (self._stored | self._counted) and (calls or has_effect(node)):
                    yield Read(
                        node=node.test, text=ast.unparse(node.test), line=node.test.lineno, test=True, calls=calls
                    )
                yield from self._among([each for each in ast.iter_child_nodes(node) if each is not node.test])
                continue
            if isinstance(node, ast.Call) and reading.callee(node) in QUIET:
                continue
            if isinstance(node, (ast.BinOp, ast.Call)):
                for operand in _operands(node):
                    yield from self._read(operand, isinstance(node, ast.BinOp))
            yield from self._among(_own(node))

    def _read(self, operand: ast.expr, arithmetic: bool) -> Iterator[Read]:
        if not isinstance(operand, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            return
        stands = self.own.get(operand.id) if isinstance(operand, ast.Name) else None
        node, read = stands or operand, self._names(operand)
        if not read & self._stored:
            yield Read(
                node=node,
                text=ast.unparse(node),
                line=operand.lineno,
                arithmetic=arithmetic,
                counted=tuple(sorted(read & self._counted)),
            )
            if stands is not None and self._is_mixed(stands):
                yield from self._parts(stands, operand.lineno)

    def _is_mixed(self, stands: ast.expr) -> bool:
        """Return whether a name stands for something that also needs what only a call knows: its tensors."""
        unknown = {name for name, value in self.own.items() if value is None} | (self._given - {self.first})
        return any(isinstance(each, ast.Name) and each.id in unknown for each in ast.walk(stands))

    def _parts(self, stands: ast.expr, line: int) -> Iterator[Read]:
        """The attributes that go as plain numbers into what a name stands for, which `line` uses."""
        operands = [o for each in ast.walk(stands) if isinstance(each, ast.BinOp) for o in (each.left, each.right)]
        for each in operands:
            if isinstance(each, ast.Attribute) and not self._names(each) & (self._stored | self._counted):
                yield Read(node=each, text=ast.unparse(each), line=line, arithmetic=True)

    def _names(self, node: ast.AST, depth: int = 0) -> set[str]:
        """The names and attributes that an expression reads, as text; what a name stands for in its place."""
        found = set()
        for each in ast.walk(node):
            if isinstance(each, (ast.Name, ast.Attribute)):
                stands = self.own.get(each.id) if isinstance(each, ast.Name) and depth < _DEPTH else None
                found |= {ast.unparse(each)} if stands is None else self._names(stands, depth + 1)
        return found


_DEPTH = 8


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Everything of a function in the order in which it is written."""
    for child in _own(node):
        yield child
        yield from _inside(child)


def _carried(body: list[ast.stmt], outer: set[str]) -> Iterator[tuple[ast.expr, ast.stmt]]:
    """What statements that run in each call store where it outlives the call, after it was read."""
    read: set[str] = set()
    known: set[str] = set()
    for statement in _straight(body):
        loaded = {
            ast.unparse(node)
            for node in (statement, *_inside(statement))
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        }
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        stored = [each for target in targets for each in (getattr(target, "elts", None) or [target])]
        if isinstance(statement, ast.AugAssign):
            loaded.add(ast.unparse(statement.target))
        read |= loaded - known
        for target in stored if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else ():
            text = ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else ""
            if text in read and (isinstance(target, ast.Attribute) or text in outer):
                yield target, statement
            known.add(text)


def _straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, and of what stands in its `with` and `try`."""
    for statement in body:
        if isinstance(statement, (ast.With, ast.Try)):
            yield from _straight(statement.body)
        else:
            yield statement


def _operands(node: ast.BinOp | ast.Call) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg not in _HARMLESS)]


def _own(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield child


def _stores(node: ast.AST) -> Iterator[ast.AST]:
    for child in _own(node):
        if isinstance(child, (ast.Name, ast.Attribute)) and isinstance(child.ctx, ast.Store):
            yield child
        yield from _stores(child)


def has_effect(node: ast.If | ast.IfExp) -> bool:
    """Return whether a branch changes what is computed, and does not only print or raise."""
    return isinstance(node, ast.IfExp) or _computes((*node.body, *node.orelse))


def changes(function: Function, test: ast.expr) -> bool:
    """Return whether a function that is called on a condition changes variables, and not what the condition asks for.

    What sets its own condition is done in the first call only, and is meant to be.
    """
    asked = {each.attr for each in ast.walk(test) if isinstance(each, ast.Attribute)}
    stored = {target.attr for target in _stores(function) if isinstance(target, ast.Attribute)}
    return asked.isdisjoint(stored) and any(map(_changes, ast.walk(function)))


def _computes(statements: Iterable[ast.stmt]) -> bool:
    return any(
        isinstance(each, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)) or _changes(each)
        for statement in statements
        for each in ast.walk(statement)
    )


def _changes(node: ast.AST) -> bool:
    """Return whether this is a call that changes variables."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING


def _called(node: ast.If | ast.IfExp) -> tuple[ast.expr, ...]:
    """What the branches call for nothing but its effect."""
    calls = (each.value for branch in (getattr(node, "body", []), node.orelse) for each in _statements(branch))
    return tuple(call.func for call in calls if isinstance(call, ast.Call) and reading.callee(call) not in QUIET)


def _statements(branch: Any) -> list[ast.Expr]:
    return [each for each in branch if isinstance(each, ast.Expr)] if isinstance(branch, list) else []
