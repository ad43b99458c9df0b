"""A recurrent cell of the user's own whose new state has another shape than the one that it was given.

Keras runs cells in a loop of its own, so no user's frame is left when the shapes are compared; the operation that made
the new state remembers its line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import loop_lines, passage, reading, signatures
from tensorwhy.adapters.tensorflow.failures.passage import Passage
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange
from tensorwhy.recording.sources import Sources


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The state that does not fit the one before it, in the innermost recurrent layer."""
    way = passage.of(live)
    found = way.first("rnn")
    if found is None or not found[1].local("step_function") or way.below(found[0]):
        return ()
    before, after = _states(way, found[0])
    shapes = signatures.shape_of(before), signatures.shape_of(after)
    caller = way.caller(found[0])
    made = loop_lines.made_at(after, live.user)
    if caller is None or caller.location is None or not made or None in shapes or shapes[0] == shapes[1]:
        return ()
    return (
        LoopShapeChange(
            construct="RNN",
            statement=caller.location,
            variable="",
            problem="state",
            entry=shapes[0],
            exit=shapes[1],
            changed=reading.exact(made[-1], Sources()),
        ),
    )


def _states(way: Passage, index: int) -> tuple[Any, Any]:
    """The state on entry and after one step: Keras 2 compares them itself, for Keras 3 the loop does."""
    for step in reversed(way.steps[index + 1 :]):
        if step.name == "check_shapes_compat":
            return step.local("input_t"), step.local("t")
        if step.name == "step" and step.local("new_state") is not None:
            return step.local("state"), step.local("new_state")
    return None, None
