"""Tracing runs both branches of a condition on a tensor, a `raise` in one of them included."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.graph import RaisedWhileTracing
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = ReasonMeta(
    code="TW409",
    slug="both-branches-traced",
    family="graph",
    summary="Python code for one branch of a condition on a tensor ran, because both branches are traced.",
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, RaisedWhileTracing):
        return None
    condition = _leaks.code(fact.condition, case) if fact.condition is not None else ""
    which = f"`{condition}`" if condition and fact.branch != "unknown" else "the condition"
    return Evidence(
        message=f"`raise {fact.exception}` always runs while the function is traced, because both branches are traced: "
        f"{which} is a tensor without a value",
        primary=Marked.at(fact.raised, "runs while tracing, not when the condition is true", "raised"),
        related=_leaks.elsewhere(
            fact.raised,
            Marked.at(fact.condition, "both branches of this condition are traced", "condition")
            if fact.condition is not None
            else None,
        ),
        fixes=(
            Fix(
                summary="check inside the graph: `tf.debugging.assert_all_finite`, `tf.debugging.assert_less`, "
                "`tf.debugging.Assert(condition, [...])`"
            ),
            Fix(summary="or check outside the traced function, where the tensor has a value"),
        ),
    )
