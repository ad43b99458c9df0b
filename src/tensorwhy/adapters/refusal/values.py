"""What an expression stood for in a live frame, without running any code of the program."""

from __future__ import annotations

import ast
import builtins
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tensorwhy.recording.frames import locals_of

MISSING: Any = object()
CONTAINERS = (list, tuple, dict)
_KEPT = ("_modules", "_parameters", "_buffers")
"""Where objects of PyTorch keep attributes that are not their own."""


def value(node: ast.AST | None, frame: types.FrameType, otherwise: Callable[[str], Any] | None = None) -> Any:
    """The value of names, plain attributes, and elements of plain containers; MISSING where code would have to run.

    `otherwise` is asked for names that the frame does not know.
    """
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        for scope in (locals_of(frame), frame.f_globals, vars(builtins)):
            if node.id in scope:
                return scope[node.id]
        return otherwise(node.id) if otherwise is not None else MISSING
    if isinstance(node, ast.Attribute):
        return attribute(value(node.value, frame, otherwise), node.attr)
    if isinstance(node, ast.Subscript):
        return _element(value(node.value, frame, otherwise), _key(node.slice, frame))
    return MISSING


def attribute(owner: Any, name: str) -> Any:
    """An attribute that lies in the object itself; a property would run code."""
    if owner is MISSING:
        return MISSING
    if isinstance(owner, types.ModuleType) or any(base.__name__ == "ModuleType" for base in type(owner).__mro__):
        return getattr(owner, name, MISSING)  # frameworks load some of their modules lazily
    try:
        held = object.__getattribute__(owner, "__dict__")
    except (AttributeError, TypeError):  # without one, or a proxy for something else
        return MISSING
    if name in held:
        return held[name]
    for kept in _KEPT:
        if isinstance(held.get(kept), dict) and name in held[kept]:
            return held[kept][name]
    if isinstance(owner, type):
        found = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), MISSING)
        return found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
    return MISSING


def _key(node: ast.expr, frame: types.FrameType) -> Any:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if isinstance(node.operand.value, int) else MISSING
    return value(node, frame)


def _element(owner: Any, key: Any) -> Any:
    if isinstance(owner, dict) and isinstance(key, (str, int)):
        # TensorFlow puts a proxy around the containers that a module holds.
        held: Any = owner if issubclass(type(owner), dict) else getattr(owner, "__wrapped__", None)
        return dict.get(held, key, MISSING) if issubclass(type(held), dict) else MISSING
    if isinstance(owner, (list, tuple)) and isinstance(key, int) and -len(owner) <= key < len(owner):
        return owner[key]
    return MISSING


def trivial(thing: object) -> bool:
    """Whether equal objects of this kind are shared by everybody, so that identity says nothing."""
    return (
        thing is None
        or isinstance(thing, (bool, int, float, str, bytes, complex))
        or (type(thing) is tuple and not thing)
    )


def same(one: object, other: object) -> bool:
    """Whether this is the same object; of shared ones, an equal one of the same type."""
    if one is other:
        return True
    return type(one) is type(other) and trivial(one) and one == other


def leaves(container: Any, depth: int = 4) -> Iterator[Any]:
    """What is in a container, and in those in it."""
    if isinstance(container, dict):
        container = list(container.values())
    if holds_objects(container):
        container = container.ravel()
    for each in container[:64]:
        if isinstance(each, CONTAINERS) and depth:
            yield from leaves(each, depth - 1)
        else:
            yield each() if isinstance(each, weakref.ref) else each


def holds_objects(thing: Any) -> bool:
    """Whether this is an array of Python objects, which a library makes of what it has no better type for."""
    return type(thing).__module__ == "numpy" and getattr(getattr(thing, "dtype", None), "kind", "") == "O"


def is_weak(container: Any) -> bool:
    """Whether a library only watches these objects: then they, and not the container, are what it asked about."""
    return isinstance(container, (list, tuple)) and any(isinstance(each, weakref.ref) for each in container[:1])
