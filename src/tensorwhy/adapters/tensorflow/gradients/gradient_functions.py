"""Reads a gradient function of the installed TensorFlow, without running it: which inputs of its op get None?

TensorFlow states this nowhere but in the code of the functions that it registers, as in `return grad, None`. They are
interpreted here over abstract values (abstract_values.py): every branch that cannot be decided is followed, and
results that differ become UNKNOWN. What is not understood is UNKNOWN too, never "no".
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from tensorwhy.adapters.tensorflow.gradients import abstract_expressions as expressions
from tensorwhy.adapters.tensorflow.gradients.abstract_scopes import (
    Frame,
    NotUnderstood,
    Question,
    Scope,
    loaded,
    merge,
    narrow,
    short,
)
from tensorwhy.adapters.tensorflow.gradients.abstract_values import (
    NONE,
    UNKNOWN,
    Abstract,
    Closure,
    Const,
    Gradient,
    Op,
    Opaque,
    Seq,
    Star,
    as_element,
    as_items,
    fit,
    join,
    join_all,
)

_MAX_DEPTH = 8
_MAX_ROUNDS = 3


@cache
def _definition(function: FunctionType) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    node = tree.body[0]
    return node if isinstance(node, ast.FunctionDef) else None


def pattern(function: FunctionType, question: Question) -> tuple[Opaque | Const, ...] | None:
    """For each input of the op NONE, VALUE, ZERO or UNKNOWN; None if the function only ever raises."""
    count = len(question.inputs)
    function = inspect.unwrap(function)
    node = _definition(function)
    if node is None:
        return (UNKNOWN,) * count
    certain = question.certain_gradients
    gradients: list[Abstract] = [Star(Gradient(certain))]
    if question.outputs is not None:
        gradients = [Gradient(certain, dtype) for dtype in question.outputs]
    arguments: list[Abstract] = [Op(), *gradients]
    if not node.args.vararg and len(gradients) + 1 > len(node.args.args) and question.outputs is not None:
        return None  # the call itself would fail
    reader = _Reader(question)
    try:
        returned = reader.returned(node, {}, function.__globals__, arguments, {}, depth=0)
    except (NotUnderstood, RecursionError):
        return (UNKNOWN,) * count
    rows = [fit(one, count) for one in returned]
    if not rows:
        return None
    # What `fit` returns, and what joins of it can give, is a constant or opaque.
    return tuple(join_all(column) for column in zip(*rows, strict=True))  # type: ignore[misc]


class _Reader(expressions.Expressions):
    """Executes statements over abstract values."""

    def returned(
        self,
        node: ast.FunctionDef | ast.Lambda,
        scope: Scope,
        module: Mapping[str, Any],
        arguments: Sequence[Abstract],
        keywords: Mapping[str, Abstract],
        depth: int,
    ) -> list[Abstract]:
        """Every value that a call may return."""
        if depth > _MAX_DEPTH:
            raise NotUnderstood("helpers nested too deeply")
        local = dict(scope)
        self._bind(node.args, local, arguments, keywords)
        frame = Frame(module)
        outer, self.frame = getattr(self, "frame", frame), frame
        outer_depth, self.depth = getattr(self, "depth", 0), depth
        try:
            if isinstance(node, ast.Lambda):
                return [self.value(node.body, local)]
            # A gradient function that returns something elsewhere does not mean to end without `return`: what looks
            # like it is a chain of `elif` over flags that are not known here.
            through = self._block(node.body, local) is not None
            if through and (depth > 0 or not frame.returns):
                frame.returns.append(NONE)
            return frame.returns
        finally:
            self.frame, self.depth = outer, outer_depth

    def call(self, closure: Closure, arguments: Sequence[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
        returned = self.returned(closure.node, closure.scope, closure.module, arguments, keywords, self.depth + 1)
        return join_all(returned)

    def helper(self, function: FunctionType) -> Closure | None:
        node = _definition(function)
        return None if node is None else Closure(node, {}, function.__globals__)

    def lookup(self, name: str) -> Abstract:
        module = self.frame.module
        if name in module:
            return Const(module[name])
        return expressions.builtin(name)

    def _bind(
        self, spec: ast.arguments, local: Scope, arguments: Sequence[Abstract], keywords: Mapping[str, Abstract]
    ) -> None:
        names = [one.arg for one in spec.posonlyargs + spec.args]
        defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
        for one, node in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
            if node is not None:
                defaults[one.arg] = node
        given = list(arguments)
        starred = next((one for one in given if isinstance(one, Star)), None)
        for name in names:
            if given and not isinstance(given[0], Star):
                local[name] = given.pop(0)
            elif starred is not None:
                local[name] = starred.element
            elif name in keywords:
                local[name] = keywords[name]
            else:
                local[name] = self.value(defaults[name], local) if name in defaults else UNKNOWN
        for one in spec.kwonlyargs:
            if one.arg in keywords:
                local[one.arg] = keywords[one.arg]
            else:
                local[one.arg] = self.value(defaults[one.arg], local) if one.arg in defaults else UNKNOWN
        if spec.vararg:
            local[spec.vararg.arg] = Seq(tuple(given))
        if spec.kwarg:
            local[spec.kwarg.arg] = UNKNOWN

    # Statements: each takes a scope and gives the scope after it, or None where execution does not come through.

    def _block(self, body: Sequence[ast.stmt], scope: Scope | None) -> Scope | None:
        for statement in body:
            if scope is None:
                return None
            scope = self._statement(statement, scope)
        return scope

    def _statement(self, node: ast.stmt, scope: Scope) -> Scope | None:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise NotUnderstood(type(node).__name__)
        found: Scope | None = method(node, scope)
        return found

    def _return(self, node: ast.Return, scope: Scope) -> None:
        self.frame.returns.append(NONE if node.value is None else self.value(node.value, scope))

    def _raise(self, node: ast.Raise, scope: Scope) -> None:
        return None

    def _break(self, node: ast.Break, scope: Scope) -> None:
        self.frame.breaks.append(scope)

    def _continue(self, node: ast.Continue, scope: Scope) -> None:
        self.frame.continues.append(scope)

    def _nothing(self, node: ast.stmt, scope: Scope) -> Scope:
        return scope

    _pass = _delete = _assert = _nothing

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> Scope:
        for alias in node.names:
            scope[(alias.asname or alias.name).split(".")[0]] = UNKNOWN
        return scope

    _importfrom = _import

    def _functiondef(self, node: ast.FunctionDef, scope: Scope) -> Scope:
        # A decorated function may return anything.
        closure = Closure(node, dict(scope), self.frame.module)  # type: ignore[arg-type]
        scope[node.name] = UNKNOWN if node.decorator_list else closure
        return scope

    def _assign(self, node: ast.Assign, scope: Scope) -> Scope:
        value = self.value(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)
        return scope

    def _annassign(self, node: ast.AnnAssign, scope: Scope) -> Scope:
        if node.value is not None:
            self.assign(node.target, self.value(node.value, scope), scope)
        return scope

    def _augassign(self, node: ast.AugAssign, scope: Scope) -> Scope:
        left = self.value(loaded(node.target), scope)
        self.assign(node.target, self.operate(node.op, left, self.value(node.value, scope)), scope)
        return scope

    def _expr(self, node: ast.Expr, scope: Scope) -> Scope:
        if not self._grows(node.value, scope):
            self.value(node.value, scope)
        return scope

    def _grows(self, node: ast.expr, scope: Scope) -> bool:
        """`name.append(x)` and its relatives, on a list that is held by a name."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        owner, name = node.func.value, node.func.attr
        if not (isinstance(owner, ast.Name) and name in ("append", "extend", "insert")):
            return False
        value = scope.get(owner.id, UNKNOWN)
        if not isinstance(value, Seq):
            return False
        given = [self.value(one, scope) for one in node.args]
        if name == "insert":
            at = given[0]
            if at != Const(0):
                scope[owner.id] = Seq((Star(join_all([as_element(value), given[1]])),))
                return True
            scope[owner.id] = Seq((given[1], *value.items))
            return True
        more = (given[0],) if name == "append" else as_items(given[0])
        scope[owner.id] = short(Seq(value.items + more))
        return True

    def _with(self, node: ast.With, scope: Scope) -> Scope | None:
        for item in node.items:
            if item.optional_vars is not None:
                self.assign(item.optional_vars, UNKNOWN, scope)
        return self._block(node.body, scope)

    def _try(self, node: ast.Try, scope: Scope) -> Scope | None:
        # TensorFlow's gradient functions use `except` only for objects that lack an attribute that ops under a
        # tape have (skip_input_indices), so the handlers are not followed.
        after = self._block(node.body, scope)
        after = self._block(node.orelse, after)
        return self._block(node.finalbody, after)

    def _if(self, node: ast.If, scope: Scope) -> Scope | None:
        decided = self.truth(node.test, scope)
        if decided is not None:
            return self._block(node.body if decided else node.orelse, scope)
        then, other = dict(scope), dict(scope)
        narrow(node.test, then, True)
        narrow(node.test, other, False)
        return merge([self._block(node.body, then), self._block(node.orelse, other)])

    def _while(self, node: ast.While, scope: Scope) -> Scope | None:
        return self._repeat(node.body, [None] * _MAX_ROUNDS, None, scope)

    def _for(self, node: ast.For, scope: Scope) -> Scope | None:
        items = as_items(self.value(node.iter, scope))
        if any(isinstance(item, Star) for item in items):
            element = join_all([item.element if isinstance(item, Star) else item for item in items])
            return self._repeat(node.body, [element] * _MAX_ROUNDS, node.target, scope)
        after: Scope | None = scope
        left: list[Scope] = []
        for item in items:
            if after is None:
                break
            self.assign(node.target, item, after)
            after, broken = self._round(node.body, after)
            left += broken
        return merge([after, *left])

    def _round(self, body: Sequence[ast.stmt], scope: Scope) -> tuple[Scope | None, list[Scope]]:
        breaks, continues = self.frame.breaks, self.frame.continues
        self.frame.breaks, self.frame.continues = [], []
        after = self._block(body, scope)
        after = merge([after, *self.frame.continues])
        broken = self.frame.breaks
        self.frame.breaks, self.frame.continues = breaks, continues
        return after, broken

    def _repeat(
        self, body: Sequence[ast.stmt], elements: Sequence[Abstract | None], target: ast.expr | None, scope: Scope
    ) -> Scope | None:
        """A loop of unknown length: what its first rounds lead to, joined."""
        seen: list[Scope | None] = [dict(scope)]
        now: Scope | None = scope
        for element in elements:
            if now is None:
                break
            now = dict(now)
            if target is not None and element is not None:
                self.assign(target, element, now)
            now, broken = self._round(body, now)
            seen += [now, *broken]
        return merge(seen)

    def assign(self, target: ast.expr, value: Abstract, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value, scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            held = scope.get(target.value.id, UNKNOWN)
            scope[target.value.id] = self._replaced(held, self.value(target.slice, scope), value)

    @staticmethod
    def _replaced(held: Abstract, index: Abstract, value: Abstract) -> Abstract:
        if not isinstance(held, Seq):
            return held
        exact = not any(isinstance(item, Star) for item in held.items)
        if exact and isinstance(index, Const) and isinstance(index.value, int):
            items = list(held.items)
            if -len(items) <= index.value < len(items):
                items[index.value] = value
                return Seq(tuple(items))
        return Seq(tuple(join(item, value) for item in held.items))

    def _unpack(self, targets: Sequence[ast.expr], value: Abstract, scope: Scope) -> None:
        items = as_items(value)
        exact = not any(isinstance(item, Star) for item in items)
        if exact and len(items) == len(targets) and not any(isinstance(one, ast.Starred) for one in targets):
            for one, item in zip(targets, items, strict=True):
                self.assign(one, item, scope)
            return
        element = join_all([item.element if isinstance(item, Star) else item for item in items])
        for one in targets:
            self.assign(one, Seq((Star(element),)) if isinstance(one, ast.Starred) else element, scope)
