"""Recognises what a program asked of a symbolic tensor that only a value can give.

Two kinds of evidence are joined: the frames of the functions that refused (`__bool__`, `__iter__`, `__array__` of the
tensor's own class, AutoGraph's `converted_call` with the callee and its arguments), and the syntax of the line that
failed, with what its names stood for. An exception's type narrows the choice; its text is never read.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
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

_STRING_METHODS = frozenset(name for name in (*dir(str), *dir(bytes), "read", "seek") if not name.startswith("_"))
_ARRAY_METHODS = frozenset(name for name in dir(np.ndarray) if not name.startswith("_"))
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
        if not isinstance(
            place.exception, (TypeError, AttributeError, NotImplementedError, ValueError, IndexError, RuntimeError)
        ):
            continue
        found = _at(place, live, sources)
        if found is not None:
            return found
    return None


def _at(place: UserStack, live: LiveFailure, sources: Sources) -> Operation | None:
    refused = _refused(place)
    if refused is not None:
        kind, name, tensor = refused
        if kind == "method":
            text = next(_attribute_texts(place, name, sources), "")
            tensor = tensor if text or tensor is not None else _receiver(place)
            if not text and tensor is not None:
                handed = _handed(tensor, place, sources)
                kind, name, text = ("call", *handed) if handed is not None else (kind, name, text)
            if not text and tensor is None and name == "numpy":  # a variable, perhaps within one of Keras 3
                callee, given = _callee_and_text("numpy", None, place, sources)
                kind, name, text = ("numpy", callee, given) if callee else (kind, name, text)
        else:
            name, text = _callee_and_text(kind, tensor, place, sources)
            by_library = _counted(tensor, place, sources) if kind == "length" else None
            kind, name, text = by_library or (kind, name, text)
        return Operation(kind=kind, name=name, tensor=tensor, text=text, used=place.own.location, place=place)
    missing = _missing_attribute(place, sources)
    if missing is not None:
        return missing
    for node in operands.nodes(place, sources):
        for found in _in_syntax(node, place, live):
            return found
    return _unnamed(place, sources) if is_disallowed(place.exception) else None


def _unnamed(place: UserStack, sources: Sources) -> Operation:
    """TensorFlow refused truth or iteration of a tensor that no name of the line holds."""
    for node in operands.nodes(place, sources):
        for kind in ("truth", "iteration"):
            text = _questioned(node, kind)
            if text:
                return Operation(kind=kind, name="", tensor=None, text=text, used=place.own.location, place=place)
    return Operation(kind="truth", name="", tensor=None, text="", used=place.own.location, place=place)


def _refused(place: UserStack) -> tuple[Kind, str, Any] | None:
    """The method of a tensor, of a variable, or of a Keras model that refused."""
    for frame in place.inner:
        code, owner = frame.frame.f_code, frame.frame.f_locals.get("self")
        data = [frame.frame.f_locals.get(name) for name in ("x", "y")]
        loops = code.co_name in _WHOLE_RUNS and packages.kind_of(owner) == "model"
        loops = loops and not place.raised.file.endswith("distribute/distribute_lib.py")  # refused by a strategy
        if loops and any(map(symbolic.is_symbolic, data)):
            return "method", code.co_name, None
        dimension = _dimension(code.co_name, owner, frame.frame.f_locals)
        if dimension is not None:
            return "dimension", "", dimension
        kind = _REFUSALS.get(code.co_name)
        if kind is None:
            continue
        if kind == "iteration" and isinstance(owner, tf.data.Dataset) and isinstance(place.exception, RuntimeError):
            return None if tf.executing_eagerly() else ("elements", "", None)
        if symbolic.is_symbolic(owner) and kind != "method":
            return kind, code.co_name, owner
        if kind == "method" and isinstance(owner, tf.Variable) and not isinstance(place.exception, AttributeError):
            return kind, "numpy", None
        if "method_name" in frame.frame.f_locals:
            return kind, str(frame.frame.f_locals["method_name"]), None
    return None


def _dimension(function: str, owner: Any, held: dict[str, Any]) -> Any | None:
    """The tensor that was to be a number in a static shape, of TensorFlow or of Keras 3."""
    if function == "__init__" and isinstance(owner, tf.compat.v1.Dimension):
        return held.get("value") if symbolic.is_symbolic(held.get("value")) else None
    shape = held.get("shape") if function == "standardize_shape" else None
    sizes = shape if isinstance(shape, (tuple, list)) else ()
    return next((each for each in sizes if symbolic.is_symbolic(each)), None)


def _missing_attribute(place: UserStack, sources: Sources) -> Operation | None:
    """`.numpy()`, and what strings and NumPy's arrays have: attributes of values, which symbolic tensors have not."""
    error = place.exception
    name = getattr(error, "name", None)
    tensor: Any = getattr(error, "obj", None)
    if not isinstance(error, AttributeError) or not isinstance(name, str) or not symbolic.is_symbolic(tensor):
        return None
    of_text = name in _STRING_METHODS and tensor.dtype == tf.string
    of_values = name in ("numpy", "__array_interface__", "__int__", "__float__", "__index__", "_numpy")
    if not of_text and not of_values and name not in _ARRAY_METHODS:
        return None
    text = next(_attribute_texts(place, name, sources), "")
    handed = _handed(tensor, place, sources) if not text and of_values else None
    kind, name, text = ("call", *handed) if handed is not None else ("method", name, text)
    return Operation(kind=kind, name=name, tensor=tensor, text=text, used=place.own.location, place=place)  # type: ignore[arg-type]


