"""What holds the answer of a gradient question: the call that gives it, and the names that carry it on."""

from __future__ import annotations

import ast
import functools

from tensorwhy.diagnosis.asked import is_gradient_call

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


@functools.lru_cache(maxsize=64)
def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a file or function: each finding asks about the same ones."""
    return tuple(ast.walk(tree))


class Carriers:
    """What holds the answer: the call that gives it, names, and attributes written `.name`."""

    def __init__(self, call: ast.Call | None, names: set[str]) -> None:
        self._call = call
        self.names = names

    def within(self, node: ast.AST) -> bool:
        """Whether an expression reads the answer."""
        return any(each is self._call or name_of(each) in self.names for each in ast.walk(node))

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
        return any(each is self._call for each in ast.walk(node))

    def handed_on(self, node: ast.AST) -> bool:
        """Whether the value of an expression has the answer in it: that of a further gradient question does not."""
        if node is not self._call and isinstance(node, ast.Call) and is_gradient_call(node):
            return False
        here = node is self._call or name_of(node) in self.names
        return here or any(self.handed_on(each) for each in ast.iter_child_nodes(node))

    def spread(self, scope: Scope) -> None:
        """Adds the names that the scope binds to what it computes from the answer."""
        before = -1
        while before != len(self.names):
            before = len(self.names)
            for node in walked(scope):
                if isinstance(node, (ast.comprehension, ast.For)) and self.handed_on(node.iter):
                    self.names |= bound_by(node.target)
                elif isinstance(node, ast.Assign) and self.handed_on(node.value):
                    self.names |= {name for target in node.targets for name in bound_by(target)}
                elif (
                    isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr))
                    and node.value
                    and self.handed_on(node.value)
                ):
                    self.names |= bound_by(node.target)
                elif isinstance(node, ast.Call) and _fills(node) and any(map(self.handed_on, node.args)):
                    self.names |= bound_by(node.func.value) if isinstance(node.func, ast.Attribute) else set()


def scope_of(call: ast.Call, tree: ast.Module) -> Scope:
    """The innermost function that holds the call, or the module: `walk` comes to outer ones first."""
    scope: Scope = tree
    for node in walked(tree):
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        if isinstance(node, functions) and node.lineno <= call.lineno <= (node.end_lineno or 0):
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
