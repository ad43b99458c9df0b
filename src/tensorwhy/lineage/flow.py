"""Where a gradient gets to that starts at the targets: the backward pass, walked over the recorded lineage.

Unlike the search for breaks this knows what values do: an operation that was seen to hand on nothing but zeros is a
gate, and a closed gate ends the way. Calls of traced functions are walked inside, and so are branches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.model.question import Function
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event


class Arm(NamedTuple):
    """One input of one operation, on the way back from `made`, which is one of its outputs."""

    event: Event
    name: str
    position: int
    source: int
    made: int


class Flow:
    """What one backward walk reached.

    `alive`: tensors (and variables' handles) to which a gradient gets. `closed`: arms that were reached and found
    closed. `outer`: what inputs of functions were given. `calls`: calls of functions, with the positions of the outputs
    by which they were reached.
    """

    def __init__(self) -> None:
        self.alive: set[int] = set()
        self.outer: dict[int, set[int]] = defaultdict(set)
        self.closed: list[Arm] = []
        self.calls: dict[int, tuple[Event, Function, set[int]]] = {}
        self.branches: dict[int, tuple[Event, tuple[Function, ...]]] = {}
        self.arms: list[Arm] = []


Shut = Callable[[Arm], bool]


def walk(
    lineage: Lineage,
    starts: Iterable[int],
    before: int,
    shut: Shut = lambda arm: False,
    outer: Mapping[int, set[int]] | None = None,
) -> Flow:
    """Walk backwards from `starts` over rows before `before`; an arm for which `shut` says so ends the way.

    `outer` tells, for starts inside of functions, what these were called with (`Flow.outer` of a walk from outside).
    """
    flow = Flow()
    flow.outer.update({inner: set(given) for inner, given in (outer or {}).items()})
    stack = list(starts)

    def into(function: Function, given: tuple[int, ...]) -> None:
        for inner, value in zip(function.inputs, given):
            source = tensor_of(value)
            flow.outer[inner].add(source)
            if inner in flow.alive:
                stack.append(source)

    while stack:
        tensor = stack.pop()
        if tensor < 0 or tensor in flow.alive:
            continue
        flow.alive.add(tensor)
        stack.extend(flow.outer.get(tensor, ()))
        for event in _makers(lineage, tensor, before):
            function = _function(lineage, event)
            if function is not None:
                into(function, event.inputs)
                reached = flow.calls.setdefault(event.index, (event, function, set()))[2]
                for position, (inner, made) in enumerate(zip(function.outputs, event.outputs)):
                    if made == tensor:
                        reached.add(position)
                        stack.append(inner)
                continue
            name, *bodies = lineage.journal.names[event.name].split("|")
            functions = [lineage.rules.functions[body] for body in bodies if body in lineage.rules.functions]
            if name in lineage.rules.kinds.branches and len(functions) == len(bodies):
                flow.branches[event.index] = (event, tuple(functions))
                for branch in functions:
                    into(branch, event.inputs[1:])
                    stack.extend(inner for inner, made in zip(branch.outputs, event.outputs) if made == tensor)
                continue
            for arm in arms(lineage, event, tensor):
                if shut(arm):
                    flow.closed.append(arm)
                else:
                    flow.arms.append(arm)
                    stack.append(arm.source)
    return flow


def arms(lineage: Lineage, event: Event, made: int) -> Iterator[Arm]:
    """The inputs of an operation to which a gradient could get by the framework's rules."""
    if event.kind == j.ENTRY:
        return
    name = lineage.journal.names[event.name].partition("|")[0]
    if event.kind == j.RECORDED:
        if event.index in lineage.recomputed:
            yield from _in_front(lineage, event, name, made)
            return
        none = lineage.given_none(event)
        for index, value in enumerate(event.inputs):
            if index not in none and lineage.is_differentiable(tensor_of(value)):
                yield Arm(event, name, index, tensor_of(value), made)
        return
    if name in lineage.rules.shape_only or (event.outputs and not any(map(lineage.is_differentiable, event.outputs))):
        return
    loop = name in lineage.rules.kinds.loops
    facts = None if loop else lineage.facts(event)
    if facts is not None and facts.stops_gradient:
        return
    for index, value in enumerate(event.inputs):
        source = tensor_of(value)
        passes = facts is None or facts.carries(index) not in ("none", "raises")
        if source >= 0 and passes and lineage.is_differentiable(source):
            yield Arm(event, name, index, source, made)


def _in_front(lineage: Lineage, event: Event, name: str, made: int) -> Iterator[Arm]:
    """Of a function whose gradient is computed by running it again, in a graph: what it gave by itself."""
    position = event.outputs.index(made)
    if position < lineage.computed_in_front(event):
        yield Arm(event, name, position, tensor_of(event.inputs[position]), made)


def _makers(lineage: Lineage, tensor: int, before: int) -> list[Event]:
    makers = [event for event in lineage.makers(tensor) if event.index < before]
    by_hand = [event for event in makers if event.kind == j.RECORDED][-1:]
    if by_hand and by_hand[0].index in lineage.recomputed and not lineage.computed_in_front(by_hand[0]):
        return [event for event in makers if event.kind != j.RECORDED]
    return by_hand or makers


def _function(lineage: Lineage, event: Event) -> Function | None:
    """The traced function that a row calls, inside a graph (`call|name`) or by its own name."""
    name, *bodies = lineage.journal.names[event.name].split("|")
    if name in lineage.rules.functions:
        return lineage.rules.functions[name]
    if name in lineage.rules.kinds.calls and bodies:
        return lineage.rules.functions.get(bodies[0])
    return None
