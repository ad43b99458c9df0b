"""Losses that were given as functions in a loop, and that all look up the same name when they run.

Python looks up a name when a function runs. Functions made by one line of a loop compute with what the name of the loop
stands for then: the last element, for all of them.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Iterator
from types import CodeType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 64
_OBJECTS = ("variable", "layer", "model")


class _Given(msgspec.Struct, frozen=True):
    """A function, what each of its names is looked up in, and what it stood for when the function was handed over.

    `turn` counts the gradients that were asked for until then: what ran in between had its own names.
    """

    function: weakref.ref[Any]
    names: dict[str, tuple[int, int]]
    turn: int


_TURNS = [0]
_ROWS: dict[tuple[CodeType, tuple[CodeType, int] | Location], list[_Given]] = {}


def clear() -> None:
    """Forget what was seen."""
    _ROWS.clear()


def given(function: Any, place: tuple[CodeType, int] | Location) -> None:
    """A function is handed over at a place, to be called later."""
    if isinstance(function, types.FunctionType) and len(_ROWS) < _MOST:
        rows = _ROWS.setdefault((function.__code__, place), [])
        if len(rows) < _MOST:
            rows.append(_Given(weakref.ref(function), dict(_names(function)), _TURNS[0]))


def trained() -> None:
    """A gradient is asked for."""
    _TURNS[0] += 1


def _names(function: types.FunctionType) -> Iterator[tuple[str, tuple[int, int]]]:
    """The variables, layers and models that a function looks up by name: in a cell, or in the globals."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            value = cell.cell_contents
        except ValueError:  # an empty cell
            continue
        if packages.sort(value) in _OBJECTS:
            yield name, (id(cell), id(value))
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if value is not None and packages.sort(value) in _OBJECTS:
            yield name, (id(function.__globals__), id(value))


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each place where several functions look up one name that stood for another object each time."""
    sources = Sources()
    for (_, place), rows in _ROWS.items() if generation == 2 else ():
        living = [row for row in rows if row.function() is not None]
        one_turn = len(living) > 1 and len({row.turn for row in living}) == 1
        for name in living[0].names if one_turn else ():
            seen = [row.names[name] for row in living if name in row.names]
            if len(seen) == len(living) and len({held for held, _ in seen}) == 1 and len(set(seen)) == len(seen):
                at = place if isinstance(place, Location) else locations.resolve(*place)
                yield _told(name, len(seen), reading.exact(at, sources))
                break


def _told(name: str, count: int, at: Location | None) -> Observed:
    return Observed(
        slug="name-shadowed",
        message=f"the {count} functions given to `add_loss` here all use the last `{name}`: Python looks up the name "
        "when they run, after the loop",
        label=f"`{name}` stands for another object in each iteration",
        location=at,
        severity="warning",
        fixes=(Fix(summary=f"bind the object when the function is created: `lambda {name}={name}: ...`"),),
    )
