"""Recognises what a program asked of a symbolic tensor that only a value can give.

Either the tensor's own class refused (`__bool__`, `__iter__`, `__array__`, a missing attribute): a frame or the
exception holds the tensor. Or Python or a library refused what it was given: then the syntax of the failed line tells,
with what its names stood for. An exception's type narrows the choice; its text is never read.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

Kind = Literal[
    "method", "numpy", "call", "truth", "iteration", "elements", "length", "index", "key", "format", "dimension"
]

_ERRORS = (TypeError, AttributeError, NotImplementedError, ValueError, IndexError, RuntimeError)
_STRING_METHODS = frozenset(name for name in (*dir(str), *dir(bytes), "read", "seek") if not name.startswith("_"))
_OF_VALUES = {"numpy", "_numpy", "__array_interface__", "__int__", "__float__", "__index__"}
_OF_VALUES |= {name for name in dir(np.ndarray) if not name.startswith("_")}
_REFUSALS: dict[str, Kind] = {
    "_disallow_bool_casting": "truth",
    "__bool__": "truth",
    "_disallow_iteration": "iteration",
    "__iter__": "iteration",
    "__len__": "length",
    "__array__": "numpy",
    "__hash__": "key",
    "numpy": "method",
    "_disallow_inside_tf_function": "method",
    "disallow_inside_tf_function": "method",
}
_NEEDS_VALUE = (float, int, complex, range, round, bool, slice, hex, bin, chr, open, enumerate, zip, map, sum, any, all)
_ASKING: dict[Kind, tuple[Any, ...]] = {
    "truth": (max, min, sorted, any, all, bool),
    "iteration": (max, min, sorted, any, all, sum, map, zip, enumerate),
}
"""What of Python's own asks a tensor whether it is true, or for its elements."""
_WHOLE_RUNS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")
"""Methods of models that loop over data. Keras 2 has them refuse inside of a trace, Keras 3 fails in the loop."""
_FRAMEWORKS = ("tensorflow", "keras", "tf_keras", "tensorflow_probability", "builtins", "")


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """`tensor` is None when no name held it: it came fresh out of a call, and only its text is known.

    `near` is then a symbolic tensor of the same frame, which tells the graph.
    """

    kind: Kind
    name: str
    tensor: Any | None
    text: str
    used: Location
    place: UserStack
    near: Any | None = None


def find(live: LiveFailure, sources: Sources) -> Operation | None:
    """The operation that failed the program, if it is one that needs a value."""
    for place in live.roots():
        if isinstance(place.exception, _ERRORS):
            line = _Line(place, live, sources)
            found = line.refused() or line.questioned() or line.given()
            if found is not None:
                return found
    return None


