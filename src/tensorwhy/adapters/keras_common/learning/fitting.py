"""Hooks on `compile`, `fit` and `train_on_batch`: what they are given, and which layers their training goes by."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.keras_common.learning import frozen, trainability, weighing
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode

given: list[tuple[Any, ...]] = []
"""What the training calls that run now were given: inputs, targets, weights of samples, as far as there are any."""
failure: list[str] = []
"""Why nothing more is seen of training calls, if a hook failed."""


def watch(model_class: Any, user: UserCode) -> Callable[[], None]:
    """Look at these methods of a model's class. Returns what takes the hooks out."""
    hooks = {"compile": _compile, "fit": _train, "train_on_batch": _train}
    undo: list[Callable[[], None]] = []
    for method, wrap in hooks.items():
        kept = vars(model_class).get(method)
        if kept is not None:
            hooked = wrap(kept, user)
            setattr(model_class, method, hooked)
            undo.append(functools.partial(_restore, model_class, method, kept, hooked))

    def heard(layer: Any, said: frozen.Said) -> None:
        _guarded(trainability.heard, layer, said)

    frozen.listeners.append(heard)

    def all_back() -> None:
        frozen.listeners.remove(heard)
        weighing.clear()
        trainability.clear()
        failure.clear()
        for each in undo:
            each()

    return all_back


def _restore(owner: Any, name: str, kept: Any, hooked: Any) -> None:
    if vars(owner).get(name) is hooked:
        setattr(owner, name, kept)


def _train(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    @functools.wraps(kept)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        place = locations.caller(user, sys._getframe(1))
        if place is None:
            return kept(self, *args, **kwargs)
        _guarded(weighing.look, kwargs, place)
        _guarded(trainability.begins, self, locations.resolve(*place), kept.__name__ == "fit")
        given.append(arguments(args, kwargs))
        whole = False
        try:
            result = kept(self, *args, **kwargs)
            whole = True
        finally:
            given.pop()
            _guarded(trainability.ends, self, whole)
        return result

    return hooked


def arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """`x`, `y` and `sample_weight` of such a call; trailing ones that are not there are left out."""
    x = args[0] if args else kwargs.get("x")
    y = args[1] if len(args) > 1 else kwargs.get("y")
    weights = kwargs.get("sample_weight")
    return tuple(each for each in (x, y, weights) if each is not None)


def _compile(kept: Callable[..., Any], user: UserCode) -> Callable[..., Any]:
    @functools.wraps(kept)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = kept(self, *args, **kwargs)
        _guarded(trainability.compiled, self)
        return result

    return hooked


def _guarded(look: Callable[..., None], *given: Any) -> None:
    """The bulkhead: a hook never disturbs the program."""
    if failure:
        return
    try:
        look(*given)
    except Exception as error:  # a hook never raises into the program
        failure.append(f"{type(error).__name__}: {error}")
