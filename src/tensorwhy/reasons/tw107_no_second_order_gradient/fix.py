"""Takes a gradient of something constant for the zero that it is."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import calls
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.report import Edit

_ZERO = '"zero"'
_ASKING = ("gradient", "jacobian", "batch_jacobian")


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`unconnected_gradients="zero"` in the outer question; for an operation without a second gradient, words only."""
    fact = case.fact
    edits: tuple[Edit, ...] = ()
    if isinstance(fact, Unused) and fact.kind == "unused" and fact.question.location is not None:
        for name in _ASKING:
            call = calls.find(fact.question.location, case.sources, name)
            if call is not None and calls.name(call) == name:
                added = calls.with_keyword(
                    fact.question.location, "unconnected_gradients", _ZERO, case.sources, named=name
                )
                edits = (added,) if added is not None else ()
    yield from worded(evidence, *[()] * (len(evidence.fixes) - 1), edits)
