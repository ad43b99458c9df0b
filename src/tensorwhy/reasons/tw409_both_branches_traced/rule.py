"""Tracing runs both branches of a condition on a tensor, a `raise` in one of them included."""

from __future__ import annotations

import re

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import RaisedWhileTracing
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = about(
    __name__, summary="Python code for one branch of a condition on a tensor ran, because both branches are traced."
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, RaisedWhileTracing):
        return None
    condition = _leaks.code(fact.condition, case) if fact.condition is not None else ""
    if not fact.exception:
        return _never_taken(fact, condition)
    which = f"`{condition}`" if condition and fact.branch != "unknown" else "the condition"
    return Evidence(
        message=f"this `raise` always runs while the function is traced: {which} has no value then, and both branches "
        "are traced",
        primary=Marked.at(fact.raised, "runs while tracing, not when the condition is true", "raised"),
        related=_leaks.elsewhere(
            fact.raised,
            Marked.at(fact.condition, "both branches of this condition are traced", "condition")
            if fact.condition is not None
            else None,
        ),
        fixes=(
            Fix(summary=f"check inside the graph: {_check(condition)}"),
            Fix(summary="or check outside the traced function, where the tensor has a value"),
        ),
    )


def _never_taken(fact: RaisedWhileTracing, condition: str) -> Evidence | None:
    """What is raised in a branch that is never taken."""
    if fact.condition is None:
        return None
    value = "False" if fact.branch == "true" else "True"
    static = re.sub(r"tf\.rank\((\w+)\)", r"\1.shape.rank", condition)
    static = re.sub(r"tf\.shape\((\w+)\)", r"\1.shape", static)
    how = f": `{static}`" if static != condition else ", from static shapes (`x.shape.rank`) or Python values"
    return Evidence(
        message=f"line {fact.raised.line} fails while it is traced, although `{condition}` is {value} here: both "
        "branches of a condition on a tensor are traced",
        primary=Marked.at(fact.condition, "a condition on a tensor: both branches are traced", "condition"),
        related=_leaks.elsewhere(fact.condition, Marked.at(fact.raised, "traced too, and fails", "raised")),
        fixes=(Fix(summary=f"decide in Python while tracing{how}"),),
    )


def _check(condition: str) -> str:
    """The assertion of the framework that fits the condition."""
    found = re.search(r"is_(?:finite|nan|inf)\((\w+)\)", condition)
    if found:
        return f"`tf.debugging.assert_all_finite({found[1]}, message)`"
    if any(sign in condition for sign in ("<", ">", "==")):
        return "`tf.debugging.assert_less(x, y)`, or `tf.debugging.Assert(condition, [x])`"
    return "`tf.debugging.Assert(condition, [x])`"
