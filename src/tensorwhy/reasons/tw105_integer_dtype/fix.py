"""Keeps the value in floating point: at the cast, or where a source was made of whole numbers."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import rounding, syntax
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst

_MAKERS = {
    "Variable": (None, "dtype"),
    "constant": (1, "dtype"),
    "convert_to_tensor": (1, "dtype"),
    "cast": (1, "dtype"),
}
_MEANT = "unless you want the rounding or the decision; then use a smooth version, or a straight-through estimator"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The cast left out; or the rounded value with the gradient of the exact one; or a source that is made as float."""
    fact = case.fact
    if not isinstance(fact, NotPassed):
        return
    # What serves as an index stays a whole number.
    index = any(isinstance(other, NotPassed) and other.kind == "index-input" for other in case.others)
    if not fact.dtypes[1]:
        places = [place for place in (fact.location, fact.made.source) if place is not None]
        if index:
            places = []
        yield Fix(
            summary="make it floating point, for instance with `dtype=tf.float32`",
            edits=next(filter(None, (_made_as_float(place, case) for place in places)), ()),
            caveat="unless it is a count or an index; then None is correct",
        )
        return
    if fact.role == "position":
        yield Fix(
            summary="use the selected values and not only their indices, or weight by a softmax of the scores",
            caveat="unless the choice is meant to be a constant; then None is correct",
        )
        return
    found = None if index else rounding.cast(fact.location, case.sources)
    before = fact.dtypes[0] or "floating point"
    yield Fix(
        summary=f"stay in {before}: remove the conversion to {fact.dtypes[1]}, or use it only for values that the "
        f"target does not depend on",
        edits=rounding.left_out(*found) if found else (),
        caveat=_MEANT,
    )
    if found is not None and fact.dtypes[0]:
        tree, call, argument = found
        made = f"{tree.spelled('tensorflow')}.cast({tree.text(call)}, {tree.text(argument)}.dtype)"
        if isinstance(argument, (cst.Name, cst.Attribute)):
            yield Fix(
                summary="keep the rounded value, with the gradient of the exact one (a straight-through estimator)",
                edits=rounding.straight_through(tree, call, argument, made),
                caveat="this uses the gradient of the function without rounding",
            )


def _made_as_float(place: Location, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(place.file, case.sources)
    calls = [call for call in tree.at(place, cst.Call) if syntax.called(call) in _MAKERS] if tree else []
    if tree is None or not calls:
        return ()
    call = calls[0]
    position, keyword = _MAKERS[syntax.called(call)]
    dtype = syntax.argument(call, 1 << 20 if position is None else position, keyword)
    tf = tree.spelled("tensorflow") or "tf"
    if dtype is not None:
        return (tree.replaced(dtype.value, f"{tf}.float32"),)
    if not call.args:
        return ()
    numbers = [
        each for each in tree.inside(call.args[0], cst.Integer) if tree.above(each, cst.Call, cst.Subscript) is call
    ]
    if numbers and isinstance(call.args[0].value, (cst.Integer, cst.List, cst.Tuple, cst.UnaryOperation)):
        return tuple(tree.appended(number, ".0") for number in numbers if number.value.isdigit())
    return (tree.appended(call.args[-1].value, f", dtype={tf}.float32"),)
