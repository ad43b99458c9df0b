"""TW507 tensorarray-reuse: a TensorArray is used in a state that it no longer, or not yet, has."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A TensorArray is read twice after it was cleared, or read without a write whose result was ignored.",
)


def match(case: Case) -> Evidence | None:
    """Holds when an element was gone at its second read, or when nothing in the graph uses what a write gave."""
    fact = case.fact
    if not isinstance(fact, ArrayReused):
        return None
    name = f"`{fact.array}`" if fact.array else "the TensorArray"
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.created, "created here", "created"),
            (fact.used, "reads the array as it was before the write", "used"),
        )
        if place is not None and place.line != fact.call.line
    ]
    if fact.problem == "read-twice":
        element = f"element {fact.index}" if fact.index is not None else "an element"
        return Evidence(
            message=f"{element} of {name} is read a second time, but the first read cleared it",
            primary=Marked.at(fact.call, "this element was cleared", "read"),
            related=tuple(related),
            fixes=(
                Fix(summary="keep what the first `read` returned in a variable"),
                Fix(
                    summary="or create the array with `clear_after_read=False`",
                    caveat="the array then keeps all its elements in memory",
                ),
            ),
        )
    related += [Marked.at(place, "lost in the same way", "write") for place in fact.beside]
    where = " in a traced loop" if fact.in_loop else ""
    assigned = f"`{fact.array} = {fact.array}.write(...)`" if fact.array else "`ta = ta.write(...)`"
    return Evidence(
        message=f"the result of `write`{where} is not used, so what it writes to {name} is lost"
        + (f", here and on {len(fact.beside)} more line{'s' * (len(fact.beside) > 1)}" if fact.beside else ""),
        primary=Marked.at(fact.call, "returns the updated array, which is not assigned to anything", "write"),
        related=tuple(related),
        severity=None if fact.failed else "warning",
        fixes=(Fix(summary=f"assign the updated array to the name: {assigned}"),),
    )
