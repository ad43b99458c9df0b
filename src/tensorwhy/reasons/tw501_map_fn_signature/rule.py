"""TW501 map-fn-signature: a mapped function takes or returns something else than was declared for it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW501",
    slug="map-fn-signature",
    family="loop",
    summary="A mapped function accepts or returns another dtype, shape or structure than the call declares.",
)


def match(case: Case) -> Evidence | None:
    """Holds when what went into or came out of the mapped function contradicts the declared signature."""
    fact = case.fact
    if not isinstance(fact, SignatureMismatch):
        return None
    related: tuple[Marked, ...] = ()
    if fact.produced is not None and fact.produced != fact.call and fact.problem not in ("scalar-elements",):
        related = (Marked.at(fact.produced, f"returns {fact.got}" if _returned(fact) else "the function", "result"),)
    return Evidence(
        message=_message(fact),
        primary=Marked.at(fact.call, _label(fact), "map"),
        related=related,
        fixes=tuple(_advice(fact)),
    )


def _returned(fact: SignatureMismatch) -> bool:
    return fact.problem in ("dtype", "structure", "shape", "no-value", "composite-result", "output")


def _declared(fact: SignatureMismatch) -> str:
    """Who says so: the program, or, without a declaration, the elements."""
    if fact.explicit:
        return f"the call declares {fact.declared}"
    return f"without `fn_output_signature` it must return the same as the elements, {fact.declared}"


def _message(fact: SignatureMismatch) -> str:
    named = f"`{fact.function}`" if fact.function else "the mapped function"
    construct = f"`{fact.construct}`"
    if fact.problem == "scalar-elements":
        return f"{construct} maps over the first dimension, but its elements have none: {fact.got}"
    if fact.problem == "unequal-elements":
        lengths = f": lengths {fact.got}" if fact.got else ""
        return f"{construct} takes one element of each input at a time, but the inputs differ in length{lengths}"
    if fact.problem == "output":
        return (
            f"the function of {construct} returns an output of {fact.got}, but Keras with TensorFlow needs outputs "
            f"like the carry, which starts as {fact.declared}"
        )
    if fact.problem == "no-value":
        element = f"element {fact.element}" if fact.element else "an element"
        return f"{named} returns nothing for {element}, but {construct} needs a tensor from each call"
    # What fails at the first element fails at any.
    at = f" for element {fact.element}" if fact.element else ""
    return f"{named} returns {fact.got}{at}, but {_declared(fact)}"


def _label(fact: SignatureMismatch) -> str:
    if fact.problem == "scalar-elements":
        return "the elements have no first dimension"
    if fact.problem == "unequal-elements":
        return "iterates over the inputs together"
    if fact.problem == "no-value":
        return "needs a result for each element"
    if fact.problem == "output":
        return f"keeps outputs of {fact.declared}, like the first carry"
    return (
        f"declares {fact.declared}" if fact.explicit else "declares no result, so the type of the elements is assumed"
    )


def _advice(fact: SignatureMismatch) -> list[Fix]:
    if fact.ragged_rank:
        return [
            Fix(
                summary="return a tensor that is ragged along all axes that the call declares so: "
                f"`tf.RaggedTensor.from_tensor(..., ragged_rank={fact.ragged_rank})`",
                caveat="unless these axes are equally long in all results: then declare their length",
            )
        ]
    if fact.problem == "scalar-elements":
        return [
            Fix(summary="pass one tensor, such as `tf.constant([...])`: a Python list is a structure of inputs here")
        ]
    if fact.problem == "unequal-elements":
        return [
            Fix(summary="map over inputs of the same length; close over an input that every element needs as a whole")
        ]
    if fact.problem == "output":
        return [
            Fix(summary="return the carry as the output as well, and compute the result from all of them afterwards"),
            Fix(summary="or loop with `tf.scan` or `keras.ops.while_loop`"),
        ]
    if fact.problem == "no-value":
        return [Fix(summary="return a tensor on every path of the function; for side effects use a loop")]
    return []
