"""What the parts of a condition were in the frame that asked it: shapes, types and sizes included.

Beyond names and plain attributes, only a few properties of a library's own objects are read (`x.shape`, `len(x)`),
which the library itself had just read. Nothing of the program's runs.
"""

from __future__ import annotations

import ast
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.recording.locations import UserCode

_PROPERTIES = {"shape", "dtype", "ndim", "ndims", "rank", "name", "size", "value", "layout", "device", "key_dtype"}
_METHODS = {"get_shape", "as_list", "dim", "ndimension", "size", "numel", "nelement", "keys", "lower", "upper", "strip"}
_TESTS = {"endswith", "startswith", "is_compatible_with", "is_subtype_of", "is_fully_defined"}
_SIZES: dict[str, Callable[[Any], Any]] = {
    "len": len,
    "type": type,
    "tuple": tuple,
    "list": list,
    "set": set,
    "sorted": sorted,
    "min": min,
    "max": max,
}
_PLAIN = (bool, int, float, str, bytes, type(None))
_LONGEST = 60
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other, ast.NotIn: lambda one, other: one not in other,
}  # fmt: skip


class Look:
    """Evaluates expressions as they stood in a frame; MISSING where code of the program would have to run."""

    def __init__(self, frame: types.FrameType, user: UserCode) -> None:
        self._frame, self._user = frame, user

    def at(self, node: ast.AST) -> Any:
        """What an expression stood for."""
        try:
            return self._at(node)
        except Exception:  # a property of a library's object may raise anything: then it is unknown
            return MISSING

    def truth(self, node: ast.AST) -> bool | None:
        """Return whether a condition held; None where that is unknown."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return None if inner is None else not inner
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(each) for each in node.values]
            deciding = isinstance(node.op, ast.Or)
            return deciding if deciding in parts else None if None in parts else not deciding
        found = self.at(node)
        return bool(found) if isinstance(found, (*_PLAIN, tuple, list, dict)) else None

    def _at(self, node: ast.AST) -> Any:
        found = values.value(node, self._frame)
        if found is not MISSING:
            return found
        if isinstance(node, ast.Attribute):
            owner = self._at(node.value)
            return getattr(owner, node.attr) if node.attr in _PROPERTIES and self._foreign(owner) else MISSING
        if isinstance(node, ast.Call) and not node.keywords:
            return self._called(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self._at(each) for each in node.elts]
            return MISSING if any(each is MISSING for each in parts) else tuple(parts)
        if isinstance(node, ast.Slice):
            return slice(*(None if each is None else self._at(each) for each in (node.lower, node.upper, node.step)))
        if isinstance(node, ast.Subscript):
            owner, key = self._at(node.value), self._at(node.slice)
            fits = isinstance(key, (int, slice)) and (isinstance(owner, (list, tuple)) or is_shape(owner))
            return owner[key] if fits else MISSING
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._at(node.operand)
            return -inner if isinstance(inner, (int, float)) else MISSING
        if isinstance(node, ast.BinOp):
            left, right = self._at(node.left), self._at(node.right)
            plain = isinstance(left, int) and isinstance(right, int) and type(node.op) in _ARITHMETIC
            return _ARITHMETIC[type(node.op)](left, right) if plain else MISSING
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._compared(node.ops[0], self._at(node.left), self._at(node.comparators[0]))
        return MISSING

    def _called(self, node: ast.Call) -> Any:
        given = [self._at(each) for each in node.args]
        if any(each is MISSING for each in given):
            return MISSING
        if isinstance(node.func, ast.Name):
            if node.func.id == "isinstance" and len(given) == 2:
                return isinstance(given[0], given[1]) if not _is_proxy(given[0]) else MISSING
            safe = len(given) == 1 and (node.func.id == "type" or self._sized(given[0]))
            return _SIZES[node.func.id](given[0]) if node.func.id in _SIZES and safe else MISSING
        if isinstance(node.func, ast.Attribute):
            owner = self._at(node.func.value)
            axis = node.func.attr == "size" and len(given) == 1 and type(given[0]) is int
            known = (node.func.attr in _METHODS and not given) or node.func.attr in _TESTS or axis
            if known and not isinstance(owner, types.ModuleType) and self._foreign(owner):
                return getattr(owner, node.func.attr)(*given)
        return MISSING

    def _compared(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if left is MISSING or right is MISSING:
            return MISSING
        if isinstance(op, (ast.Is, ast.IsNot)):
            return _COMPARED[type(op)](left, right)
        if not all(shown(each) or isinstance(each, (list, tuple, dict, set)) for each in (left, right)):
            return MISSING  # comparing tensors would compute
        return bool(_COMPARED[type(op)](left, right))

    def _sized(self, thing: Any) -> bool:
        return type(thing) in (list, tuple, dict, set, frozenset, str) or is_shape(thing)

    def _foreign(self, thing: Any) -> bool:
        """Return whether no code of the program's runs when a property of this is read."""
        if thing is MISSING or thing is None or _is_proxy(thing):
            return False
        for cls in type(thing).__mro__:
            module = cls.__module__
            file = getattr(sys.modules.get(module), "__file__", None) or ""
            if module == "__main__" or (file and self._user.owns(file)):
                return False
        return True


def _is_proxy(thing: object) -> bool:
    """Return whether an object passes for one of another class: asking it for anything runs code."""
    return getattr(type(thing), "__class__", type) is property


def is_shape(thing: object) -> bool:
    """Return whether this is a framework's shape, which is no plain tuple."""
    return "shape" in type(thing).__name__.lower() and hasattr(type(thing), "__getitem__")


def shown(thing: Any) -> str:
    """A value in few characters as a reader knows it; empty where it has no such form."""
    if thing is MISSING:
        return ""
    kind = type(thing).__name__
    if isinstance(thing, _PLAIN):
        text = repr(thing)
    elif isinstance(thing, type):
        text = thing.__name__
    elif kind.lower() in ("dtype", "dtypepolicy", "keras_type") or kind.endswith("DType"):
        text = str(getattr(thing, "name", thing))
    elif is_shape(thing) or kind.endswith("Spec") or kind == "Size":
        text = str(tuple(thing)) if kind == "Size" else str(thing)
    elif kind == "Dimension":
        text = str(thing.value)
    elif kind in ("dict_keys", "KeysView"):
        text = ", ".join(map(repr, thing)) if all(isinstance(each, str) for each in thing) else ""
    elif isinstance(thing, (tuple, list, set, frozenset)):
        parts = ["" if isinstance(each, dict) else shown(each) for each in list(thing)[:12]]
        text = _listed(thing, parts) if all(parts) else ""
    elif type(thing) is dict:
        text = ", ".join(map(repr, thing)) if thing and all(isinstance(each, str) for each in thing) else ""
    else:
        text = ""
    return text if len(text) <= _LONGEST else ""


def _listed(thing: Any, parts: list[str]) -> str:
    more = ["..."] if len(thing) > len(parts) else []
    inside = ", ".join(parts + more)
    if isinstance(thing, list):
        return f"[{inside}]"
    return f"({inside},)" if len(thing) == 1 else f"({inside})"