class _Line:
    """The line that failed with one exception, and what its parts stood for."""

    def __init__(self, place: UserStack, live: LiveFailure, sources: Sources) -> None:
        self._place, self._live = place, live
        self._heads = operands.nodes(place, sources)
        self._nodes = [each for head in self._heads for each in ast.walk(head)]
        self._calls = [
            (each, operands.value_of(each.func, place)) for each in self._nodes if isinstance(each, ast.Call)
        ]

    def _told(self, kind: Kind, name: str, tensor: Any | None, text: str, near: Any | None = None) -> Operation:
        used = self._place.own.location
        return Operation(kind=kind, name=name, tensor=tensor, text=text, used=used, place=self._place, near=near)

    # The tensor, a variable, or a model of Keras refused.

    def refused(self) -> Operation | None:
        """What a method of the tensor's refused, or the attribute that it has not."""
        found = self._by_frame() or self._by_attribute()
        if found is None:
            return None
        kind, name, tensor = found
        if kind == "method":
            return self._method(name, tensor)
        name, text = "", self._text(tensor)
        for call, function in self._calls:
            parts = [ast.unparse(each) for each in _elements(call)]
            own = [ast.unparse(each) for each in call.args if not isinstance(each, ast.Constant)]
            asks = any(function is each for each in _ASKING.get(kind, ()))
            if asks or (kind == "numpy" and _module(function) == "numpy") or (kind == "dimension" and text in parts):
                name = name or ast.unparse(call.func)
                text = text or (own[0] if own and (asks or len(call.args) == 1) else "")
        if kind == "key":
            name = name or next(filter(None, map(_looked_into, self._nodes)), "")
        elif kind == "length" and not any(function is len for _, function in self._calls):
            kind, name, text = self._counted(tensor) or (kind, name, text)
        question = self._question(kind)
        return self._told(kind, name, tensor, text or (ast.unparse(question) if question is not None else ""))

    def _by_frame(self) -> tuple[Kind, str, Any] | None:
        error = self._place.exception
        for frame in self._place.inner:
            function, held = frame.frame.f_code.co_name, frame.frame.f_locals
            owner = held.get("self")
            loops = function in _WHOLE_RUNS and packages.kind_of(owner) == "model"
            loops = loops and not self._place.raised.file.endswith("distribute/distribute_lib.py")  # by a strategy
            if loops and any(symbolic.is_symbolic(held.get(name)) for name in ("x", "y")):
                return "method", function, None
            dimension = _dimension(function, owner, held)
            if dimension is not None:
                return "dimension", "", dimension
            kind = _REFUSALS.get(function)
            if kind is None:
                continue
            if kind == "iteration" and isinstance(owner, tf.data.Dataset) and isinstance(error, RuntimeError):
                return None if tf.executing_eagerly() else ("elements", "", None)
            if symbolic.is_symbolic(owner) and kind != "method":
                return kind, function, owner
            if kind == "method" and isinstance(owner, tf.Variable) and not isinstance(error, AttributeError):
                return kind, "numpy", None
            if "method_name" in held:
                return kind, str(held["method_name"]), None
        return None

    def _by_attribute(self) -> tuple[Kind, str, Any] | None:
        """`.numpy()`, and what strings and NumPy's arrays have: symbolic tensors have no such attributes."""
        error = self._place.exception
        name: Any = getattr(error, "name", None)
        tensor: Any = getattr(error, "obj", None)
        if not isinstance(error, AttributeError) or not isinstance(name, str) or not symbolic.is_symbolic(tensor):
            return None
        of_text = name in _STRING_METHODS and tensor.dtype == tf.string
        return ("method", name, tensor) if of_text or name in _OF_VALUES else None

    def _method(self, name: str, tensor: Any | None) -> Operation:
        """A method that the line calls, or that a library called of what the line gave to it."""
        owners = (each.value for each in self._nodes if isinstance(each, ast.Attribute) and each.attr == name)
        text = next(map(ast.unparse, owners), "")
        if text:
            return self._told("method", name, tensor, text)
        if tensor is None:
            held = (frame.frame.f_locals.get("self") for frame in self._place.inner)
            tensor = next((each for each in held if symbolic.is_symbolic(each)), None)
        if tensor is not None:
            callee, text = self._handed(tensor) or ("", "")
            return self._told("call" if callee else "method", callee or name, tensor, text)
        arrays = [call for call, function in self._calls if _module(function) == "numpy"] if name == "numpy" else []
        if not arrays:  # else a variable, perhaps within one of Keras 3
            return self._told("method", name, None, "")
        text = ast.unparse(arrays[0].args[0]) if len(arrays[0].args) == 1 else ""
        return self._told("numpy", ast.unparse(arrays[0].func), None, text)

    def _handed(self, tensor: Any) -> tuple[str, str] | None:
        """The call of a library by which the user handed it the tensor, and the text of that argument.

        A tensor without a name came out of what stands there; then the library's frames tell which call it was.
        """
        running = {frame.frame.f_code.co_name for frame in self._place.inner}
        unnamed = None
        for call, _ in self._calls:
            for given in (*call.args, *(each.value for each in call.keywords)):
                if isinstance(given, (ast.Name, ast.Attribute)) and self._text(tensor, given):
                    return ast.unparse(call.func), ast.unparse(given)
            if isinstance(call.func, ast.Attribute) and call.func.attr in running and len(call.args) == 1:
                unnamed = unnamed or (ast.unparse(call.func), ast.unparse(call.args[0]))
        return unnamed

    def _counted(self, tensor: Any) -> tuple[Kind, str, str] | None:
        """The library's function that asked for the length, where the user's line has no `len` of its own."""
        called = {ast.unparse(call.func): _module(function) for call, function in self._calls}
        foreign = {name: library for name, library in called.items() if library not in _FRAMEWORKS}
        name, text = self._handed(tensor) or (next(iter(foreign)) if len(foreign) == 1 else "", "")
        return ("numpy" if foreign[name] == "numpy" else "call", name, text) if name in foreign else None

    def _text(self, tensor: Any, within: ast.AST | None = None) -> str:
        """The user's text for the tensor."""
        heads = [within] if within is not None else self._heads
        named = (each for head in heads for each in operands.symbolic_operands(head, self._place))
        return next((each.text for each in named if each.tensor is tensor), "")

    # Python or a library refused.

    def questioned(self) -> Operation | None:
        """What TensorFlow refused to decide by, or to iterate over, where no frame of the tensor's is left."""
        if not is_disallowed(self._place.exception):
            return None
        for kind in _ASKING:
            question = self._question(kind)
            if question is not None:
                return self._asked(kind, "", question) or self._told(kind, "", None, ast.unparse(question))
        return self.given() or self._told("truth", "", None, "")

    def given(self) -> Operation | None:
        """The operation in the failed syntax that needs a value and was given a symbolic tensor."""
        if _inside_framework(self._place) and not self._rounds():
            return None
        asked = (self._asked(kind, name, each) for kind, name, parts in self._needing() for each in parts)
        return next((each for each in asked if each is not None), None)

    def _needing(self) -> Iterator[tuple[Kind, str, list[ast.expr]]]:
        called = {id(call): function for call, function in self._calls}
        for each in self._nodes:
            if isinstance(each, ast.Call):
                function, name = called[id(each)], ast.unparse(each.func)
                arguments = [*each.args, *(keyword.value for keyword in each.keywords)]
                if function is len:
                    yield "length", name, arguments
                elif _module(function) == "numpy":
                    yield "numpy", name, arguments
                elif any(function is builtin for builtin in _NEEDS_VALUE) or self._is_foreign(function):
                    yield "call", name, arguments
            elif isinstance(each, ast.Subscript) and not isinstance(
                self._place.exception, (ValueError, AttributeError)
            ):
                owner = operands.value_of(each.value, self._place)
                if isinstance(owner, (list, tuple, str)) or type(owner).__module__ == "numpy":
                    yield "index", ast.unparse(each.value), [each.slice]
            elif isinstance(each, ast.FormattedValue) and each.format_spec is not None:
                yield "format", "format", [each.value]

    def _asked(self, kind: Kind, name: str, each: ast.expr) -> Operation | None:
        """The operation, if what it was given is a symbolic tensor, or is computed by a function of TensorFlow."""
        operand, text = next(operands.symbolic_operands(each, self._place), None), ast.unparse(each)
        if operand is not None and operand.text == text:
            return self._told(kind, name, operand.tensor, text)
        near = operand.tensor if operand is not None else None
        inside = {id(part) for part in ast.walk(each)}
        made = any(id(call) in inside and _module(function) in _FRAMEWORKS[:3] for call, function in self._calls)
        return self._told(kind, name, None, text, near) if near is not None or made else None

    def _question(self, kind: Kind) -> ast.expr | None:
        """What the line asks whether it is true, or iterates over."""
        for each in self._nodes:
            if kind == "truth":
                if isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert)):
                    return each.test
                if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
                    return each.operand
                if isinstance(each, (ast.Compare, ast.BoolOp)):
                    return each
            elif kind in ("iteration", "elements"):
                if isinstance(each, (ast.For, ast.comprehension)):
                    return each.iter
                if isinstance(each, ast.Starred):
                    return each.value
                if isinstance(each, ast.Assign) and isinstance(each.targets[0], (ast.Tuple, ast.List)):
                    return each.value
        return None

    def _rounds(self) -> bool:
        """`round(x)` asks the tensor itself, which then fails in TensorFlow's code."""
        names = {frame.frame.f_code.co_name for frame in self._place.inner}
        return any(function is round for _, function in self._calls) and not names.isdisjoint(_ROUNDING)

    def _is_foreign(self, function: Any) -> bool:
        """A function of a library that knows no tensors: mathematics, images, files.

        One that is written in Python must have failed itself: its own frame is the user's innermost call.
        """
        if not isinstance(function, (types.FunctionType, types.BuiltinFunctionType)):
            return False
        code = getattr(function, "__code__", None)
        if code is not None and not any(frame.frame.f_code is code for frame in self._place.inner):
            return False
        own = code is not None and self._live.user.owns(code.co_filename)
        return not own and _module(function) not in _FRAMEWORKS


