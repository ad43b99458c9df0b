"""The values that a gradient function handles, as far as they matter for "is it None?".

A sequence may hold a `Star`: any number of elements of one kind, where the length could not be seen.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Opaque:
    """A value of which only this much is known: "value" (a tensor, or a list of tensors), "zero", or "unknown"."""

    kind: str


VALUE = Opaque("value")
ZERO = Opaque("zero")
UNKNOWN = Opaque("unknown")


@dataclass(frozen=True)
class Const:
    """A Python object that is really known: a literal, a dtype, a module, a function of TensorFlow."""

    value: Any


NONE = Const(None)


@dataclass(frozen=True)
class Star:
    """Any number of elements of one kind."""

    element: Abstract


@dataclass(frozen=True)
class Seq:
    """A list or tuple; at most one item is a Star."""

    items: tuple[Abstract, ...]


@dataclass(frozen=True)
class Input:
    """An input of the op; `dtype` is a real dtype or None."""

    index: int
    dtype: Any = None


@dataclass(frozen=True)
class Gradient:
    """A gradient of an output. `certain`: it cannot be None."""

    certain: bool
    dtype: Any = None


@dataclass(frozen=True)
class Op:
    """The op that the gradient function is asked about."""


@dataclass(frozen=True)
class Closure:
    """A function defined inside a gradient function, or one of its neighbours in the same module."""

    node: ast.FunctionDef | ast.Lambda
    scope: dict[str, Abstract] = field(hash=False, compare=False)
    module: dict[str, Any] = field(hash=False, compare=False)


@dataclass(frozen=True)
class Method:
    """A bound method of an abstract value."""

    owner: Abstract
    name: str


Abstract = Opaque | Const | Star | Seq | Input | Gradient | Op | Closure | Method


def is_none(value: Abstract) -> bool | None:
    """Return whether `value` is None; None where that is not known."""
    if isinstance(value, Const):
        return value.value is None
    if value == UNKNOWN or (isinstance(value, Gradient) and not value.certain):
        return None
    return False


def known(value: Abstract) -> bool:
    """Return whether `value` stands for one real Python object, sequences of such objects included."""
    if isinstance(value, Seq):
        return all(known(item) for item in value.items)
    return isinstance(value, Const)


def real(value: Abstract) -> Any:
    """The Python object of a known value."""
    if isinstance(value, Seq):
        return tuple(real(item) for item in value.items)
    assert isinstance(value, Const)
    return value.value


def as_items(value: Abstract) -> tuple[Abstract, ...]:
    """The elements of a sequence, of whatever kind."""
    if isinstance(value, Seq):
        return value.items
    if isinstance(value, Const) and isinstance(value.value, (list, tuple, range)):
        return tuple(Const(item) for item in value.value)
    return (Star(as_element(value)),)


def as_element(value: Abstract) -> Abstract:
    """An element of something that is iterated or indexed."""
    if value in (VALUE, ZERO) or isinstance(value, (Gradient, Input)):
        return VALUE
    return UNKNOWN


def plain(value: Abstract) -> Opaque | Const:
    """`value` as one returned gradient: NONE, VALUE, ZERO or UNKNOWN."""
    if isinstance(value, Star):
        return plain(value.element)
    if value == NONE or value in (VALUE, ZERO, UNKNOWN):
        return value
    if isinstance(value, Gradient):
        return VALUE if value.certain else UNKNOWN
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
        return ZERO if value.value == 0 else VALUE
    if isinstance(value, (Seq, Const, Input)):
        return VALUE
    return UNKNOWN


def join(first: Abstract, second: Abstract) -> Abstract:
    """A value that stands for both."""
    if first == second:
        return first
    if isinstance(first, Star) or isinstance(second, Star):
        return Star(join(_unstar(first), _unstar(second)))
    if isinstance(first, Seq) or isinstance(second, Seq):
        return _join_sequences(first, second)
    kinds = {plain(first), plain(second)}
    if kinds <= {VALUE, ZERO}:
        return VALUE
    return UNKNOWN


def _unstar(value: Abstract) -> Abstract:
    return value.element if isinstance(value, Star) else value


def _join_sequences(first: Abstract, second: Abstract) -> Abstract:
    if first == UNKNOWN or second == UNKNOWN or NONE in (first, second):
        return UNKNOWN
    left, right = as_items(first), as_items(second)
    if len(left) == len(right):
        return Seq(tuple(join(a, b) for a, b in zip(left, right, strict=True)))
    if any(is_none(_unstar(item)) is not False for item in left + right):
        return UNKNOWN
    return Seq((Star(join_all([_unstar(item) for item in left + right])),))


def join_all(values: Iterable[Abstract]) -> Abstract:
    """A value that stands for all of them; UNKNOWN for none."""
    result: Abstract | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def fit(value: Abstract, count: int) -> tuple[Opaque | Const, ...]:
    """What a gradient function returned, as one entry for each of `count` inputs."""
    if value == NONE:
        return (NONE,) * count
    if isinstance(value, (Opaque, Gradient, Input)):
        return (plain(value) if count == 1 or value not in (ZERO,) else VALUE,) * count
    items = list(as_items(value))
    stars = [i for i, item in enumerate(items) if isinstance(item, Star)]
    if len(stars) == 1:
        room = count - (len(items) - 1)
        items[stars[0] : stars[0] + 1] = [_unstar(items[stars[0]])] * max(room, 0)
    elif stars:
        return (UNKNOWN,) * count
    if len(items) != count:
        return (UNKNOWN,) * count
    return tuple(plain(item) for item in items)


def map_items(items: Iterable[Abstract], function: Callable[[Abstract], Abstract]) -> tuple[Abstract, ...]:
    """`function` of each item; a Star stays one."""
    return tuple(Star(function(item.element)) if isinstance(item, Star) else function(item) for item in items)
