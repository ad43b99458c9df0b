"""Labels of shape (n,) and a prediction of shape (n, 1) that NumPy broadcasts to (n, n), and that are averaged then.

The shape of the prediction is seen, and so are the arrays that are there when `predict` returns. What becomes of them
is read in the lines that follow, and in the functions that these hand them to. Nothing is called, and nothing watched.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

Shape = tuple[int, ...]
_EACH, _MOST = 2, 40
"""So many predictions of each line, and so many in all, are followed."""
_REDUCING = frozenset({"mean", "sum", "average", "median", "nanmean", "nansum", "reduce_mean", "reduce_sum"})
_UFUNCS = frozenset({"subtract", "divide", "true_divide", "multiply", "power", "equal", "not_equal", "greater", "less"})
_SAME = frozenset(
    {"abs", "absolute", "square", "sqrt", "log", "exp", "round", "rint", "sign", "astype", "copy", "clip"}
)
"""Functions and methods whose result has the shape of their first argument, or of their object."""
_FACTS: dict[tuple[str, int], Observed] = {}
_AT: dict[Location, int] = {}


class _Pairs(NamedTuple):
    """An operation, and the shapes of its two sides."""

    node: ast.expr
    left: tuple[ast.expr, Shape]
    right: tuple[ast.expr, Shape]


def clear() -> None:
    """Forget what was seen."""
    _FACTS.clear()
    _AT.clear()


def facts() -> Iterator[Observed]:
    """One for each line that pairs all samples with all samples."""
    yield from _FACTS.values()


def predicted(result: Any, at: Location, user: UserCode) -> None:
    """Follow a prediction at a line, if it is one column."""
    shape: Shape = getattr(result, "shape", ())
    if len(shape) != 2 or shape[1] != 1 or shape[0] < 2 or not hasattr(result, "strides"):
        return
    count = _AT[at] = _AT.get(at, 0) + 1
    if count > _EACH or sum(_AT.values()) > _MOST:
        return
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not user.owns(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is not None and frame.f_code.co_filename == at.file:
        _follow(_Scope(frame, Sources(), user), at, shape)


def _follow(scope: _Scope, at: Location, shape: Shape) -> None:
    sources = scope.sources
    statement = sources.statement(at)
    around: ast.AST | None = sources.function(at, lambdas=False) or sources.tree(at.file)
    inside = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
    calls = [each for each in inside if reading.callee(each) == "predict"]
    if statement is None or around is None or len(calls) != 1:
        return
    scope.calls[id(calls[0])] = shape
    for each in _statements(around):
        if each.lineno < statement.lineno:
            continue
        for file, pairs in scope.run(each, around, at.file):
            if {pairs.left[1], pairs.right[1]} == {(shape[0],), shape}:
                fact = _fact(file, pairs, shape[0], at, sources)
                if fact.location is not None:
                    _FACTS.setdefault((fact.location.file, fact.location.line), fact)


def _statements(scope: ast.AST) -> list[ast.stmt]:
    """The simple statements of a scope, in the order of the text."""
    found = [each for each in reading.own(scope) if isinstance(each, ast.stmt)]
    return sorted((each for each in found if not hasattr(each, "body")), key=lambda each: each.lineno)


class _Scope:
    """The shapes of simple expressions in a function: of what is there by now, and of what lines give to names."""

    def __init__(self, frame: types.FrameType, sources: Sources, user: UserCode) -> None:
        self.sources, self._user = sources, user
        self._local, self._global = locals_of(frame), frame.f_globals
        self.calls: dict[int, Shape] = {}
        self._named: dict[str, Shape | None] = {}

    def run(self, statement: ast.stmt, around: ast.AST, file: str) -> Iterator[tuple[str, _Pairs]]:
        """The pairs that a statement computes and averages, and those in functions that it calls."""
        for node in ast.walk(statement):
            if isinstance(node, ast.expr):
                pairs = self._pairs(node)
                if pairs is not None and _is_averaged(node, statement, around):
                    yield file, pairs
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from self._within(node, node.func.id)
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                for name in (each.id for each in ast.walk(target) if isinstance(each, ast.Name)):
                    self._named[name] = self.shape(statement.value) if isinstance(target, ast.Name) else None

    def _within(self, call: ast.Call, name: str) -> Iterator[tuple[str, _Pairs]]:
        """The pairs in a function of the program, which is called with these arrays."""
        function = self._local.get(name, self._global.get(name))
        if not isinstance(function, types.FunctionType) or not self._user.owns(function.__code__.co_filename):
            return
        file = function.__code__.co_filename
        tree = self.sources.tree(file)
        node = reading.definition(tree, function.__code__) if tree is not None else None
        if node is None:
            return
        inner = _Inner(self, function)
        parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        given = [*zip(parameters, call.args), *((each.arg, each.value) for each in call.keywords)]
        inner._named = dict.fromkeys(parameters) | {key: self.shape(value) for key, value in given if key is not None}
        for each in _statements(node):
            for where, pairs in inner.run(each, node, file):
                if where == file:
                    yield where, pairs

    def _pairs(self, node: ast.expr) -> _Pairs | None:
        sides = _sides(node)
        shapes = [self.shape(each) for each in sides] if sides is not None else []
        if sides is None or shapes[0] is None or shapes[1] is None or sorted(map(len, shapes)) != [1, 2]:  # type: ignore[arg-type]
            return None
        return _Pairs(node, (sides[0], shapes[0]), (sides[1], shapes[1]))

    def shape(self, node: ast.expr) -> Shape | None:
        """Return the shape that an expression has; None when that is not plain."""
        if id(node) in self.calls:
            return self.calls[id(node)]
        if isinstance(node, ast.Constant):
            return () if isinstance(node.value, (int, float)) else None
        if isinstance(node, ast.UnaryOp):
            return self.shape(node.operand)
        sides = _sides(node)
        if sides is not None:
            left, right = (self.shape(each) for each in sides)
            return left if right in ((), left) else right if left == () else None
        if isinstance(node, ast.Call):
            if reading.callee(node) not in _SAME:
                return None
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            held = self.shape(inner) if inner is not None else None
            return held if held is not None else self.shape(node.args[0]) if node.args else None
        if isinstance(node, ast.Name) and node.id in self._named:
            return self._named[node.id]
        value = self._value(node)
        shape = getattr(value, "shape", None)
        return shape if isinstance(shape, tuple) and hasattr(value, "strides") else None

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return self._local.get(node.id, self._global.get(node.id)) if node.id not in self._named else None
        if isinstance(node, ast.Attribute):
            return getattr(self._value(node.value), "__dict__", {}).get(node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            held = self._value(node.value)
            return held.get(node.slice.value) if type(held) is dict else None
        return None


class _Inner(_Scope):
    """A function that is called later: only its arguments are known, and what is global."""

    def __init__(self, outer: _Scope, function: types.FunctionType) -> None:
        self.sources, self._user = outer.sources, outer._user
        self._local, self._global = {}, function.__globals__
        self.calls, self._named = {}, {}

    def _within(self, call: ast.Call, name: str) -> Iterator[tuple[str, _Pairs]]:
        return iter(())


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return node.left, node.comparators[0]
    if isinstance(node, ast.Call) and reading.callee(node) in _UFUNCS and len(node.args) == 2:
        return node.args[0], node.args[1]
    return None


def _axis_at(call: ast.Call) -> int:
    """The position of the axis: the first argument of a method, the second one of a function of a module."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    module = isinstance(held, ast.Name) and held.id in ("np", "numpy", "tf", "tensorflow", "K", "ops", "jnp")
    return 1 if module or held is None else 0


