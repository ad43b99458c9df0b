"""Recognises a dimension that is not known while a graph is being traced, and was taken for a number.

Python, NumPy and TensorFlow all refuse None without a word about where it came from. Here it is followed back, by what
the names stood for in the failed frames, to the static shape of a symbolic tensor that does have such a dimension.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import tensorflow as tf

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LIBRARIES = ("numpy", "tensorflow", "keras", "tf_keras")
_AS_SEQUENCE = (tuple, list)
_GIVEN_SHAPES = ("build", "compute_output_shape")
_DEPTH = 4
_NEAR = 4
"""So many of the library's innermost functions are looked at."""


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension that was read: of which tensor, by what text and where. `axis` is None where several may be meant.

    Its text is empty where only its shape was at hand: `tensor` is that, or None. `method` is that of a layer which
    Keras gave the shape to.
    """

    tensor: Any
    tensor_text: str
    text: str
    read: Location
    axis: int | None = None
    method: str = ""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """Who took a size for a number: a function, as it is written, or an operator.

    `text` is what it was given: `whole` says that this is a shape, or a part of one.
    """

    size: Size
    by: str
    text: str
    place: UserStack
    python: bool
    whole: bool = False


def find(live: LiveFailure, sources: Sources) -> Use | None:
    """The unknown size that failed the program, if that is what did."""
    for place, callers in _places(live):
        if isinstance(place.exception, (TypeError, ValueError)):
            reader = _Reader(callers, sources)
            for node in operands.nodes(place, sources):
                for each in _candidates(node, place):
                    used = _used(each, place, reader)
                    if used is not None:
                        return used
    return None


def _places(live: LiveFailure) -> Iterator[tuple[UserStack, tuple[UserStack, ...]]]:
    """Of each exception of the chain the user's innermost place, and it with those that called it, innermost first.

    What Keras catches has a traceback of its own, that begins at Keras: the frames themselves lead further.
    """
    known = {id(each.frame): each for frames in live.frames for each in frames}
    for place in live.roots():
        found, frame = [place], place.own.frame.f_back
        while frame is not None:
            each = known.get(id(frame))
            if each is not None and each.user:
                found.append(UserStack(place.exception, (each,)))
            frame = frame.f_back
        yield place, tuple(found)


def _candidates(node: ast.AST, place: UserStack) -> Iterator[ast.AST]:
    """The operations that may have failed: exactly one where columns are known, else all of the statement."""
    exact = place.own.location.column is not None and isinstance(node, ast.expr)
    for each in [node] if exact else ast.walk(node):
        if isinstance(each, (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare)):
            yield each


def _used(node: ast.AST, place: UserStack, reader: _Reader) -> Use | None:
    own = not any(_is_library(frame.frame.f_code.co_filename) for frame in place.inner)
    if not isinstance(node, ast.Call):
        parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        found = next(((each, size) for each in parts if (size := reader.size(each, 0)) is not None), None)
        fails = own or _choked(place)
        if found is None or not fails:
            return None
        return Use(size=found[1], by=reading.sign(node), text=ast.unparse(found[0]), place=place, python=own)
    function = operands.value_of(node.func, place)
    module = str(getattr(function, "__module__", None) or "").partition(".")[0]
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    builtin = isinstance(function, (type, types.BuiltinFunctionType)) and module == "builtins"
    if not (builtin and own) and not (module in _LIBRARIES and (own or _choked(place))):
        return None
    for argument in arguments:
        elements = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]
        for each in elements:
            one = reader.size(each, 0)
            size = one or (None if builtin else reader.sizes(each, 0))
            if size is not None:
                python, by = builtin or module == "numpy", ast.unparse(node.func)
                return Use(size=size, by=by, text=ast.unparse(each), place=place, python=python, whole=one is None)
    return None


def _is_library(file: str) -> bool:
    """True if a frame is one of NumPy, TensorFlow or Keras; AutoGraph's own stand between any two of the user's."""
    file = file.replace("\\", "/")
    if "/autograph/" in file or "util/traceback_utils" in file or "__autograph_generated_file" in file:
        return False
    return any(f"/{name}/" in file for name in _LIBRARIES)


def _choked(place: UserStack) -> bool:
    """True if what the library's innermost functions were given holds a None: it is the size that they refused."""
    innermost = [place.inner[-1].frame] if place.inner else []
    given = [each.f_locals.get(each.f_code.co_varnames[0]) for each in innermost if each.f_code.co_argcount]
    seen = (value for each in place.inner[-_NEAR:] for value in list(each.frame.f_locals.values()))
    return any(each is None for each in given) or any(map(_lacks, seen))


def _lacks(value: Any) -> bool:
    if isinstance(value, _AS_SEQUENCE):
        return any(each is None for each in value)
    if not isinstance(value, tf.TensorShape):
        return False
    try:
        return not value.is_fully_defined()
    except AttributeError:  # it failed while it was being made
        return False


