"""TW506 tensorarray-element: an element does not fit into the TensorArray, or the elements do not fit together."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.loops import ArrayElementRejected
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = about(
    __name__, summary="An element does not match the dtype or shape of the TensorArray, or an index exceeds its size."
)


def match(case: Case) -> Evidence | None:
    """Holds when a tensor array of the user's own was seen to refuse an element or an index."""
    fact = case.fact
    if not isinstance(fact, ArrayElementRejected):
        return None
    row = _row(fact)
    primary, label = _primary(fact, row.label)
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
        message=row.message,
        primary=Marked.at(primary, label, "element"),
        related=tuple(related),
        fixes=row.fixes,
    )


def _primary(fact: ArrayElementRejected, label: str) -> tuple[Location, str]:
    """Where the element comes from; for an array that is too small, the line that made it so."""
    if fact.problem == "index" and (fact.index or 0) >= 0 and fact.operation == "write" and fact.created is not None:
        return fact.created, f"room for {fact.size} elements" if fact.size is not None else "its size is fixed"
    if fact.problem == "dtype" and fact.created is not None and fact.declared.startswith(("int", "uint", "bool")):
        return fact.created, f"declared as {fact.declared}"
    if fact.written is not None:
        return fact.written, "writes elements of different shapes"
    return fact.call, label


def _created_label(fact: ArrayElementRejected) -> str:
    if fact.problem == "dtype":
        return f"declared as {fact.declared}"
    sized = fact.problem in ("index", "size") and fact.size is not None
    return f"created with room for {fact.size}" if sized else "created here"


def _row(fact: ArrayElementRejected) -> Row:
    """The row of the problem; of shapes and indices that of the operation, or of the number."""
    key: str = fact.problem
    if key == "shape":
        key = "scalars" if fact.operation == "concat" and fact.got == "[]" else f"shape, {fact.operation}"
    elif key == "index" and (fact.index or 0) < 0:
        key = "negative index"
    names = {
        "name": f"`{fact.array}`" if fact.array else "the TensorArray",
        "operation": fact.operation,
        "declared": fact.declared,
        "got": fact.got,
        "index": fact.index,
        "at": f" at index {fact.index}" if fact.index is not None else "",
        "room": fact.size,
        "size": f", which has {fact.size} elements" if fact.size is not None else "",
    }
    return _ROWS.get(key, _ROWS["shape"]).filled(names)


_PAD = "pad the elements to one shape; or {}join elements that differ in their first dimension with `concat()`, which "
_PAD += "needs no common length"
_FREELY = Fix(summary=_PAD.format("create the array with `infer_shape=False`, and "))
_DIFFER = "`{operation}` needs elements of one shape, but {name} has {declared} and {got}{at}"
_OUTSIDE = "index {index} is outside {name}{size}"
_ROWS = {
    "dtype": Row(
        "{name} is a TensorArray of {declared}, but an element of {got} is written to it",
        "this element is {got}",
        (
            Fix(summary="create the array with the dtype of its elements, {got}"),
            Fix(summary="or `tf.cast` the element to {declared}", caveat="a cast to an integer drops the decimals"),
        ),
    ),
    "scalars": Row(
        "`concat` joins the elements of {name} along their first dimension, but they are scalars",
        "the elements' shapes differ",
        (Fix(summary="use `stack()` for scalars"),),
    ),
    "shape, write": Row(
        "{name} holds elements of shape {declared}, but one of shape {got} is written{at}",
        "this element has shape {got}",
        (_FREELY,),
    ),
    "shape, stack": Row(_DIFFER, "the elements' shapes differ", (Fix(summary=_PAD.format("")),)),
    "shape": Row(_DIFFER, "the elements' shapes differ", (_FREELY,)),
    "negative index": Row(
        _OUTSIDE, "index {index}", (Fix(summary="count from 0: a TensorArray has no negative indices"),)
    ),
    "index": Row(
        _OUTSIDE,
        "index {index}",
        (Fix(summary="create it with the length of the loop, or with `dynamic_size=True` if the length is unknown"),),
    ),
    "index-dtype": Row(
        "a TensorArray needs indices of {declared}, but `{operation}` on {name} gets one of {got}",
        "this index is {got}",
        (Fix(summary="`tf.cast` the index to tf.{declared}"),),
    ),
    "size": Row(
        "{name} has room for {room} elements, but gets {got}",
        "gets {got} elements",
        (Fix(summary="create it with that size, or with `size=0, dynamic_size=True`"),),
    ),
    "empty": Row(
        "`{operation}` on {name}, to which nothing was written: the shape of its elements is unknown",
        "no element has been written",
        (Fix(summary="declare `element_shape=...` when the array may stay empty"),),
    ),
}
