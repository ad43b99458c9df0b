"""Results that pair every element of the data with every element of what a model gave, on the way to a loss.

`y - model(x)` with shapes (32,) and (32, 1) has the shape (32, 32): a missing axis was put in front, where the author
thought of none. Shapes alone do not tell this from a product of pairs that is meant. So all of this must hold: the two
operands have as many elements; one of them has fewer axes, and nobody wrote an axis of size 1 into the other one; one
comes from data alone, the other from data and variables; and all that becomes of the pairs is a sum or mean over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Protocol

from tensorwhy.model.facts.data import Shape

Role = Literal["elementwise", "reduce", "move", "variable", "data", "array", "other"]
"""`move`: the same elements in another shape. `array`: numbers that do not change from one step to the next."""
_LOSS, _ALL = 2_000, 50_000
"""So many operations are looked at of what a loss is made of, and of all that it depends on."""
LEFT_OUT = "whether a loss pairs each sample with all others: it has too many operations to search them"


class Operation(NamedTuple):
    """One operation. `inputs` are those whose values count: no shapes, no axes."""

    name: str
    role: Role
    inputs: tuple[int, ...] = ()


class Computed(Protocol):
    """What was computed, by tensor."""

    def operation(self, tensor: int) -> Operation:
        """Return what made a tensor."""
        ...

    def shape(self, tensor: int) -> Shape | None:
        """Return the shape of a tensor; None when it is not known."""
        ...

    def cut(self) -> None:
        """Note that there are more operations than are looked at."""
        ...


class Outer(NamedTuple):
    """`low` is the position of the operand with fewer axes, `given` the one that comes from data alone."""

    tensor: int
    operation: Operation
    low: int
    given: int


def outer_results(computed: Computed, targets: Iterable[int]) -> Iterator[Outer]:
    """Find such results among what the targets were computed from."""
    reached = _reached(computed, targets)
    added_up = {tensor for tensor, reduced in reached if reduced} - {
        tensor for tensor, reduced in reached if not reduced
    }
    found = {tensor: low for tensor in sorted(added_up) if (low := _low(computed, tensor)) is not None}
    if not found:
        return
    ends = (operation for tensor, _ in reached if (operation := computed.operation(tensor)).role not in _PASSING)
    elsewhere = set(_before(computed, (each for operation in ends for each in operation.inputs)))
    for tensor, low in found.items():
        operation = computed.operation(tensor)
        if tensor in elsewhere or _has_a_written_axis(computed, operation.inputs[1 - low]):
            continue
        given = _given(computed, operation)
        if given is not None:
            yield Outer(tensor, operation, low, given)


_PASSING = ("elementwise", "reduce", "move")


def _reached(computed: Computed, targets: Iterable[int]) -> set[tuple[int, bool]]:
    """Return what the targets are made of, element by element, and whether a sum or mean comes behind it."""
    stack = [(target, False) for target in targets]
    seen: set[tuple[int, bool]] = set()
    while stack and len(seen) < _LOSS:
        tensor, reduced = stack.pop()
        if (tensor, reduced) not in seen:
            seen.add((tensor, reduced))
            operation = computed.operation(tensor)
            if operation.role in _PASSING:
                stack += ((each, reduced or operation.role == "reduce") for each in operation.inputs)
    if stack:
        computed.cut()
    return seen


def _low(computed: Computed, tensor: int) -> int | None:
    """Return which operand has fewer axes, where two with as many elements make one for each pair."""
    operation = computed.operation(tensor)
    if operation.role != "elementwise" or len(operation.inputs) != 2:
        return None
    first, second = (computed.shape(each) for each in operation.inputs)
    if first is None or second is None or len(first) == len(second):
        return None
    sizes = [size for size in first if size != 1]
    known = None not in sizes or len(sizes) == 1  # of a single unknown size: it is that of the batch
    if not sizes or 0 in sizes or not known or sizes != [size for size in second if size != 1]:
        return None
    low = int(len(second) < len(first))
    high, short = (second, first) if low == 0 else (first, second)
    filled = (1,) * (len(high) - len(short)) + short
    stretched = {(one == 1, other == 1) for one, other in zip(filled, high)}
    return low if {(True, False), (False, True)} <= stretched else None


def _before(computed: Computed, tensors: Iterable[int]) -> Iterator[int]:
    """Walk back through everything that the tensors depend on."""
    stack, seen = [*tensors], set[int]()
    while stack and len(seen) < _ALL:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            yield tensor
            stack += computed.operation(tensor).inputs
    if stack:
        computed.cut()


def _has_a_written_axis(computed: Computed, tensor: int) -> bool:
    """Return whether the axes of a tensor may be what somebody asked for: by a reshape, or a sum that keeps an axis."""
    shape, stack, seen = computed.shape(tensor), [tensor], {tensor}
    while stack:
        operation = computed.operation(stack.pop())
        if operation.role in ("move", "reduce"):
            return True
        if operation.role == "elementwise":
            same = [each for each in operation.inputs if computed.shape(each) == shape and each not in seen]
            seen.update(same)
            stack += same
    return False


def _given(computed: Computed, operation: Operation) -> int | None:
    """Return which operand comes from data alone, where the other one comes from as varied data and from variables."""
    roots = [{computed.operation(each).role for each in _before(computed, [side])} for side in operation.inputs]
    for given, (alone, model) in enumerate((roots, roots[::-1])):
        varies = "data" if "data" in alone else "array"
        alike = varies in alone and varies in model and (varies == "data" or "data" not in model)
        if alike and "variable" in model and "variable" not in alone:
            return given
    return None
