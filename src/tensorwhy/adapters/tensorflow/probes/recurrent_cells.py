"""A recurrent cell of the user's own whose new states are not like those that it was given: shape, dtype or number.

Keras runs cells in a loop of its own, so no user's frame is left when they are compared; the operation that made the
new state remembers its line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import cell_results, loop_lines, mapped_calls, signatures
from tensorwhy.adapters.tensorflow.failures.cell_results import Unpacked
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The state that does not fit the one before it, in the innermost recurrent layer."""
    way = live.joined()
    unpacked = cell_results.unpacked(way)
    if unpacked is not None:
        fact = _pair(live, way, unpacked)
        return (fact,) if fact is not None else ()
    found = way.first("rnn")
    if found is None or not found[1].local("step_function") or way.below(found[0]):
        return ()
    caller = way.caller(found[0])
    if caller is None or caller.location is None:
        return ()
    fact = (
        _dtype(live, way, found[0], caller.location)
        or _count(live, way, found[0], caller.location)
        or _shape(live, way, found[0], caller.location)
    )
    return (fact,) if fact is not None else ()


def _pair(live: LiveFailure, way: Stack, unpacked: Unpacked) -> Fact | None:
    """Keras takes the cell's result for two things, and it is something else."""
    caller = way.caller(unpacked.index)
    tree, where = _call(way.frames[unpacked.index].local("step_function"), live)
    values = reading.returns(tree) if tree is not None else ()
    several = len(values) == 1 and isinstance(values[0], ast.Tuple)
    if caller is None or caller.location is None or (unpacked.rows and (len(values) != 1 or several)):
        return None
    changed = None
    if where is not None:
        sources = Sources()
        changed = reading.place(values[0], where, sources) if len(values) == 1 else sources.place(where.file, tree)
    if several:
        got = f"{len(values[0].elts)} values"  # type: ignore[attr-defined]
    elif unpacked.rows or unpacked.tensor is not None:
        got = "one tensor"
    else:
        got = "" if values else "nothing"
    return LoopStructureChange(
        construct="RNN",
        statement=caller.location,
        problem="pair",
        changed=changed,
        got=got,
    )


def _shape(live: LiveFailure, way: Stack, index: int, statement: Location) -> Fact | None:
    before, after, initial = _states(way, index)
    shapes = signatures.shape_of(before), signatures.shape_of(after)
    made = loop_lines.made_at(after, live.user)
    if not made or None in shapes or shapes[0] == shapes[1]:
        return None
    begun = loop_lines.made_at(initial, live.user)
    running = {(each.location.file, each.location.line) for each in way.frames if each.location is not None}
    own = bool(begun) and (begun[-1].file, begun[-1].line) not in running
    # What the program itself begins with, in `get_initial_state` too, is not what Keras makes of `state_size`.
    declared = _declared(way.frames[index].local("step_function"), shapes[0])
    declared = False if declared and own else declared
    begun = () if declared else begun
    return LoopShapeChange(
        construct="RNN" if declared is not None else "rnn",
        statement=statement,
        variable="",
        problem="state",
        entry=shapes[0],
        exit=shapes[1],
        declared=bool(declared),
        before=reading.exact(begun[-1], Sources()) if begun and begun[-1].line != statement.line else None,
        changed=reading.exact(made[-1], Sources()),
    )


def _declared(step_function: Any, shape: Any) -> bool | None:
    """True if a state of this shape is what the cell's `state_size` says; so it is, too, where that says nothing.

    None of a step function that the user gave to the backend's `rnn`: it has no cell.
    """
    from tensorflow import TensorShape, nest

    cells = list(_cells(step_function))
    if not cells:
        return None
    for cell in cells:
        size = getattr(cell, "state_size", None)
        if size is not None:
            sizes = [size, *nest.flatten(size)]
            known = [signatures.shape_of(TensorShape(each)) for each in sizes if not isinstance(each, dict)]
            return shape[1:] in known
    return True


def _dtype(live: LiveFailure, way: Stack, index: int, statement: Location) -> Fact | None:
    """The loop compares what goes around in it: a state that the cell gives back with another dtype."""
    checked = next((each for each in way.frames[index + 1 :] if each.name == "check_inputs_outputs_types_match"), None)
    after = checked.local("out") if checked is not None else None
    made = loop_lines.made_at(after, live.user)
    if checked is None or not made:
        return None
    return LoopStructureChange(
        construct="RNN",
        statement=statement,
        problem="dtype",
        changed=reading.exact(made[-1], Sources()),
        expected=signatures.dtype_name(checked.local("inp")),
        got=signatures.dtype_name(after),
    )


def _count(live: LiveFailure, way: Stack, index: int, statement: Location) -> Fact | None:
    """The new states are put into the form of those before: there are not as many."""
    from tensorflow import nest

    packed = next((each for each in way.frames[index + 1 :] if each.name == "pack_sequence_as"), None)
    step = next((each for each in reversed(way.frames[index + 1 :]) if each.name == "step"), None)
    states = step.local("states") if step is not None else None
    new = step.local("new_states") if step is not None else None
    if packed is None or step is None or states is None or new is None:
        return None
    counts = len(nest.flatten(states)), len(nest.flatten(new))
    if counts[0] == counts[1]:
        return None
    return LoopStructureChange(
        construct="RNN",
        statement=statement,
        problem="count",
        changed=_returned(way.frames[index].local("step_function"), live),
        expected=str(counts[0]),
        got=str(counts[1]),
    )


def _returned(step_function: Any, live: LiveFailure) -> Location | None:
    """The one `return` of the `call` of the cell."""
    tree, where = _call(step_function, live)
    values = reading.returns(tree) if tree is not None else ()
    return reading.place(values[0], where, Sources()) if where is not None and len(values) == 1 else None


def _call(step_function: Any, live: LiveFailure) -> tuple[Any, Location | None]:
    """The `call` of the cell, which Keras reaches through the closure of its step function."""
    for cell in _cells(step_function):
        call = getattr(cell, "call", None)
        tree, where = mapped_calls.definition(None, Location(file="", line=0), Sources(), live.user, call)
        if tree is not None and where is not None:
            return tree, where
    return None, None


def _cells(step_function: Any) -> Iterator[Any]:
    """The cell, which Keras reaches through the closure of its step function."""
    for value in inspect.getclosurevars(step_function).nonlocals.values():
        cell = getattr(value, "__self__", None) or getattr(value, "cell", None)
        if cell is not None:
            yield cell


def _states(way: Stack, index: int) -> tuple[Any, Any, Any]:
    """The state on entry and after one step, and what it began as: Keras 2 compares them itself, for Keras 3 the loop
    does."""
    from tensorflow import nest

    for step in reversed(way.frames[index + 1 :]):
        if step.name == "check_shapes_compat":
            return step.local("input_t"), step.local("t"), step.local("input_t")
        if step.name == "step" and step.local("new_state") is not None:
            position = signatures.index_of(step.local("state"), step.local("flat_state"))
            initial = nest.flatten(way.frames[index].local("initial_states"))
            begun = initial[position] if position is not None and position < len(initial) else None
            return step.local("state"), step.local("new_state"), begun
    return None, None, None