def _is_averaged(node: ast.expr, statement: ast.stmt, around: ast.AST) -> bool:
    """Return whether a sum or mean is taken of an expression, or of the name that its statement gives it."""
    names = {each.id for each in getattr(statement, "targets", ()) if isinstance(each, ast.Name)}
    for call in (each for each in ast.walk(around) if isinstance(each, ast.Call)):
        if reading.callee(call) not in _REDUCING or reading.argument(call, _axis_at(call), "axis") is not None:
            continue
        for each in ast.walk(call):
            if each is node or (isinstance(each, ast.Name) and each.id in names and call.lineno > statement.lineno):
                return True
    return False


def _fact(file: str, pairs: _Pairs, size: int, at: Location, sources: Sources) -> Observed:
    location = sources.place(file, pairs.node)
    (left, left_shape), (right, right_shape) = pairs.left, pairs.right
    column, flat = (left, right) if len(left_shape) == 2 else (right, left)
    one, other, written = (f"`{ast.unparse(each)}`" for each in (left, right, pairs.node))
    same = (
        f"{ast.unparse(column)}[:, 0]" if isinstance(column, ast.Name) else f"numpy.squeeze({ast.unparse(column)}, 1)"
    )
    return Observed(
        slug="accidental-broadcast",
        message=f"{written} broadcasts {left_shape} and {right_shape} to {(size, size)}: the mean is over every value "
        f"of {one} with every value of {other}",
        label=f"{one} has shape {left_shape}, {other} has {right_shape}",
        location=location,
        related=(Marked.at(at, "this prediction has one column", "predicted"),) if at.file == file else (),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary=f"give both the same shape: `{same}`",
                caveat=f"unless every pair is meant: then write the axis explicitly, `{ast.unparse(flat)}[None, :]`",
            ),
        ),
    )
