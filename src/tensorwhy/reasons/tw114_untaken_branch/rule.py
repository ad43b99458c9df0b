"""TW114 untaken-branch: the branch that uses the source was not taken."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, source_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.report import Fix

META = about(__name__, summary="The branch that uses the source was not taken, so the target does not depend on it.")


def match(case: Case) -> Evidence | None:
    """Holds when the target does not depend on the source, and a branch or loop in which nothing ran uses it."""
    fact = case.fact
    if not isinstance(fact, Unused) or fact.kind != "untaken-branch" or fact.frozen is not None:
        return None
    several = fact.question.asked > 1
    left_out = f"leave {source_of(case, fact)} out of the list that you ask for" if several else "None is correct"
    statement = case.sources.statement(fact.untaken) if fact.untaken is not None else None
    if isinstance(statement, (ast.For, ast.While)):
        used, label = "in a loop that did not run once", "used in this loop, which did not run"
        fixes: tuple[Fix, ...] = (
            Fix(
                summary="check why the loop never runs: a count of 0, a condition that is false, an exhausted iterator",
                caveat=f"unless the loop should not run here; then {left_out}",
            ),
        )
    else:
        condition = case.sources.expression(fact.untaken).rstrip(":") if fact.untaken is not None else ""
        branch = f"a branch of `{condition}`" if 0 < len(condition) <= 60 else "a branch"
        used, label = (
            f"in {branch} that was not taken",
            "used only under this condition, in a branch that was not taken",
        )
        fixes = (
            Fix(summary="if the branch should have been taken, correct its condition"),
            Fix(summary=f"if not, {left_out}, or replace None with zeros before the update"),
        )
    return evidence(
        case,
        fact,
        certainty="likely",
        doubt="the branch did not run, so this was only read from its source",
        location=fact.untaken,
        why=f"it is used only {used}",
        label=f"{source_of(case, fact)} is {label}",
        fixes=fixes,
    )
