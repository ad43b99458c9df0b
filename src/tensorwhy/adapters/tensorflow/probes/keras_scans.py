"""The carry of `keras.ops.scan` that comes out of a step with another shape than it went in with.

Keras 3 keeps it in an array of one element, so it is refused where that is written.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import loop_lines, passage, reading, signatures
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange
from tensorwhy.recording.sources import Sources

_BACKEND = "keras/src/backend/tensorflow/core.py"


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What the function gave back as its carry, against the first one."""
    way = passage.of(live)
    found, body = way.first("scan", _BACKEND), way.first("loop_body", _BACKEND)
    if found is None or body is None or body[0] < found[0] or way.below(body[0]):
        return
    caller = way.caller(found[0])
    written = next((step for step in way.steps[body[0] + 1 :] if step.name == "write"), None)
    if caller is None or caller.location is None or written is None:
        return
    array, value = written.local("self"), written.local("value")
    if not any(each is array for each in body[1].local("carry_array") or ()):
        return
    shapes = signatures.shape_of(getattr(array, "element_shape", None)), signatures.shape_of(value)
    if None in shapes or shapes[0] == shapes[1]:
        return
    sources = Sources()
    call = reading.call_at(caller.location, sources, "scan")
    made = loop_lines.made_at(value, live.user)
    yield LoopShapeChange(
        construct="keras.ops.scan",
        statement=call[1] if call is not None else caller.location,
        variable="",
        entry=shapes[0],
        exit=shapes[1],
        changed=reading.exact(made[-1], sources) if made and made[-1].line != caller.location.line else None,
    )
