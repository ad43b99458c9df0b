"""States that a recurrent layer is to begin with, and that are not nested as those of its cells are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import signatures
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopStructureChange


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What `initial_state` was, against the sizes of the states: Keras 2 compares the two, a cell of Keras 3 fails."""
    way = live.joined()
    if not way.frames:
        return
    last = way.frames[-1]
    ran_out = isinstance(live.exceptions[-1], IndexError) and hasattr(last.local("self"), "state_size")
    if not ran_out and last.name != "validate_state_spec":
        return
    layers = [
        (index, step)
        for index, step in enumerate(way.frames)
        if not step.user and step.local("initial_state") is not None and hasattr(step.local("self"), "cell")
    ]
    if not layers:
        return
    index, step = layers[-1]
    caller = way.caller(index)
    sizes, given = _sizes(step.local("self").cell.state_size), _sizes(step.local("initial_state"))
    if caller is None or caller.location is None or _form(sizes) == _form(given):
        return
    yield LoopStructureChange(
        construct="RNN", statement=caller.location, problem="begin", expected=str(sizes), got=str(given)
    )


def _sizes(states: Any) -> Any:
    """The size of each state, nested as the states are. One alone counts as a list of one."""
    if isinstance(states, int):
        return [states]
    if isinstance(states, (list, tuple)) and not hasattr(states, "rank"):
        return [_size(each) for each in states]
    return [_size(states)]


def _size(state: Any) -> Any:
    if isinstance(state, (list, tuple)):
        return _sizes(state)
    shape = None if isinstance(state, int) else signatures.shape_of(state)
    return shape[-1] if shape else state if isinstance(state, int) else None


def _form(sizes: Any) -> Any:
    return [_form(each) for each in sizes] if isinstance(sizes, list) else None
