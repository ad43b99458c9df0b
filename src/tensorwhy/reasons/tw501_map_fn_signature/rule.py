"""TW501 map-fn-signature: a mapped function takes or returns something else than was declared for it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__, summary="A mapped function accepts or returns another dtype, shape or structure than the call declares."
)


def match(case: Case) -> Evidence | None:
    """Holds when what went into or came out of the mapped function contradicts the declared signature."""
    fact = case.fact
    if not isinstance(fact, SignatureMismatch):
        return None
    row = _ROWS.get(fact.problem, _OTHER)
    said = (row._replace(fixes=(_RAGGED,)) if fact.ragged_rank else row).filled(_names(fact))
    related: tuple[Marked, ...] = ()
    if fact.produced is not None and fact.produced != fact.call and fact.problem not in ("scalar-elements",):
        related = (Marked.at(fact.produced, f"returns {fact.got}" if _returned(fact) else "the function", "result"),)
    return Evidence(
        message=said.message,
        primary=Marked.at(fact.call, said.label, "map"),
        related=related,
        fixes=said.fixes,
    )


def _returned(fact: SignatureMismatch) -> bool:
    return fact.problem in ("dtype", "structure", "shape", "no-value", "composite-result")


def _declared(fact: SignatureMismatch) -> str:
    """Who says so: the program, or, without a declaration, the elements."""
    if fact.explicit:
        return f"the call declares {fact.declared}"
    return f"without `fn_output_signature` it must return the same as the elements, {fact.declared}"


def _names(fact: SignatureMismatch) -> dict[str, object]:
    return {
        "named": f"`{fact.function}`" if fact.function else "the mapped function",
        "construct": f"`{fact.construct}`",
        "got": fact.got,
        "lengths": f": lengths {fact.got}" if fact.got else "",
        "says": _declared(fact),
        "declared": fact.declared,
        "element": f"element {fact.element}" if fact.element else "an element",
        # What fails at the first element fails at any.
        "at": f" for element {fact.element}" if fact.element else "",
        "rank": fact.ragged_rank,
        "signature": f"declares {fact.declared}"
        if fact.explicit
        else "has no `fn_output_signature`, so the dtype of the elements is assumed for the result",
    }


_ROWS = {
    "scalar-elements": Row(
        "{construct} maps over the first dimension, but its elements have none: {got}",
        "the elements have no first dimension",
        (Fix(summary="pass one tensor, such as `tf.constant([...])`: a Python list is a structure of inputs here"),),
    ),
    "unequal-elements": Row(
        "{construct} takes one element of each input at a time, but the inputs differ in length{lengths}",
        "iterates over the inputs together",
        (Fix(summary="map over inputs of the same length; close over an input that every element needs as a whole"),),
    ),
    "no-value": Row(
        "{named} returns nothing for {element}, but {construct} needs a tensor from each call",
        "needs a result for each element",
        (Fix(summary="return a tensor on every path of the function; for side effects use a loop"),),
    ),
}
_OTHER = Row("{named} returns {got}{at}, but {says}", "{signature}")
_RAGGED = Fix(
    summary="return a tensor that is ragged along all axes that the call declares so: "
    "`tf.RaggedTensor.from_tensor(..., ragged_rank={rank})`",
    caveat="unless these axes are equally long in all results; then declare their length",
)
