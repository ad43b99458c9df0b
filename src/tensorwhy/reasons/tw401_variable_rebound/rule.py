"""The name of a variable was given a tensor while tracing."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = about(__name__, summary="An attribute that held a variable was overwritten by a symbolic tensor while tracing.")


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, LeakedTensor) or fact.variable is None:
        return None
    subject = _leaks.subject(fact, case)
    where = fact.escape or fact.tensor.created or fact.used
    graph = _leaks.graph_words(fact.tensor.graph)
    inside = f", in `{where.function}`" if where is not None and where.function != "<module>" else ""
    return Evidence(
        message=f"the variable `{subject}` was overwritten by a tensor of {graph}, and that tensor was "
        f"{_leaks.used_words(fact)}",
        primary=Marked.at(where, f"a tensor overwrites the variable here{inside}", "rebound")
        if where is not None
        else None,
        related=_leaks.elsewhere(
            where, Marked.at(fact.variable, "the variable was created here", "variable"), _leaks.used(fact)
        ),
        target=_leaks.target(fact, case),
        notes=_leaks.holder_notes(fact),
        fixes=(
            Fix(
                summary="keep the attribute for the variable, and compute the new value under a local name where it "
                "is used"
            ),
            Fix(
                summary="if the variable should change, use `assign`, `assign_add` or `assign_sub`",
                caveat="an assigned value carries no gradient",
            ),
        ),
    )
