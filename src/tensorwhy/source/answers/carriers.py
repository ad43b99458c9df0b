"""What holds the answer of a gradient question: the call that gives it, and the names that carry it on."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from typing import NamedTuple

from tensorwhy.source import reading
from tensorwhy.source.answers.calls import is_gradient_call
from tensorwhy.source.files import walked

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class Carriers:
    """What holds the answer: the call that gives it, names, and attributes written `.name`."""

    def __init__(self, call: ast.Call | None, names: set[str]) -> None:
        self._call = call
        self.names = names

    def within(self, node: ast.AST) -> bool:
        """Whether an expression reads the answer."""
        return self._holds(_mentioned(node))

    def asks(self) -> bool:
        """Whether the call that gives the answer is known, and no name alone."""
        return self._call is not None

    def is_call(self, node: ast.AST) -> bool:
        """Whether an expression is the call that gives the answer."""
        return node is self._call

    def is_answer(self, node: ast.AST) -> bool:
        """Whether an expression is the answer or an element of it, and nothing that is computed from it."""
        while isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        return self.is_call(node) or name_of(node) in self.names

    def made_in(self, node: ast.AST) -> bool:
        """Whether the call that gives the answer stands here."""
        return id(self._call) in _mentioned(node).nodes

    def handed_on(self, node: ast.AST) -> bool:
        """Whether the value of an expression has the answer in it: that of a further gradient question does not."""
        return self._holds(_handed_on(node))

    def _holds(self, mentioned: _Mentioned) -> bool:
        return id(self._call) in mentioned.nodes or not mentioned.names.isdisjoint(self.names)

    def spread(self, scope: Scope) -> None:
        """Adds the names that the scope binds to what it computes from the answer."""
        before = -1
        while before != len(self.names):
            before = len(self.names)
            for values, names in _bindings(scope):
                if any(map(self.handed_on, values)):
                    self.names |= names


class _Mentioned(NamedTuple):
    """The names in an expression, and the ids of its nodes."""

    names: frozenset[str]
    nodes: frozenset[int]


@functools.lru_cache(maxsize=1 << 14)
def _mentioned(node: ast.AST) -> _Mentioned:
    nodes = tuple(ast.walk(node))
    return _Mentioned(frozenset(map(name_of, nodes)), frozenset(map(id, nodes)))


@functools.lru_cache(maxsize=1 << 14)
def _handed_on(node: ast.AST) -> _Mentioned:
    """Without what stands in a call for gradients, and without its name: its value has nothing of that in it."""
    names, nodes = set(), set()
    stack = [node]
    while stack:
        each = stack.pop()
        nodes.add(id(each))
        if not (isinstance(each, ast.Call) and is_gradient_call(each)):
            names.add(name_of(each))
            stack += ast.iter_child_nodes(each)
    return _Mentioned(frozenset(names), frozenset(nodes))


@functools.lru_cache(maxsize=64)
def _bindings(scope: Scope) -> tuple[tuple[Sequence[ast.AST], set[str]], ...]:
    """What a file or function binds, in its order: the values, and the names."""
    found: list[tuple[Sequence[ast.AST], set[str]]] = []
    for node in walked(scope):
        if isinstance(node, (ast.comprehension, ast.For)):
            found.append(([node.iter], bound_by(node.target)))
        elif isinstance(node, ast.Assign):
            found.append(([node.value], {name for target in node.targets for name in bound_by(target)}))
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value:
            found.append(([node.value], bound_by(node.target)))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _fills(node):
            found.append((node.args, bound_by(node.func.value)))
    return tuple(found)


def scope_of(call: ast.Call, tree: ast.Module) -> Scope:
    """The innermost function that holds the call, or the module: `walk` comes to outer ones first."""
    scope: Scope = tree
    for node in walked(tree):
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        if isinstance(node, functions) and reading.on_line(node, call.lineno):
            scope = node if any(each is call for each in ast.walk(node)) else scope
    return scope


def _fills(call: ast.Call) -> bool:
    """Whether a call puts what it is given into a list."""
    return name_of(call.func) in (".append", ".extend", ".insert")


def name_of(node: ast.AST) -> str:
    """The name that an expression is: of an attribute, `.name`."""
    if isinstance(node, ast.Name):
        return node.id
    return f".{node.attr}" if isinstance(node, ast.Attribute) else ""


def bound_by(target: ast.AST) -> set[str]:
    """Names and attributes that an assignment to this target binds; `table[key]` binds into `table`."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return {name for each in target.elts for name in bound_by(each)}
    if isinstance(target, (ast.Starred, ast.Subscript)):
        return bound_by(target.value)
    return {name_of(target)} - {""}