def _receiver(place: UserStack) -> Any | None:
    """The tensor that a method of TensorFlow's tensors was called on."""
    held = (frame.frame.f_locals.get("self") for frame in place.inner)
    return next((each for each in held if symbolic.is_symbolic(each)), None)


def _handed(tensor: Any, place: UserStack, sources: Sources) -> tuple[str, str] | None:
    """The call of a library by which the user handed it the tensor, and the text of that argument.

    A tensor without a name came out of what stands there; then the library's frames tell which call it was.
    """
    running = {frame.frame.f_code.co_name for frame in place.inner}
    unnamed = None
    for node in operands.nodes(place, sources):
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            for argument in (*call.args, *(each.value for each in call.keywords)):
                if not isinstance(argument, (ast.Name, ast.Attribute)):
                    continue
                if any(each.tensor is tensor for each in operands.symbolic_operands(argument, place)):
                    return ast.unparse(call.func), ast.unparse(argument)
            if isinstance(call.func, ast.Attribute) and call.func.attr in running and len(call.args) == 1:
                unnamed = unnamed or (ast.unparse(call.func), ast.unparse(call.args[0]))
    return unnamed


def _counted(tensor: Any, place: UserStack, sources: Sources) -> tuple[Kind, str, str] | None:
    """The library's function that asked for the length, where the user's line has no `len` of its own."""
    calls = [each for node in operands.nodes(place, sources) for each in ast.walk(node) if isinstance(each, ast.Call)]
    called = [operands.value_of(each.func, place) for each in calls]
    if any(function is len for function in called):
        return None
    libraries = {ast.unparse(call.func): _module(function) for call, function in zip(calls, called, strict=True)}
    foreign = {name: library for name, library in libraries.items() if library not in _FRAMEWORKS}
    name, text = _handed(tensor, place, sources) or (next(iter(foreign)) if len(foreign) == 1 else "", "")
    return ("numpy" if foreign[name] == "numpy" else "call", name, text) if name in foreign else None


def _attribute_texts(place: UserStack, name: str, sources: Sources) -> Iterator[str]:
    for node in operands.nodes(place, sources):
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and each.attr == name:
                yield ast.unparse(each.value)


def _callee_and_text(kind: Kind, tensor: Any, place: UserStack, sources: Sources) -> tuple[str, str]:
    """The function that asked for the value, and the user's text for the tensor, as far as the line tells."""
    callee, text = "", ""
    for node in operands.nodes(place, sources):
        text = next((each.text for each in operands.symbolic_operands(node, place) if each.tensor is tensor), "")
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            function = operands.value_of(call.func, place)
            if kind == "numpy" and _module(function) == "numpy":
                callee = callee or _dotted(function, call)
                text = text or (ast.unparse(call.args[0]) if len(call.args) == 1 else "")
            elif kind == "dimension" and any(ast.unparse(each) == text for each in _elements(call)):
                callee = _dotted(function, call)
            elif any(function is each for each in _ASKING.get(kind, ())):
                callee = callee or _dotted(function, call)
                text = ast.unparse(call.args[0]) if call.args and not text else text
        if kind == "key":
            callee = callee or _looked_into(node)
        text = text or _questioned(node, kind)
    return callee or _converted(place), text


