"""The value behind an expression in a live frame, found without running any code of the user."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.stack import Frame


def value(node: ast.expr, call: Frame) -> Any:
    """The value of a name or of a chain of plain instance attributes in a frame, without running any code."""
    if isinstance(node, ast.Name):
        missing = object()
        for names in (call.frame.f_locals, call.frame.f_globals, call.frame.f_builtins):
            found = names.get(node.id, missing)
            if found is not missing:
                return found
        return None
    if isinstance(node, ast.Attribute):
        owner = value(node.value, call)
        if owner is None:
            return None
        if node.attr in ("output", "input") and packages.kind_of(owner) is not None and packages.native(owner):
            return getattr(owner, node.attr, None)
        if isinstance(owner, type):
            found = inspect.getattr_static(owner, node.attr, None)
            return found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        # Else modules only: an attribute of any other object may be a property, and run code.
        return getattr(owner, node.attr, None) if type(owner).__name__ == "module" or _lazy(owner) else None
    return None


def _lazy(owner: object) -> bool:
    """TensorFlow's lazily loaded modules (`tf.keras`, `tf.math`) are subclasses of the module type."""
    return any(base.__name__ in ("module", "ModuleType") for base in type(owner).__mro__)
