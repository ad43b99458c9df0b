"""Finds the Keras tensor that something could not use: in a frame of the conversion, or in what the user wrote."""

from __future__ import annotations

import ast
import inspect
import types
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import lookup, tensor_methods
from tensorwhy.adapters.stack import Stack
from tensorwhy.recording import locations
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CONVERSIONS = {
    "__tf_tensor__": "",
    "__array__": "",
    "__jax_array__": "",
    "__bool__": "truth",
    "__len__": "truth",
    "__iter__": "iteration",
    "__float__": "float()",
    "__int__": "int()",
    "__index__": "int()",
}
# TensorFlow's own checks of what it was given, and the local names under which they hold it.
_CHECKS = {
    "type_spec_from_value": ("element", "value"),
    "watch": ("t", "tensor"),
    "_extract_tensors_and_variables": ("obj",),
    "_convert_to_sparse_tensor": ("sp_input",),
}
_WATCHING = ("watch", "_extract_tensors_and_variables")
# What only a tensor with values has. `_id` is what gradient tapes know tensors by.
_VALUE_ATTRIBUTES = ("numpy", "_id", "eval", "item", "tolist", "_numpy", "experimental_ref")


class Refused(msgspec.Struct, frozen=True):
    """A Keras tensor that something could not use. `index` is the frame that found out, `how` the conversion."""

    tensor: Any
    index: int
    how: str
    asked: str = ""


def find(stack: Stack, generation: int, sources: Sources) -> Refused | None:
    """The Keras tensor of this generation that this exception is about, by the most certain way there is."""
    return (
        _attribute(stack, generation)
        or _conversion(stack, generation)
        or _array_of_a_dtype(stack, generation, sources)
        or _old_backend(stack, generation)
        or _builtin(stack, generation, sources)
        or _assignment(stack, generation, sources)
        or _argument(stack, generation, sources)
    )


def _attribute(stack: Stack, generation: int) -> Refused | None:
    error = stack.exception
    thing = getattr(error, "obj", None)
    name = getattr(error, "name", None)
    if not isinstance(error, AttributeError) or not name or not packages.is_keras_tensor(thing, generation):
        return None
    if name in _VALUE_ATTRIBUTES:
        return Refused(thing, len(stack.frames), "attribute", f".{name}()" if name != "_id" else "a gradient")
    return Refused(thing, len(stack.frames), "method", f".{name}()") if tensor_methods.known(name) else None


def _conversion(stack: Stack, generation: int) -> Refused | None:
    last = stack.innermost_user()
    for index in range(len(stack.frames) - 1, -1 if last is None else last, -1):
        call = stack.frames[index]
        if call.function in _CONVERSIONS and packages.is_keras_tensor(call.local("self"), generation):
            return Refused(call.local("self"), index, _CONVERSIONS[call.function])
        if call.function in _CHECKS and call.module.startswith("tensorflow."):
            for name in _CHECKS[call.function]:
                if packages.is_keras_tensor(call.local(name), generation):
                    asked = "a gradient" if call.function in _WATCHING else ""
                    return Refused(call.local(name), index, "attribute" if asked else "", asked)
    return None


def _array_of_a_dtype(stack: Stack, generation: int, sources: Sources) -> Refused | None:
    """`np.array(x, dtype=...)`, by the user or in a function of Keras's that was given the tensor.

    Keras 3 makes no array of one, and its method that says so takes no dtype: NumPy's C code fails to call it.
    """
    call = stack.raised
    if not isinstance(stack.exception, TypeError) or not (call.user or packages.runs(call)):
        return None
    node = reading.call_at(call.location or locations.of_frame(call.frame), sources)
    if node is None or not foreign(lookup.value(node.func, call)):
        return None
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        thing = lookup.value(argument, call)
        if packages.is_keras_tensor(thing, generation) and _takes_nothing(type(thing), "__array__"):
            return Refused(thing, len(stack.frames), "")
    return None


def _takes_nothing(owner: type, name: str) -> bool:
    """Return whether a method has no parameter beside the object itself."""
    method = inspect.getattr_static(owner, name, None)
    return isinstance(method, types.FunctionType) and len(inspect.signature(method).parameters) == 1


