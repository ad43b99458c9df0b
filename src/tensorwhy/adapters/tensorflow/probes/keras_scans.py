"""The function of `keras.ops.scan`: it gives no two things, or a carry of another shape than it was given.

Keras 3 keeps the carry in an array of one element, so it is refused where that is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import (
    cell_results,
    loop_lines,
    mapped_calls,
    passage,
    reading,
    signatures,
)
from tensorwhy.adapters.tensorflow.failures.cell_results import SCAN
from tensorwhy.adapters.tensorflow.failures.passage import Passage
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange
from tensorwhy.recording.sources import Sources


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What the function gave back as its carry, against the first one."""
    way = passage.of(live)
    index = cell_results.scanned(way)
    if index is not None:
        yield from _pair(live, way, index)
        return
    found, body = way.first("scan", SCAN), way.first("loop_body", SCAN)
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


def _pair(live: LiveFailure, way: Passage, index: int) -> Iterable[Fact]:
    """Keras takes the function's result for the carry and an output, and it is something else."""
    caller, function, sources = way.caller(index), way.steps[index].local("f"), Sources()
    if caller is None or caller.location is None:
        return
    call = reading.call_at(caller.location, sources, "scan")
    written = reading.argument(call[0], 0, "f") if call is not None else None
    tree, where = mapped_calls.definition(written, caller.location, sources, live.user, function)
    values = reading.returns(tree) if tree is not None else ()
    single = len(values) == 1 and not isinstance(values[0], (ast.Tuple, ast.List))
    yield LoopStructureChange(
        construct="keras.ops.scan",
        statement=call[1] if call is not None else caller.location,
        problem="pair",
        changed=reading.place(values[0], where, sources) if len(values) == 1 and where is not None else None,
        got="one thing" if single else "" if values else "nothing",
    )