class _Reader:
    """Follows an expression back to a shape. `places` are the frame it stands in, and its callers, innermost first."""

    def __init__(self, places: Sequence[UserStack], sources: Sources) -> None:
        self._places, self._sources = places, sources

    def size(self, node: ast.expr, at: int, depth: int = 0) -> Size | None:
        """The one dimension that the expression reads, when it is None. `at`: in which of the places it stands."""
        if depth > _DEPTH:
            return None
        place = self._places[at]
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            found = self.sizes(node.value, at, depth + 1)
            axis = _integer(node.slice)
            if found is None or _is_known(found.tensor, axis):
                return None
            whole = found.text == ast.unparse(node.value)
            text = ast.unparse(node) if whole else found.text
            read = self._where(node, at) if whole else found.read
            return msgspec.structs.replace(found, text=text, read=read, axis=axis)
        if isinstance(node, ast.Name) and operands.value_of(node, place) is None:
            return self._named(node, at, depth, lambda e, i, d: self.size(e, i, d) or self._unpacked(node, e, i))
        if isinstance(node, ast.Attribute) and operands.value_of(node, place) is None:
            return self._stored(node, at)
        return self._returned(node, at) if isinstance(node, ast.Call) else None

    def sizes(self, node: ast.expr, at: int, depth: int = 0) -> Size | None:
        """The shape that the expression reads, when one of its dimensions is None."""
        if depth > _DEPTH:
            return None
        place = self._places[at]
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            return self._of(node.value, node, at)
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute) and function.attr == "get_shape":
                return self._of(function.value, node, at)
            if isinstance(function, ast.Attribute) and function.attr == "as_list":
                return self.sizes(function.value, at, depth + 1)
            called = operands.value_of(function, place)
            if node.args and any(called is each for each in _AS_SEQUENCE):
                return self.sizes(node.args[0], at, depth + 1)
            if node.args and getattr(called, "__name__", "") == "int_shape":
                return self._of(node.args[0], node, at)
            if node.args and _of_keras(called) and packages.is_keras_tensor(operands.value_of(node.args[0], place)):
                return self._of(node.args[0], node, at)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self.sizes(node.value, at, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.sizes(node.left, at, depth + 1) or self.sizes(node.right, at, depth + 1)
        if isinstance(node, (ast.Tuple, ast.List)):
            return next((found for each in node.elts if (found := self.size(each, at, depth + 1)) is not None), None)
        if isinstance(node, ast.Name) and _lacks(operands.value_of(node, place)):
            return self._named(node, at, depth, self.sizes) or self._of_inputs(node, at)
        return None

    def _of_inputs(self, name: ast.Name, at: int) -> Size | None:
        """The shape that Keras gave to a layer's own `build` or `compute_output_shape`."""
        frame = self._places[at].own.frame
        code = frame.f_code
        if code.co_name not in _GIVEN_SHAPES or code.co_varnames[1 : code.co_argcount][:1] != (name.id,):
            return None
        if packages.kind_of(frame.f_locals.get(code.co_varnames[0])) not in ("layer", "model"):
            return None
        shape = frame.f_locals[name.id]
        return Size(tensor=shape, tensor_text="", text=name.id, read=self._where(name, at), method=code.co_name)

    def _named(
        self, name: ast.Name, at: int, depth: int, read: Callable[[ast.expr, int, int], Size | None]
    ) -> Size | None:
        """What a name stands for: what is bound to it, what the caller passed, or what a function around it bound."""
        for value in self._bound(name, at):
            found = read(value, at, depth + 1)
            if found is not None:
                return found
        passed = self._passed(name.id, at)
        if passed is not None:
            return read(passed, at + 1, depth + 1)
        around = self._around(name.id, at)
        return read(name, around, depth + 1) if around is not None else None

    def _of(self, tensor: ast.expr, node: ast.expr, at: int) -> Size | None:
        value = operands.value_of(tensor, self._places[at])
        if not _symbolic(value):
            return None
        known = _dimensions(value)
        if known is not None and None not in known:
            return None
        lost = [] if known is None else [i for i, each in enumerate(known) if each is None]
        return Size(
            tensor=value,
            tensor_text=ast.unparse(tensor),
            text=ast.unparse(node),
            read=self._where(node, at),
            axis=lost[0] if len(lost) == 1 else None,
        )

    def _where(self, node: ast.expr, at: int) -> Location:
        place = self._places[at]
        return reading.where(node, place.own.location.file, place.own.location.function, self._sources)

    def _bound(self, name: ast.Name, at: int) -> list[ast.expr]:
        place = self._places[at]
        return bindings.values(name, place.own.frame, place.own.location, self._sources)

    def _unpacked(self, name: ast.Name, value: ast.expr, at: int) -> Size | None:
        """The dimension that one of several names stands for: `rows, columns = x.shape`."""
        found, place = self.sizes(value, at, _DEPTH - 1), self._places[at]
        if found is None:
            return None
        axis, tree = found.axis, self._sources.tree(place.own.location.file)
        scope = reading.enclosing(tree, place.own.location.line) or tree if tree is not None else None
        for each in ast.walk(scope) if scope is not None else ():
            target = each.targets[0] if isinstance(each, ast.Assign) and each.value is value else None
            if isinstance(target, (ast.Tuple, ast.List)) and found.text == ast.unparse(value):
                axis = next((i for i, part in enumerate(target.elts) if getattr(part, "id", "") == name.id), axis)
        if _is_known(found.tensor, axis):
            return None
        text = found.text if axis is None else f"{found.text}[{axis}]"
        return msgspec.structs.replace(found, text=text, axis=axis)

    def _passed(self, name: str, at: int) -> ast.expr | None:
        """What the caller passed for a parameter."""
        code = self._places[at].own.frame.f_code
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if name not in parameters or at + 1 >= len(self._places):
            return None
        statement = self._sources.statement(self._places[at + 1].own.location)
        function = self._places[at].own.location.function.rpartition(".")[2]
        calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
        calls = [each for each in calls if getattr(each.func, "attr", getattr(each.func, "id", "")) == function]
        if len(calls) != 1:
            return None
        bound = isinstance(calls[0].func, ast.Attribute) and parameters[0] == "self"
        return reading.argument(calls[0], parameters.index(name) - bound, name)

    def _around(self, name: str, at: int) -> int | None:
        """The running function around this one that a name belongs to."""
        if name not in self._places[at].own.frame.f_code.co_freevars:
            return None
        outer = range(at + 1, len(self._places))
        return next((i for i in outer if name in self._places[i].own.frame.f_code.co_cellvars), None)

    def _stored(self, node: ast.Attribute, at: int) -> Size | None:
        """An attribute that was set from a shape, by a method that is over: the tensor itself is not at hand."""
        tree = self._sources.tree(self._places[at].own.location.file)
        assigned = [
            (each.value, function)
            for function in (ast.walk(tree) if tree is not None else ())
            if isinstance(function, ast.FunctionDef)
            for each in ast.walk(function)
            if isinstance(each, ast.Assign)
            if any(isinstance(target, ast.Attribute) and target.attr == node.attr for target in each.targets)
        ]
        if len(assigned) != 1:
            return None
        value, function = assigned[0]
        if not isinstance(value, ast.Subscript):
            return None
        shape = value.value
        given = function.args.args[1:2] if function.name == "build" else []
        if isinstance(shape, ast.Name) and shape.id in [each.arg for each in given]:
            text = ""
        elif isinstance(shape, ast.Attribute) and shape.attr == "shape":
            text = ast.unparse(shape.value)
        else:
            return None
        read = reading.where(value, self._places[at].own.location.file, function.name, self._sources)
        return Size(tensor=None, tensor_text=text, text=ast.unparse(value), read=read, axis=_integer(value.slice))

    def _returned(self, call: ast.Call, at: int) -> Size | None:
        """A function of the user's that reads the shape of what it is given, and returns nothing else."""
        function = operands.value_of(call.func, self._places[at])
        code = getattr(function, "__code__", None)
        returned = bindings.returned(code, self._sources) if code is not None else None
        if code is None or returned is None or len(returned) != 1 or not isinstance(returned[0], ast.Subscript):
            return None
        parameters = code.co_varnames[: code.co_argcount]
        shapes = [
            each.value.id
            for each in ast.walk(returned[0])
            if isinstance(each, ast.Attribute)
            and each.attr in ("shape", "get_shape")
            and isinstance(each.value, ast.Name)
        ]
        if len(shapes) != 1 or shapes[0] not in parameters:
            return None
        given = reading.argument(call, parameters.index(shapes[0]), shapes[0])
        found = self._of(given, call, at) if given is not None else None
        axis = _integer(returned[0].slice)
        if found is None or _is_known(found.tensor, axis):
            return None
        return msgspec.structs.replace(found, axis=axis)


def _of_keras(function: Any) -> bool:
    """Return whether this is `keras.ops.shape`: of tensors in a graph it gives sizes without values, and never None."""
    module = str(getattr(function, "__module__", None) or "")
    return getattr(function, "__name__", "") == "shape" and packages.is_keras_module(module)


def _dimensions(tensor: Any) -> tuple[int | None, ...] | None:
    shape = tensor if isinstance(tensor, (tuple, tf.TensorShape)) else getattr(tensor, "shape", None)
    if isinstance(shape, tuple):
        return shape
    return None if shape is None or shape.rank is None else tuple(shape.as_list())


def _is_known(tensor: Any, axis: int | None) -> bool:
    dimensions = _dimensions(tensor)
    if dimensions is None or axis is None or not -len(dimensions) <= axis < len(dimensions):
        return False
    return dimensions[axis] is not None


def _symbolic(value: Any) -> bool:
    return symbolic.is_symbolic(value) or packages.kind_of(value) == "keras-tensor"


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _integer(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
