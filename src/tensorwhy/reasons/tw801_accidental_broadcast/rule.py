"""TW801 accidental-broadcast: (32,) and (32, 1) make (32, 32), and the loss compares what does not belong together."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.operations import as_written, operands
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.data import OuterResult, Shape
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="Two operands of a loss with shapes like (32,) and (32, 1) broadcast to (32, 32): all pairs are compared.",
    severity="warning",
)
_LONGEST = 40


def match(case: Case) -> Evidence | None:
    """Hold for an operation on the way to a loss that makes one element for each pair of its operands' elements."""
    fact = case.fact
    if not isinstance(fact, OuterResult):
        return None
    found = operands(fact.operation, fact.sign, fact.location, case.sources)
    sides = [ast.unparse(side) for side in (found.left, found.right)] if found is not None else []
    if max(map(len, sides), default=_LONGEST + 1) > _LONGEST:
        found, sides = None, []
    place = case.sources.place(fact.location.file, found.node) if found is not None else fact.location
    shapes = tuple(map(written, fact.shapes))
    what = f"`{ast.unparse(found.node)}`" if found else as_written(fact.operation, fact.location, case.sources)
    pairs = (
        f"every value of `{sides[0]}` with every value of `{sides[1]}`"
        if found
        else "all values of the data with all of the model"
    )
    same = (
        f"`tf.reshape({sides[fact.low]}, tf.shape({sides[1 - fact.low]}))`"
        if found
        else "`tf.reshape` or `tf.squeeze` before this line"
    )
    return Evidence(
        message=f"{what} broadcasts {shapes[0]} and {shapes[1]} to {written(fact.result)}: the loss pairs {pairs}",
        primary=Marked.at(
            place,
            f"`{sides[0]}` has shape {shapes[0]}, `{sides[1]}` has {shapes[1]}"
            if found
            else f"{shapes[0]} and {shapes[1]} meet here",
        ),
        related=marks(place, (fact.asked, "the gradient of this loss is computed here", "asked")),
        fixes=(
            Fix(
                summary=f"give both the same shape: {same}",
                caveat="unless every pair is meant; then write the axis explicitly, "
                f"`{sides[fact.low] if found else 'x'}[None, :]`",
            ),
        ),
    )


def written(shape: Shape) -> str:
    """Write a shape as Python does; a size that is not known is called `n`."""
    sizes = ["n" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"
