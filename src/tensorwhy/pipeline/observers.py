"""Which observations there are: those that observe this process now, and those that did and are still held."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tensorwhy.pipeline.notebooks import readable
from tensorwhy.pipeline.observation import ENDED, RUNNING, Observation, history_by, paused
from tensorwhy.recording.locations import UserCode

if TYPE_CHECKING:
    from tensorwhy.model.history import History


def observations() -> tuple[Observation, ...]:
    """What observes this process now, the innermost first, then what did and is still held by somebody."""
    past = [each() for each in reversed(ENDED)]
    return (*reversed(RUNNING), *(each for each in past if each is not None))


def running() -> bool:
    """Return whether something observes this process now."""
    return bool(RUNNING)


def unobserved() -> AbstractContextManager[None]:
    """What runs inside is tensorwhy's own doing, and none of the running observations sees it."""
    return paused(tuple(RUNNING))


@readable
def history(thing: Any, limit: int) -> History | None:
    """The history of a tensor, from the observation that knows most of it; None when it is no tensor."""
    from tensorwhy.adapters import registry

    best: History | None = None
    for observation in observations():
        found = observation.history(thing, limit)
        if found is not None and found.made is not None:
            return found
        best = best or found
    if best is not None:
        return best
    for adapter in registry.discover():
        if any(module in sys.modules and adapter.applies(module) for module in adapter.modules):
            found = history_by(adapter, thing, None, UserCode(), limit)
            if found is not None:
                return found
    return None
