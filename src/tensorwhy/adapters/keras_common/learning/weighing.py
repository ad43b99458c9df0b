"""Looks at the sample and class weights that are handed to `fit` and `train_on_batch`: all zeros train nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

from tensorwhy.model.facts.training import EmptyWeights
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_ARGUMENTS = ("sample_weight", "class_weight")
_METHODS = ("fit", "train_on_batch")
_SEEN: dict[tuple[int, int, str], tuple[CodeType, int, str, int]] = {}


def clear() -> None:
    """Forget what was seen."""
    _SEEN.clear()


def look(arguments: dict[str, Any], place: tuple[CodeType, int]) -> None:
    """Look at what a training method was given by name, at a place in the user's code."""
    for name in _ARGUMENTS:
        if arguments.get(name) is not None:
            _weights(name, arguments[name], place)


def _weights(name: str, weights: Any, place: tuple[CodeType, int]) -> None:
    values = list(weights.values()) if isinstance(weights, dict) else weights
    import numpy as np  # this module is loaded wherever tensorwhy is, also where there is no NumPy

    if not isinstance(values, (list, tuple, np.ndarray)):
        return
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return
    if array.size and not array.any():
        _SEEN[id(place[0]), place[1], name] = *place, name, array.size


def facts(_: object = None, generation: int = 0) -> Iterator[EmptyWeights]:
    """The calls that were given nothing but zeros."""
    sources = Sources()
    for code, instruction, name, count in _SEEN.values():
        given = locations.resolve(code, instruction)
        yield EmptyWeights(argument=name, given=given, made=_made(name, given, sources), count=count)


def _made(name: str, given: Location, sources: Sources) -> Location | None:
    """Where the variable that was handed over was bound last."""
    call = reading.named_call(given, sources, *_METHODS)
    value = reading.argument(call[0], 99, name) if call is not None else None
    if not isinstance(value, (ast.Name, ast.Attribute)):
        return None
    statement = reading.last_assignment(ast.unparse(value), given, sources)
    return sources.place(given.file, statement) if statement is not None else None
