"""TW114 untaken-branch: the branch that uses the source was not taken."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, source_made, source_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW114",
    slug="untaken-branch",
    family="gradient",
    summary="The branch that uses the source was not taken, so the target does not depend on it.",
)

_NOT_TAKEN = Fix(
    summary="ask only for what this step uses, or always compute what the branch computes, multiplied by 0 or 1",
    caveat="unless the branch should have been taken: in that case correct its condition",
)
_NO_ROUND = Fix(
    summary="check why the loop never runs: a count of 0, a condition that is false, an exhausted iterator",
    caveat="unless the loop should not run here: in that case ask only for what this step uses",
)


def match(case: Case) -> Evidence | None:
    """Holds when the target does not depend on the source, and a branch or loop in which nothing ran uses it."""
    fact = case.fact
    if not isinstance(fact, Unused) or fact.kind != "untaken-branch" or fact.frozen is not None:
        return None
    statement = case.sources.statement(fact.untaken) if fact.untaken is not None else None
    if isinstance(statement, (ast.For, ast.While)):
        used, label, fix = "in a loop that did not run once", "used in this loop, which did not run", _NO_ROUND
    else:
        condition = case.sources.expression(fact.untaken).rstrip(":") if fact.untaken is not None else ""
        branch = f"a branch of `{condition}`" if 0 < len(condition) <= 60 else "a branch"
        used, label, fix = f"in {branch} that was not taken", "used in a branch of this that was not taken", _NOT_TAKEN
    return evidence(
        case,
        fact,
        certainty="likely",
        location=fact.untaken,
        message=f"{what(case, fact)}: it is used only {used}",
        label=f"{source_of(case, fact)} is {label}",
        related=source_made(case, fact),
        fixes=(fix,),
    )
