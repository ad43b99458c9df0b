"""Whose is the function that a failed line called, and what does it do with a symbolic Keras tensor?"""

from __future__ import annotations

import ast
import types

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import lookup, refused
from tensorwhy.adapters.stack import Frame


def compares(node: ast.expr | None, call: Frame) -> bool:
    """Return whether Python looks for something in a list: `xs.remove(x)`, `xs.index(x)`, `x in xs`."""
    if isinstance(node, ast.Compare):
        return any(isinstance(operator, (ast.In, ast.NotIn)) for operator in node.ops)
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return owner is not None and isinstance(lookup.value(owner, call), (list, tuple))


def decorates(target: object) -> bool:
    """True if a callable object of TensorFlow's runs a function of the user: `tf.function`, `tf.custom_gradient`."""
    if isinstance(target, (types.FunctionType, types.BuiltinFunctionType, type)):
        return False
    held = vars(target).values() if hasattr(target, "__dict__") else ()
    return any(isinstance(each, types.FunctionType) and not refused.foreign(each) for each in held)


def of_keras(node: ast.expr | None, call: Frame) -> bool:
    """A function of Keras that computes with arrays, such as `keras.utils.to_categorical`."""
    target = lookup.value(node.func, call) if isinstance(node, ast.Call) else None
    return isinstance(target, types.FunctionType) and packages.is_keras_module(target.__module__)


def variable_method(node: ast.Call, call: Frame) -> bool:
    """`v.assign(x)`: a method of one of TensorFlow's objects."""
    owner = lookup.value(node.func.value, call) if isinstance(node.func, ast.Attribute) else None
    return type(owner).__module__.startswith("tensorflow.")
