"""TW508 tensorarray-boundary: a TensorArray where only a tensor can go."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import ArrayOutside
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW508",
    slug="tensorarray-boundary",
    family="loop",
    summary="A TensorArray is used as a tensor, or outside the traced function or loop that it belongs to.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a tensor array was seen where a tensor is needed, or beyond its own trace."""
    fact = case.fact
    if not isinstance(fact, ArrayOutside):
        return None
    primary = fact.origin or fact.call
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.created, "the array is created here", "created"),
            (fact.call, _use(fact), "used"),
        )
        if place is not None and place.line != primary.line
    ]
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, _label(fact, primary), "boundary"),
        related=tuple(related),
        fixes=(_advice(fact),),
    )


def _name(fact: ArrayOutside) -> str:
    return f"`{fact.array}`" if fact.array else "a TensorArray"


def _owner(fact: ArrayOutside) -> str:
    return f"the traced function `{fact.owner}`" if fact.owner else "a traced function"


def _use(fact: ArrayOutside) -> str:
    return f"`{fact.use}` needs it here" if fact.use else "a tensor is needed here"


def _message(fact: ArrayOutside) -> str:
    name = _name(fact)
    if fact.problem == "returned":
        lacks = f", which has no `{fact.use}`" if fact.use else ""
        return f"{name} is a TensorArray returned by a traced function: outside, it is a plain tensor{lacks}"
    if fact.problem == "kept":
        return f"{name} was written to in {_owner(fact)}, but is used after that trace has ended"
    if fact.problem == "eager-inside":
        return f"{name} was created eagerly, outside {_owner(fact)}, but gets an index that only the graph will know"
    if fact.problem == "eager-carried":
        return f"{name} was created eagerly, outside {_owner(fact)}, but a traced loop or branch only carries its own"
    if fact.problem == "loop-local":
        return f"{name} was written to in a traced loop without being a loop variable, but is used outside"
    if fact.problem == "layer-output":
        return f"a layer returns {name}, but layers can only return tensors"
    return f"{name} is a TensorArray, not a tensor: it cannot be used in computations, indexed or iterated over"


def _label(fact: ArrayOutside, primary: Location) -> str:
    if fact.problem == "returned" and primary == fact.origin:
        return "returns the array itself"
    if fact.problem in ("kept", "loop-local") and primary == fact.origin:
        return "the array with this element exists only inside"
    if fact.problem == "as-tensor" and primary == fact.origin:
        return "passes the array to a function that needs a tensor"
    if fact.problem == "eager-inside":
        return "an eager array needs a number here"
    if fact.problem == "eager-carried":
        return "an eager array cannot be carried through this"
    return _use(fact)


def _advice(fact: ArrayOutside) -> Fix:
    if fact.problem == "returned":
        index = f", and index the result: `{fact.array or 'x'}[i]` instead of `.read(i)`" if fact.use == "read" else ""
        return Fix(summary=f"return `.stack()` (or `.concat()`) of the array{index}")
    if fact.problem in ("kept", "eager-inside", "eager-carried"):
        return Fix(
            summary="create the array inside the traced function and return `.stack()`; "
            "keep state between calls in a tf.Variable"
        )
    if fact.problem == "loop-local":
        return Fix(summary="make the array a loop variable: pass it in `loop_vars`, write, return it from the body")
    return Fix(summary="use `.stack()`, `.concat()` or `.read(i)` of the array")
