"""TW506 tensorarray-element: an element does not fit into the TensorArray, or the elements do not fit together."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import ArrayElementRejected
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW506",
    slug="tensorarray-element",
    family="loop",
    summary="An element does not match the dtype or shape of the TensorArray, or an index exceeds its size.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a tensor array of the user's own was seen to refuse an element or an index."""
    fact = case.fact
    if not isinstance(fact, ArrayElementRejected):
        return None
    primary, label = _primary(fact)
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.created, _created_label(fact), "created"),
            (fact.written, "written here, with a shape that varies", "written"),
            (fact.call, f"`{fact.operation}` fails", "call"),
        )
        if place is not None and place.line != primary.line
    ]
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, label, "element"),
        related=tuple(related),
        fixes=tuple(_advice(fact)),
    )


def _primary(fact: ArrayElementRejected) -> tuple[Location, str]:
    """Where the element comes from; for an array that is too small, the line that made it so."""
    if fact.problem == "index" and (fact.index or 0) >= 0 and fact.operation == "write" and fact.created is not None:
        return fact.created, f"room for {fact.size} elements" if fact.size is not None else "its size is fixed"
    if fact.problem == "dtype" and fact.created is not None and fact.declared.startswith(("int", "uint", "bool")):
        return fact.created, f"declared as {fact.declared}"
    if fact.written is not None:
        return fact.written, "writes elements of different shapes"
    return fact.call, {
        "dtype": f"this element is {fact.got}",
        "shape": f"this element has shape {fact.got}" if fact.operation == "write" else "the elements' shapes differ",
        "index": f"index {fact.index}",
        "index-dtype": f"this index is {fact.got}",
        "size": f"gets {fact.got} elements",
        "empty": "no element has been written",
    }[fact.problem]


def _created_label(fact: ArrayElementRejected) -> str:
    return {
        "dtype": f"declared as {fact.declared}",
        "shape": "created here",
        "index": f"created with room for {fact.size}" if fact.size is not None else "created here",
        "index-dtype": "created here",
        "size": f"created with room for {fact.size}" if fact.size is not None else "created here",
        "empty": "created here",
    }[fact.problem]


def _message(fact: ArrayElementRejected) -> str:
    name = f"`{fact.array}`" if fact.array else "the TensorArray"
    if fact.problem == "dtype":
        return f"{name} is a TensorArray of {fact.declared}, but an element of {fact.got} is written to it"
    if fact.problem == "shape":
        if fact.operation == "concat" and fact.got == "[]":
            return f"`concat` joins the elements of {name} along their first dimension, but they are scalars"
        if fact.operation == "write":
            at = f" at index {fact.index}" if fact.index is not None else ""
            return f"{name} holds elements of shape {fact.declared}, but one of shape {fact.got} is written{at}"
        at = f" at index {fact.index}" if fact.index is not None else ""
        return f"`{fact.operation}` needs elements of one shape, but {name} has {fact.declared} and {fact.got}{at}"
    if fact.problem == "index":
        size = f", which has {fact.size} elements" if fact.size is not None else ""
        return f"index {fact.index} is outside {name}{size}"
    if fact.problem == "index-dtype":
        return (
            f"a TensorArray needs indices of {fact.declared}, but `{fact.operation}` on {name} gets one of {fact.got}"
        )
    if fact.problem == "size":
        return f"{name} has room for {fact.size} elements, but gets {fact.got}"
    return f"`{fact.operation}` on {name}, to which nothing was written: the shape of its elements is unknown"


def _advice(fact: ArrayElementRejected) -> list[Fix]:
    if fact.problem == "dtype":
        return [
            Fix(summary=f"create the array with the dtype of its elements, {fact.got}"),
            Fix(
                summary=f"or `tf.cast` the element to {fact.declared}", caveat="a cast to an integer drops the decimals"
            ),
        ]
    if fact.problem == "shape" and fact.operation == "concat" and fact.got == "[]":
        return [Fix(summary="use `stack()` for scalars")]
    if fact.problem == "shape":
        made = "" if fact.operation == "stack" else "create the array with `infer_shape=False`, and "
        return [
            Fix(
                summary=f"pad the elements to one shape; or {made}join elements that differ in their first dimension "
                "with `concat()`, which needs no common length"
            )
        ]
    if fact.problem == "index":
        if (fact.index or 0) < 0:
            return [Fix(summary="count from 0: a TensorArray has no negative indices")]
        return [
            Fix(summary="create it with the length of the loop, or with `dynamic_size=True` if the length is unknown")
        ]
    if fact.problem == "index-dtype":
        return [Fix(summary=f"`tf.cast` the index to tf.{fact.declared}")]
    if fact.problem == "size":
        return [Fix(summary="create it with that size, or with `size=0, dynamic_size=True`")]
    return [Fix(summary="declare `element_shape=...` when the array may stay empty")]