def _old_backend(stack: Stack, generation: int) -> Refused | None:
    """Keras 3 keeps the backend of Keras 2, which looks for what shapes and dtypes of TensorFlow have.

    Those of Keras are tuples and strings.
    """
    call, error = stack.raised, stack.exception
    if not (isinstance(error, AttributeError) and packages.runs(call) and call.module.endswith("legacy.backend")):
        return None
    if not isinstance(error.obj, tuple) and not (isinstance(error.obj, str) and error.name == "base_dtype"):
        return None
    for thing in list(call.frame.f_locals.values()):
        if packages.is_keras_tensor(thing, generation):
            return Refused(thing, len(stack.frames) - 1, "")
    return None


def _builtin(stack: Stack, generation: int, sources: Sources) -> Refused | None:
    """`float(x)`, `len(x)`: C code raises, so the frame is the user's and the argument is found by its expression."""
    call = stack.raised
    if not isinstance(stack.exception, TypeError) or call.location is None:
        return None
    node = reading.call_at(call.location, sources)
    if (
        node is None
        or not isinstance(node.func, ast.Name)
        or node.func.id not in ("float", "int", "len", "bool", "round", "range")
    ):
        return None
    for argument in node.args:
        thing = lookup.value(argument, call)
        if packages.is_keras_tensor(thing, generation):
            return Refused(thing, len(stack.frames), f"{node.func.id}()")
    return None


def _assignment(stack: Stack, generation: int, sources: Sources) -> Refused | None:
    """`x[:, 0] = y`: the interpreter itself refuses it, in the user's frame."""
    call, error = stack.raised, stack.exception
    statement = sources.statement(call.location) if call.location is not None else None
    if not isinstance(error, TypeError) or not str(error).endswith("does not support item assignment"):
        return None
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else getattr(statement, "targets", ())
    for target in targets:
        thing = lookup.value(target.value, call) if isinstance(target, ast.Subscript) else None
        if packages.is_keras_tensor(thing, generation):
            return Refused(thing, len(stack.frames), "assignment")
    return None


def _argument(stack: Stack, generation: int, sources: Sources) -> Refused | None:
    """A Keras 3 tensor passed to a function of TensorFlow or NumPy, which never works.

    Keras cuts the frames of the conversion off when its own method is further out; the user's line is the last one.
    Other functions look for what only their own kinds of tensors have, a `SparseTensor` its indices.
    """
    last = stack.innermost_user()
    call = stack.frames[last] if last is not None else stack.raised
    if generation < 3 or call.location is None:
        return None
    if call is not stack.raised and not stack.raised.module.startswith("tensorflow."):
        return None
    if not isinstance(
        stack.exception, (ValueError, TypeError, AttributeError) if call is not stack.raised else ValueError
    ):
        return None
    node = reading.node_at(call.location, sources)
    asked = ""
    if isinstance(node, ast.Call):
        owner = lookup.value(node.func.value, call) if isinstance(node.func, ast.Attribute) else None
        if type(owner).__name__ == "GradientTape" and foreign(type(owner)):
            asked = "a gradient"
        elif not foreign(lookup.value(node.func, call)):
            return None
        operands = [*node.args, *(keyword.value for keyword in node.keywords)]
    elif isinstance(node, ast.BinOp):
        operands = [node.left, node.right]
        if not any(foreign(type(lookup.value(operand, call))) for operand in operands):
            return None
    else:
        return None
    parts = [each for node in operands for each in (node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node])]
    for part in parts:
        thing = lookup.value(part, call)
        if packages.is_keras_tensor(thing, generation):
            return Refused(thing, len(stack.frames), "attribute" if asked else "", asked)
    return None


def foreign(target: object) -> bool:
    """Return whether a function, or a type, is TensorFlow's or NumPy's."""
    owners = (getattr(target, "__module__", None), type(target).__module__)
    return any(str(owner).partition(".")[0] in ("tensorflow", "numpy") for owner in owners)
