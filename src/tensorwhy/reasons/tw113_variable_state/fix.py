"""Goes on with the tensor, and keeps the variable for the next time."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import state
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Edit


def propose(case: Case, evidence: Evidence) -> Fixes:
    """What was stored is read from the tensor, where the same function stores and reads."""
    fact = case.fact
    edits: tuple[Edit, ...] = ()
    if isinstance(fact, NotPassed) and fact.exit is None:  # an array is not what a tensor would be read from
        edits = state.beside(fact.location, case.sources)
    # The edits are those of the last fix: those before it are words for what is done in several lines.
    yield from worded(evidence, *[()] * (len(evidence.fixes) - 1), edits)
