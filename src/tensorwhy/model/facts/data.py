"""Facts about shapes and data that no exception speaks of: the program goes on, and means something else."""

from __future__ import annotations

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location

Shape = tuple[int | None, ...]


class OuterResult(Fact, frozen=True, kw_only=True):
    """An operation of two operands with as many elements each, whose result has one for each pair.

    `operation` is its kernel, `low` the position of the operand that has fewer axes, `given` the one that the
    variables have no part in. None in a shape is a size that tracing does not know. `asked` is where the gradient was
    asked for.
    """

    operation: str
    shapes: tuple[Shape, Shape]
    result: Shape
    low: int
    given: int
    location: Location
    asked: Location | None = None
