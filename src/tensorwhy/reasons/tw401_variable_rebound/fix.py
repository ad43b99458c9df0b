"""Gives the result a name of its own, or changes the variable in place."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import attributes, rebinding
from tensorwhy.model.report import Fix

_WRONG = "wrong where the variable itself is to change: then assign to it"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`self.w = f(self.w)` as `w = f(self.w)`; or as `self.w.assign(f(self.w))`."""
    place = evidence.primary
    edit = rebinding.in_place(place, case.sources) if place is not None else None
    local = attributes.localised(place, case.sources)
    fixes = list(worded(evidence, local, (edit,) if edit is not None else (), caveat=_WRONG))
    step = edit is not None and edit.replacement.partition("(")[0].endswith(("assign_add", "assign_sub"))
    return reversed(fixes) if step else fixes
