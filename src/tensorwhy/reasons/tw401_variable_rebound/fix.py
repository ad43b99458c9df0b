"""Gives the result a name of its own, or changes the variable in place."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import attributes, rebinding
from tensorwhy.model.facts.graph import LeakedTensor

_WRONG = "unless the variable itself should change"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`self.w = f(self.w)` as `w = f(self.w)`; or as `self.w.assign(f(self.w))`."""
    place = evidence.primary
    edit = rebinding.in_place(place, case.sources) if place is not None else None
    local = attributes.localised(place, case.sources)
    fixes = list(worded(evidence, local, (edit,) if edit is not None else (), caveat=_WRONG))
    step = edit is not None and edit.replacement.partition("(")[0].endswith(("assign_add", "assign_sub"))
    return reversed(fixes) if step or _is_state(case) else fixes


def _is_state(case: Case) -> bool:
    """Return whether the variable was made with `trainable=False`: then it is a state, and meant to change."""
    made = case.fact.variable if isinstance(case.fact, LeakedTensor) else None
    statement = case.sources.statement(made) if made is not None else None
    return any(
        isinstance(node, ast.keyword) and node.arg == "trainable" and ast.unparse(node.value) == "False"
        for node in (ast.walk(statement) if statement is not None else ())
    )