_ROUNDING = ("around", "round", "__round__")


def _dimension(function: str, owner: Any, held: dict[str, Any]) -> Any | None:
    """The tensor that was to be a number in a static shape, of TensorFlow or of Keras 3."""
    if function == "__init__" and isinstance(owner, tf.compat.v1.Dimension):
        return held.get("value") if symbolic.is_symbolic(held.get("value")) else None
    shape = held.get("shape") if function == "standardize_shape" else None
    sizes = shape if isinstance(shape, (tuple, list)) else ()
    return next((each for each in sizes if symbolic.is_symbolic(each)), None)


def _elements(call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given, and the elements of lists and tuples among it."""
    for each in (*call.args, *(keyword.value for keyword in call.keywords)):
        yield from each.elts if isinstance(each, (ast.List, ast.Tuple)) else (each,)


def _looked_into(node: ast.AST) -> str:
    """The text of the dict or set that was to be searched for a key."""
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value)
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return ast.unparse(node.comparators[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value)
    return ""


def is_disallowed(error: BaseException) -> bool:
    """TensorFlow raises its own subclass of TypeError for truth and iteration, and for nothing else."""
    return isinstance(error, errors_impl.OperatorNotAllowedInGraphError)


def _inside_framework(place: UserStack) -> bool:
    """Whether the exception came out of a function of TensorFlow or Keras that the line had called."""
    for frame in reversed(place.inner):
        file = frame.frame.f_code.co_filename.replace("\\", "/")
        if frame.frame.f_code.co_name in ("error_handler", "wrapper", "converted_call", "_call_unconverted"):
            continue
        if "/autograph/operators/py_builtins" in file:
            continue
        if isinstance(frame.frame.f_locals.get("self"), (list, tuple, dict)):
            continue  # a container that TensorFlow tracks: what it refuses, the plain one refuses
        return any(f"/{name}/" in file for name in ("tensorflow", "keras", "tf_keras"))
    return False


def _module(function: Any) -> str:
    """The package that a function is of; empty where it is unknown."""
    if function is operands.MISSING:
        return ""
    if type(function).__name__ == "ufunc" or type(function).__module__ == "numpy":
        return "numpy"
    module = getattr(function, "__module__", None)
    owner = getattr(function, "__self__", None)
    if module is None and owner is not None:
        module = owner.__name__ if isinstance(owner, types.ModuleType) else type(owner).__module__
    return str(module or "").partition(".")[0]
