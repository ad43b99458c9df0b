"""TW508 tensorarray-boundary: a TensorArray where only a tensor can go."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.loops import ArrayOutside
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__, summary="A TensorArray is used as a tensor, or outside the traced function or loop that it belongs to."
)


def match(case: Case) -> Evidence | None:
    """Holds when a tensor array was seen where a tensor is needed, or beyond its own trace."""
    fact = case.fact
    if not isinstance(fact, ArrayOutside):
        return None
    names, primary = _names(fact), fact.origin or fact.call
    row = _ROWS[fact.problem].filled(names)
    label = row.label if fact.origin is not None or fact.problem in _ELSEWHERE else names["use"]
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.created, "the array is created here", "created"),
            (fact.call, names["use"], "used"),
        )
        if place is not None and place.line != primary.line
    ]
    return Evidence(
        message=row.message,
        primary=Marked.at(primary, label, "boundary"),
        related=tuple(related),
        fixes=row.fixes,
    )


def _names(fact: ArrayOutside) -> dict[str, str]:
    return {
        "name": f"`{fact.array}`" if fact.array else "a TensorArray",
        "owner": f"the traced function `{fact.owner}`" if fact.owner else "a traced function",
        "use": f"a tensor has no `{fact.use}`" if fact.use else "a tensor is needed here",
        "lacks": f", which has no `{fact.use}`" if fact.use else "",
        "index": f", and index the result: `{fact.array or 'x'}[i]` instead of `.read(i)`"
        if fact.use == "read"
        else f", and remove `.{fact.use}()` on line {fact.call.line}"
        if fact.use in ("stack", "concat")
        else "",
    }


_INSIDE = Fix(
    summary="create the array inside the traced function and return `.stack()`; keep state between calls in a "
    "tf.Variable"
)
_STACK = Fix(summary="use `.stack()`, `.concat()` or `.read(i)` of the array")
_ONLY_INSIDE = "the array with this element exists only inside"
_ROWS = {
    "returned": Row(
        "{name} is a TensorArray returned by a traced function: outside, it is a plain tensor{lacks}",
        "returns the array itself",
        (Fix(summary="return `.stack()` (or `.concat()`) of the array{index}"),),
    ),
    "kept": Row("{name} was written to in {owner}, but is used after that trace has ended", _ONLY_INSIDE, (_INSIDE,)),
    "eager-inside": Row(
        "{name} was created eagerly, outside {owner}, but gets an index that only the graph will know",
        "an eager array needs a number here",
        (_INSIDE,),
    ),
    "eager-carried": Row(
        "{name} was created eagerly, outside {owner}, but a traced loop or branch only carries its own",
        "an eager array cannot be carried through this",
        (_INSIDE,),
    ),
    "loop-local": Row(
        "{name} was written to in a traced loop without being a loop variable, but is used outside",
        _ONLY_INSIDE,
        (Fix(summary="make the array a loop variable: pass it in `loop_vars`, write, return it from the body"),),
    ),
    "layer-output": Row("a layer returns {name}, but layers can only return tensors", "{use}", (_STACK,)),
    "as-tensor": Row(
        "{name} is a TensorArray, not a tensor: it cannot be used in computations, indexed or iterated over",
        "passes the array to a function that needs a tensor",
        (_STACK,),
    ),
}
_ELSEWHERE = ("eager-inside", "eager-carried")
"""Their label holds at the call, too; that of the others is about the line that let the array out."""
