"""Gradients that an optimizer was given without their variables, or with those in a list of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tensorwhy.adapters.tensorflow.tensor_ids import handle_of, values_of


class Unpaired(NamedTuple):
    """The handles of the variables, where those were given in a list of their own, or one of them as no list.

    `keys` says that the keys of a dict were given for gradients, variables or both, `nested` that a pair has a whole
    list of variables, which are the handles.
    """

    handles: tuple[int, ...] = ()
    keys: bool = False
    nested: bool = False


def among(items: Sequence[Any]) -> Unpaired | None:
    """True if these are gradients alone, a list of them and one of variables, the two of one pair, keys, or nested."""
    if items and all(map(_has_key, items)):
        return Unpaired(keys=True)
    nested = _nested(items)
    if nested:
        return Unpaired(nested, nested=True)
    if items and all(isinstance(each, (list, tuple)) and len(each) == 1 for each in items):  # of `zip(gradients)`
        items = [each[0] for each in items]
    if any(map(_is_gradient, items)) and all(map(_may_be_gradient, items)):
        return Unpaired()
    if len(items) == 2 and _is_gradient(items[0]) and handle_of(items[1]) >= 0:
        return Unpaired((handle_of(items[1]),))
    lists = [each for each in items if isinstance(each, (list, tuple))]
    if len(lists) != 2 or len(items) != 2 or not lists[0] or len(lists[0]) != len(lists[1]):
        return None
    handles = tuple(map(handle_of, lists[1]))
    return Unpaired(handles) if min(handles) >= 0 and all(map(_may_be_gradient, lists[0])) else None


def _nested(items: Sequence[Any]) -> tuple[int, ...]:
    """The variables of the first list of them that stands in a pair for one, where nothing but pairs is given."""
    if not all(isinstance(each, (list, tuple)) and len(each) == 2 for each in items):
        return ()
    lists = [each for _, each in items if isinstance(each, (list, tuple))]
    found = [tuple(map(handle_of, each)) for each in lists if each]
    return found[0] if found and all(min(each) >= 0 for each in found) else ()


def _has_key(item: Any) -> bool:
    """What a dict of tensors gives where it is taken for a list of them, alone or in a pair."""
    if not isinstance(item, (list, tuple)):
        return isinstance(item, str)
    others = [each for each in item if not isinstance(each, str)]
    return len(others) < len(item) == 2 and all(_may_be_gradient(each) or handle_of(each) >= 0 for each in others)


def _may_be_gradient(value: Any) -> bool:
    return value is None or _is_gradient(value)


def _is_gradient(value: Any) -> bool:
    return handle_of(value) < 0 and type(getattr(values_of(value), "_id", None)) is int
