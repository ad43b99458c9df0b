"""Computes the tensor in every call."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import attributes

_WRONG = "unless later calls need the value; then keep it in a variable"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """A local name in the place of the attribute that kept it."""
    edits = attributes.localised(evidence.primary, case.sources)
    return worded(evidence, edits if len(evidence.fixes) > 1 else (), caveat=_WRONG)
