"""Computes the tensor in every call."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import attributes
from tensorwhy.model.report import Fix

_WRONG = "unless later calls need the value; then keep it in a variable"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """A local name in the place of the attribute that kept it."""
    edits = attributes.localised(evidence.primary, case.sources)
    return worded(evidence, edits if len(evidence.fixes) > 1 else (), caveat=_WRONG)
