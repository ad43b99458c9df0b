"""Looks at the sample and class weights that are handed to `fit` and `train_on_batch`: all zeros train nothing."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np

from tensorwhy.adapters.tensorflow import reading
from tensorwhy.model.facts.training import EmptyWeights
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

_ARGUMENTS = ("sample_weight", "class_weight")
_METHODS = ("fit", "train_on_batch")
_SEEN: dict[tuple[int, int, str], tuple[CodeType, int, str, int]] = {}


def watch(model_class: Any, user: UserCode) -> Callable[[], None]:
    """Look at what these methods of a model's class are given by name. Returns what takes the hooks out."""
    undo: list[Callable[[], None]] = []
    for method in _METHODS:
        kept = vars(model_class).get(method)
        if kept is not None:
            hooked = _wrap(kept, user)
            setattr(model_class, method, hooked)
            undo.append(functools.partial(_restore, model_class, method, kept, hooked))

    def all_back() -> None:
        _SEEN.clear()
        for each in undo:
            each()

    return all_back


def _restore(owner: Any, name: str, kept: Any, hooked: Any) -> None:
    if vars(owner).get(name) is hooked:
        setattr(owner, name, kept)


def _wrap(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    @functools.wraps(kept)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        for name in _ARGUMENTS:
            if kwargs.get(name) is not None:
                _look(name, kwargs[name], user)
        return kept(self, *args, **kwargs)

    return hooked


def _look(name: str, weights: Any, user: UserCode) -> None:
    values = list(weights.values()) if isinstance(weights, dict) else weights
    if not isinstance(values, (list, tuple, np.ndarray)):
        return
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return
    place = locations.caller(user, sys._getframe(2))
    if array.size and not array.any() and place is not None:
        _SEEN[id(place[0]), place[1], name] = *place, name, array.size


def facts() -> Iterator[EmptyWeights]:
    """The calls that were given nothing but zeros."""
    sources = Sources()
    for code, instruction, name, count in _SEEN.values():
        given = locations.resolve(code, instruction)
        yield EmptyWeights(argument=name, given=given, made=_made(name, given, sources), count=count)


def _made(name: str, given: Location, sources: Sources) -> Location | None:
    """Where the variable that was handed over was bound last."""
    call = reading.call_at(given, sources, *_METHODS)
    value = reading.argument(call[0], 99, name) if call is not None else None
    if not isinstance(value, (ast.Name, ast.Attribute)):
        return None
    statement = reading.last_assignment(ast.unparse(value), given, sources)
    return sources.place(given.file, statement) if statement is not None else None
