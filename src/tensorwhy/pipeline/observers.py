"""Which observations there are: those that observe this process now, and those that did and are still held."""

from __future__ import annotations

import contextlib
import sys
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tensorwhy.pipeline.notebooks import readable
from tensorwhy.recording.locations import UserCode

if TYPE_CHECKING:
    from tensorwhy.adapters.protocol import Adapter, Session
    from tensorwhy.model.history import History
    from tensorwhy.pipeline.observation import Observation

_REMEMBERED = 8
"""So many ended observations can still be asked, as long as somebody holds them."""
_RUNNING: list[Observation] = []
_ENDED: list[weakref.ref[Observation]] = []


def began(observation: Observation) -> None:
    """From now on it observes this process."""
    _RUNNING.append(observation)


def ended(observation: Observation) -> None:
    """It observes no longer, and can still be asked."""
    if observation in _RUNNING:
        _RUNNING.remove(observation)
        _ENDED[:] = [each for each in _ENDED if each() is not None][-_REMEMBERED:]
        _ENDED.append(weakref.ref(observation))


def observations() -> tuple[Observation, ...]:
    """What observes this process now, the innermost first, then what did and is still held by somebody."""
    past = [each() for each in reversed(_ENDED)]
    return (*reversed(_RUNNING), *(each for each in past if each is not None))


def running() -> bool:
    """Whether something observes this process now."""
    return bool(_RUNNING)


@contextlib.contextmanager
def unobserved() -> Iterator[None]:
    """What runs inside is tensorwhy's own doing, and none of the running observations sees it."""
    here = tuple(_RUNNING)
    for observation in here:
        observation.pause()
    try:
        yield
    finally:
        for observation in reversed(here):
            observation.resume()


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


def history_by(adapter: Adapter, thing: Any, session: Session | None, user: UserCode, limit: int) -> History | None:
    """What one adapter, and its session when there is one, knows of how a tensor came to be."""
    from tensorwhy.adapters import registry

    ancestry = registry.ancestry(adapter)
    return ancestry(thing, session, user, limit) if ancestry is not None else None
