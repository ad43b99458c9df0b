"""Labels of shape (n,) and predictions of shape (n, 1) that NumPy broadcasts to (n, n), and that are averaged then.

NumPy asks nobody. So for a short while after `predict` gave one column, calls are looked at as a profiler does: is a
sum or mean taken of an array with an element for each pair of samples? Only then variables are looked at.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_EVENTS, _WINDOWS, _EACH = 20_000, 40, 3
"""So many calls are looked at after a prediction, after so many predictions in all, and after so many of each line."""
_BETWEEN = 2
_REDUCING = frozenset({"mean", "sum", "average", "median", "nanmean", "nansum", "reduce_mean", "reduce_sum"})
_FIRST = ("a", "input_tensor", "x")
"""What functions call the array that they reduce."""
_UFUNCS = frozenset({"subtract", "divide", "true_divide", "multiply", "power", "equal", "not_equal", "greater", "less"})
_SAME = frozenset(
    {"abs", "absolute", "square", "sqrt", "log", "exp", "round", "rint", "sign", "astype", "copy", "clip"}
)
"""Functions and methods whose result has the shape of their first argument, or of their object."""
_PAIRED: dict[tuple[str, int], Observed] = {}
_AT: dict[Location, int] = {}


def clear() -> None:
    """Forget what was seen."""
    _PAIRED.clear()
    _AT.clear()


def facts() -> Iterator[Observed]:
    """One for each line that pairs all samples with all samples."""
    yield from _PAIRED.values()


def predicted(result: Any, at: Location, user: UserCode) -> None:
    """Look at what becomes of a prediction at a line, if it is one column."""
    shape: tuple[int, ...] = getattr(result, "shape", ())
    if len(shape) != 2 or shape[1] != 1 or shape[0] < 2 or not hasattr(result, "strides"):
        return
    count = _AT[at] = _AT.get(at, 0) + 1
    if count > _EACH or sum(_AT.values()) > _WINDOWS or (sys.getprofile() is not None and not _is_ours()):
        return
    sys.setprofile(_Look(int(shape[0]), at, user))


def _is_ours() -> bool:
    return isinstance(sys.getprofile(), _Look)


class _Look:
    """What Python tells of each call, until one pairs the samples or there were enough. It holds no array."""

    def __init__(self, size: int, at: Location, user: UserCode) -> None:
        self._pairs = (size, size)
        self._at, self._user = at, user
        self._left = _EVENTS

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        self._left -= 1
        try:
            if self._left < 0 or (event in ("c_call", "call") and self._looked(frame, event, arg)):
                sys.setprofile(None)
        except Exception:  # the bulkhead: this look is over
            sys.setprofile(None)

    def _looked(self, frame: FrameType, event: str, arg: Any) -> bool:
        if event == "c_call":
            if arg.__name__ not in _REDUCING or getattr(arg.__self__, "shape", None) != self._pairs:
                return False
            user: FrameType | None = frame
        else:
            if frame.f_code.co_name not in _REDUCING or self._user.owns(frame.f_code.co_filename):
                return False
            given = locals_of(frame)
            reduced = next((given[name] for name in _FIRST if name in given), None)
            if getattr(reduced, "shape", None) != self._pairs:
                return False
            user = frame.f_back
            for _ in range(_BETWEEN):  # what older versions of NumPy put around each function
                if user is not None and not self._user.owns(user.f_code.co_filename):
                    user = user.f_back
        if user is None or not self._user.owns(user.f_code.co_filename):
            return False
        found = _paired(user, self._pairs[0])
        if found is not None:
            node, left, right = found
            fact = _fact(user, node, left, right, self._pairs, self._at)
            if fact is not None and fact.location is not None:
                _PAIRED.setdefault((fact.location.file, fact.location.line), fact)
        return found is not None


class _Side(NamedTuple):
    node: ast.expr
    shape: tuple[int, ...]


def _paired(frame: FrameType, size: int) -> tuple[ast.expr, _Side, _Side] | None:
    """The last operation of a running function, up to its present line, that pairs (n,) with (n, 1)."""
    sources, values = Sources(), _Values(frame)
    at = Location(file=frame.f_code.co_filename, line=frame.f_lineno)
    scope: ast.AST | None = sources.function(at) or sources.tree(at.file)
    statement = sources.statement(at)
    last = (statement.end_lineno if statement is not None else None) or at.line
    found = None
    for node in reading.own(scope) if scope is not None else ():
        sides = _sides(node)
        if sides is None or not isinstance(node, ast.expr) or node.lineno > last:
            continue
        left, right = (values.shape(each) for each in sides)
        if {left, right} == {(size,), (size, 1)} and (found is None or node.lineno >= found[0].lineno):
            assert left is not None and right is not None
            found = node, _Side(sides[0], left), _Side(sides[1], right)
    return found


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return node.left, node.comparators[0]
    if isinstance(node, ast.Call) and reading.callee(node) in _UFUNCS and len(node.args) == 2:
        return node.args[0], node.args[1]
    return None


class _Values:
    """The shapes of simple expressions in a running function. Nothing of the program is called."""

    def __init__(self, frame: FrameType) -> None:
        self._local, self._global = locals_of(frame), frame.f_globals

    def shape(self, node: ast.expr) -> tuple[int, ...] | None:
        """Return the shape that an expression has; None when that is not plain."""
        if isinstance(node, ast.Constant):
            return () if isinstance(node.value, (int, float)) else None
        if isinstance(node, ast.UnaryOp):
            return self.shape(node.operand)
        sides = _sides(node)
        if sides is not None:
            left, right = (self.shape(each) for each in sides)
            return left if right in ((), left) else right if left == () else None
        if isinstance(node, ast.Call) and reading.callee(node) in _SAME:
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            held = self.shape(inner) if inner is not None else None
            return held if held is not None else self.shape(node.args[0]) if node.args else None
        value = self._value(node)
        shape = getattr(value, "shape", None)
        return shape if isinstance(shape, tuple) and hasattr(value, "strides") else None

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return self._local.get(node.id, self._global.get(node.id))
        if isinstance(node, ast.Attribute):
            held = self._value(node.value)
            return getattr(held, "__dict__", {}).get(node.attr)
        return None


def _fact(
    frame: FrameType, node: ast.expr, left: _Side, right: _Side, pairs: tuple[int, int], at: Location
) -> Observed | None:
    location = Sources().place(frame.f_code.co_filename, node)
    column = left if len(left.shape) == 2 else right
    flat = right if column is left else left
    one, other = (f"`{ast.unparse(each.node)}`" for each in (left, right))
    written, axis = ast.unparse(column.node), f"{ast.unparse(flat.node)}[None, :]"
    same = f"{written}[:, 0]" if isinstance(column.node, ast.Name) else f"numpy.squeeze({written}, 1)"
    return Observed(
        slug="accidental-broadcast",
        message=f"`{ast.unparse(node)}` broadcasts {left.shape} and {right.shape} to {pairs}: the mean is over every "
        f"value of {one} with every value of {other}",
        label=f"{one} has shape {left.shape}, {other} has {right.shape}",
        location=location,
        related=(Marked.at(at, "this prediction has one column", "predicted"),) if at.file == location.file else (),
        severity="warning",
        fixes=(
            Fix(
                summary=f"give both the same shape: `{same}`",
                caveat=f"unless every pair is meant: then write the axis explicitly, `{axis}`",
            ),
        ),
    )