def _elements(call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given, and the elements of lists and tuples among it."""
    for each in (*call.args, *(keyword.value for keyword in call.keywords)):
        yield from each.elts if isinstance(each, (ast.List, ast.Tuple)) else (each,)


def _looked_into(node: ast.AST) -> str:
    """The text of the dict or set that was to be searched for a key."""
    for each in ast.walk(node):
        if isinstance(each, ast.Subscript):
            return ast.unparse(each.value)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.In, ast.NotIn)):
            return ast.unparse(each.comparators[0])
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            return ast.unparse(each.func.value)
    return ""


def _questioned(node: ast.AST, kind: Kind) -> str:
    """The text of what was asked whether it is true, or was iterated over."""
    for each in ast.walk(node):
        if kind == "truth":
            if isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert)):
                return ast.unparse(each.test)
            if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
                return ast.unparse(each.operand)
            if isinstance(each, (ast.Compare, ast.BoolOp)):
                return ast.unparse(each)
        elif kind in ("iteration", "elements"):
            if isinstance(each, (ast.For, ast.comprehension, ast.Starred)):
                return ast.unparse(each.value if isinstance(each, ast.Starred) else each.iter)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], (ast.Tuple, ast.List)):
                return ast.unparse(each.value)
    return ""


def _converted(place: UserStack) -> str:
    """AutoGraph calls every function through `converted_call`, which holds the callee."""
    for frame in place.inner:
        if frame.frame.f_code.co_name in ("converted_call", "_call_unconverted"):
            function = frame.frame.f_locals.get("f")
            if function is not None and _module(function) not in _FRAMEWORKS:
                return _name(function)
    return ""


def _in_syntax(node: ast.AST, place: UserStack, live: LiveFailure) -> Iterator[Operation]:
    """The operations in the failed syntax that need a value and were given a symbolic tensor."""
    error = place.exception
    if _inside_framework(place) and not _rounds(node, place):
        return

    def found(kind: Kind, name: str, inner: Sequence[ast.AST]) -> Iterator[Operation]:
        for each in inner:
            operand = next(operands.symbolic_operands(each, place), None)
            if operand is not None and operand.text == ast.unparse(each):
                tensor, near = operand.tensor, None
            elif operand is not None or _makes_tensor(each, place):
                tensor, near = None, operand.tensor if operand is not None else None
            else:
                continue
            text = ast.unparse(each)
            yield Operation(
                kind=kind, name=name, tensor=tensor, text=text, used=place.own.location, place=place, near=near
            )
            return

    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            function = operands.value_of(each.func, place)
            arguments = [*each.args, *(keyword.value for keyword in each.keywords)]
            if function is len:
                yield from found("length", "len", arguments)
            elif any(function is builtin for builtin in _NEEDS_VALUE):
                yield from found("call", _dotted(function, each), arguments)
            elif _module(function) == "numpy":
                yield from found("numpy", _dotted(function, each), arguments)
            elif function is not operands.MISSING and _is_foreign(function, place, live):
                yield from found("call", _dotted(function, each), arguments)
        elif isinstance(each, ast.Subscript) and isinstance(error, (TypeError, IndexError, NotImplementedError)):
            owner = operands.value_of(each.value, place)
            if isinstance(owner, (list, tuple, str)) or type(owner).__module__ == "numpy":
                yield from found("index", ast.unparse(each.value), [each.slice])
        elif isinstance(each, ast.FormattedValue) and each.format_spec is not None:
            yield from found("format", "format", [each.value])
        elif isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert)) and is_disallowed(error):
            yield from found("truth", "", [each.test])
        elif isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not) and is_disallowed(error):
            yield from found("truth", "", [each.operand])
        elif isinstance(each, (ast.For, ast.comprehension)) and is_disallowed(error):
            yield from found("iteration", "", [each.iter])
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Tuple) and is_disallowed(error):
            yield from found("iteration", "", [each.value])


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


def _rounds(node: ast.AST, place: UserStack) -> bool:
    """`round(x)` asks the tensor itself, which then fails in TensorFlow's code."""
    return any(
        isinstance(each, ast.Call) and operands.value_of(each.func, place) is round for each in ast.walk(node)
    ) and any(frame.frame.f_code.co_name in ("around", "round", "__round__") for frame in place.inner)


def _makes_tensor(node: ast.AST, place: UserStack) -> bool:
    """Whether the expression calls a TensorFlow function, or a method of a symbolic tensor."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            function = operands.value_of(each.func, place)
            if function is not operands.MISSING and _module(function) in ("tensorflow", "keras", "tf_keras"):
                return True
    return False


def _is_foreign(function: Any, place: UserStack, live: LiveFailure) -> bool:
    """A function of a library that knows no tensors: mathematics, images, files.

    One that is written in Python must have failed itself: its own frame is the user's innermost call.
    """
    if isinstance(function, types.FunctionType):
        code = function.__code__
        failed = any(frame.frame.f_code is code for frame in place.inner)
        return failed and not live.user.owns(code.co_filename) and _module(function) not in _FRAMEWORKS
    return isinstance(function, types.BuiltinFunctionType) and _module(function) not in _FRAMEWORKS


def _module(function: Any) -> str:
    if function is operands.MISSING:
        return ""
    if type(function).__name__ == "ufunc" or type(function).__module__ == "numpy":
        return "numpy"
    module = getattr(function, "__module__", None)
    owner = getattr(function, "__self__", None)
    if module is None and owner is not None:
        module = owner.__name__ if isinstance(owner, types.ModuleType) else type(owner).__module__
    return str(module or "").partition(".")[0]


def _name(function: Any) -> str:
    module = _module(function)
    short = {"numpy": "np"}.get(module, module)
    name = getattr(function, "__name__", "")
    return f"{short}.{name}" if short not in ("", "builtins") else str(name)


def _dotted(function: Any, call: ast.Call) -> str:
    """The name as the user wrote it."""
    return ast.unparse(call.func) if isinstance(call.func, (ast.Name, ast.Attribute)) else _name(function)
