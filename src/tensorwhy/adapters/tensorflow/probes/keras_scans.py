"""The function of `keras.ops.scan`: it gives no two things, or a carry or an output that is not like the first carry.

Keras 3 keeps the carry in an array of one element and the outputs in one for all steps, both made for what the first
carry is; so anything else is refused where it is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tensorflow.python.framework import tensor_util

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import (
    cell_results,
    failed_node,
    loop_lines,
    mapped_calls,
    signatures,
    tensor_lists,
)
from tensorwhy.adapters.tensorflow.failures.cell_results import SCAN
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange, SignatureMismatch
from tensorwhy.model.location import Location
from tensorwhy.recording import reading
from tensorwhy.recording.sources import Sources

_SCAN = "keras.ops.scan"
_WRITE = "TensorListSetItem"


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What the function gave back as its carry, against the first one."""
    way = live.joined()
    index = cell_results.scanned(way)
    if index is not None:
        yield from _pair(live, way, index)
        return
    found, body = way.first("scan", SCAN), way.first("loop_body", SCAN)
    if found is None or body is None:
        yield from _running(live, way)
        return
    if body[0] < found[0] or way.below(body[0]):
        return
    caller = way.caller(found[0])
    written = next((step for step in way.frames[body[0] + 1 :] if step.name == "write"), None)
    if caller is None or caller.location is None or written is None:
        return
    sources, array = Sources(), written.local("self")
    call = reading.call_at(caller.location, sources, "scan")
    statement = call[1] if call is not None else caller.location
    told = None
    for each, value in _carried(body[1]):
        fact = _changed(each, value, statement, live)
        if fact is not None:
            told = _kinds(each, value)
            yield fact
            break
    output = any(each is array for each in body[1].local("ys_array") or ())
    if output and _kinds(array, written.local("value")) != told:  # else the carry itself is what is given out
        yield from _output(array, written.local("value"), statement, live)


def _running(live: LiveFailure, way: Stack) -> Iterator[Fact]:
    """A graph compares dtypes when it runs. Of the arrays that its loop writes to, a carry's has the index 0 alone."""
    found = failed_node.failed(live.exceptions, way)
    if found is None or found[0].type != _WRITE or not _of_scan(found[0], live):
        return
    writes = [op for op in found[0].graph.get_operations() if op.type == _WRITE and _of_scan(op, live)]
    carried = [op for op in writes if tensor_util.constant_value(op.inputs[1]) is not None]
    place = failed_node.origin(found[0], live.user).location
    if place is None:
        return
    sources = Sources()
    call = reading.call_at(place, sources, "scan")
    for op in (*carried, found[0]):
        expected = tensor_lists.element_dtype(op.inputs[0])
        value, statement = op.inputs[2], call[1] if call is not None else place
        if expected is None or expected == value.dtype:
            continue
        common: dict[str, Any] = {"construct": _SCAN, "got": value.dtype.name}
        made = _made(value, statement, live)
        if op in carried:
            yield LoopStructureChange(
                statement=statement, problem="dtype", changed=made, expected=expected.name, **common
            )
        else:
            yield SignatureMismatch(call=statement, problem="output", produced=made, declared=expected.name, **common)
        return


def _of_scan(operation: Any, live: LiveFailure) -> bool:
    return failed_node.origin(operation, live.user).through("loop_body", SCAN)


def _carried(body: Frame) -> Iterator[tuple[Any, Any]]:
    """The arrays that keep the parts of the carry, with what the function gave for each."""
    given = body.local("flat_carry")
    if given is None:  # the outputs are written first
        from tensorflow import nest

        given = nest.flatten(body.local("carry"))
    yield from zip(body.local("carry_array") or (), given, strict=False)


def _changed(array: Any, value: Any, statement: Location, live: LiveFailure) -> Fact | None:
    """A part of the carry that is not what it was at first."""
    before, after = _kinds(array, value)
    changed = _made(value, statement, live)
    if None not in (before.shape, after.shape) and before.shape != after.shape:
        return LoopShapeChange(
            construct=_SCAN, statement=statement, variable="", entry=before.shape, exit=after.shape, changed=changed
        )
    if after.dtype and before.dtype != after.dtype:
        return LoopStructureChange(
            construct=_SCAN,
            statement=statement,
            problem="dtype",
            changed=changed,
            expected=before.dtype,
            got=after.dtype,
        )
    return None


def _output(array: Any, value: Any, statement: Location, live: LiveFailure) -> Iterator[Fact]:
    """An output that is not like the carry."""
    before, after = _kinds(array, value)
    if None not in (before.shape, after.shape) and before.shape != after.shape:
        kinds = f"shape {list(before.shape or ())}", f"shape {list(after.shape or ())}"
    elif after.dtype and before.dtype != after.dtype:
        kinds = before.dtype, after.dtype
    else:
        return
    yield SignatureMismatch(
        construct=_SCAN,
        call=statement,
        problem="output",
        produced=_made(value, statement, live),
        declared=kinds[0],
        got=kinds[1],
    )


class _Kind(NamedTuple):
    shape: Any
    dtype: str


def _kinds(array: Any, value: Any) -> tuple[_Kind, _Kind]:
    kept = _Kind(signatures.shape_of(getattr(array, "element_shape", None)), signatures.dtype_name(array))
    return kept, _Kind(signatures.shape_of(value), signatures.dtype_name(value))


def _made(value: Any, statement: Location, live: LiveFailure) -> Location | None:
    """The line that made a value, where that is not the call itself."""
    made = loop_lines.made_at(value, live.user)
    return reading.exact(made[-1], Sources()) if made and made[-1].line != statement.line else None


def _pair(live: LiveFailure, way: Stack, index: int) -> Iterable[Fact]:
    """Keras takes the function's result for the carry and an output, and it is something else."""
    caller, function, sources = way.caller(index), way.frames[index].local("f"), Sources()
    if caller is None or caller.location is None:
        return
    call = reading.call_at(caller.location, sources, "scan")
    written = reading.argument(call[0], 0, "f") if call is not None else None
    tree, where = mapped_calls.definition(written, caller.location, sources, live.user, function)
    values = reading.returns(tree) if tree is not None else ()
    single = len(values) == 1 and not isinstance(values[0], (ast.Tuple, ast.List))
    yield LoopStructureChange(
        construct=_SCAN,
        statement=call[1] if call is not None else caller.location,
        problem="pair",
        changed=reading.place(values[0], where, sources) if len(values) == 1 and where is not None else None,
        got="one thing" if single else "" if values else "nothing",
    )
