"""Attributes that a program set on an object of Keras, and that no code of its classes reads or sets.

Python lets a program set any attribute, so a setting under another name than the one that is read changes nothing and
raises nothing. Whether a name is read is seen in the compiled code of the object's classes.
"""

from __future__ import annotations

import difflib
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tensorwhy.adapters.patches import quietly

_ALIKE = 0.8


class Ignored(NamedTuple):
    """An attribute and its value, and the option like it with what that holds."""

    attribute: str
    value: str
    option: str
    used: str


def found(thing: Any) -> Iterator[Ignored]:
    """Yield the attributes of one object that nobody reads, and that look like one of its options."""
    kind: Any = type(thing)
    names = [name for name, value in vars(thing).items() if not name.startswith("_") and _number(value) is not None]
    own = [name for name in names if name not in _names(kind)]
    options = _options(thing) if own else {}
    for name in own:
        option = _like(name, options)
        value = _number(vars(thing)[name])
        if option is not None and value is not None and options[option] != value:
            yield Ignored(name, f"{value:.4g}", option, f"{options[option]:.4g}")


def _options(thing: Any) -> dict[str, float]:
    """Return the options of an object that hold a number now."""
    config = quietly(thing.get_config, None)
    known = {}
    for name in config if isinstance(config, dict) else ():
        value = _number(getattr(thing, name, None))
        if value is not None and not isinstance(config[name], (dict, str)):
            known[name] = value
    return known


def _like(name: str, options: Iterable[str]) -> str | None:
    """Return the option that a name abbreviates, leaves a word out of, or misspells."""
    for option in options:
        words = option.split("_")
        plain, other = name.replace("_", "").lower(), option.replace("_", "")
        initials = "".join(word[0] for word in words if word)
        if len(words) > 1 and plain in (initials, *words):
            return option
        if plain == other or difflib.SequenceMatcher(None, plain, other).ratio() >= _ALIKE:
            return option
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, (int, float, np.number)):
        return float(value)
    read = getattr(value, "numpy", None)
    if read is None or getattr(value, "shape", None) != ():
        return None
    array = np.asarray(quietly(read, None))  # a variable of a graph has no value here
    return float(array) if array.dtype.kind in "fiub" else None


@functools.lru_cache(maxsize=256)
def _names(cls: type) -> frozenset[str]:
    """Return every name that the code of a class and its bases mentions."""
    found: set[str] = set()
    for base in cls.__mro__:
        found.update(vars(base))
        for value in vars(base).values():
            for code in _code(value):
                _mentioned(code, found)
    return frozenset(found)


def _code(value: Any) -> Iterator[types.CodeType]:
    parts = (value.fget, value.fset) if isinstance(value, property) else (getattr(value, "__func__", value),)
    for part in parts:
        code = getattr(getattr(part, "__wrapped__", part), "__code__", None)
        if isinstance(code, types.CodeType):
            yield code


def _mentioned(code: types.CodeType, into: set[str]) -> None:
    into.update(code.co_names)
    if "getattr" in code.co_names or "hasattr" in code.co_names:
        into.update(each for each in code.co_consts if isinstance(each, str))
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            _mentioned(each, into)
