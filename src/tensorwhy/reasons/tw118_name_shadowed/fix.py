"""Gives the second of two things a name of its own."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import attributes, renaming
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.facts.refusal import RefusedObject

_WRONG = "unless you meant the new object; then compute the loss with it"
_RESULT = "unless other functions read the result by this name; then return it to them"
_TAPES = "unless one tape should be enough; then open it with `persistent=True`"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """Another name where the second object is bound, or a result; for two tapes, another name for the outer one."""
    fact = case.fact
    if isinstance(fact, ConsumedRecorder):
        edits = renaming.outer_recorder(fact.name, fact.hidden, fact.opened, fact.location, case.sources)
        yield from worded(evidence, edits, caveat=_TAPES)
    elif isinstance(fact, RefusedObject) and fact.rebound is not None and fact.rebound.itself:
        taken = fact.rebound.at
        edits = renaming.result(taken, case.sources) or attributes.localised(taken, case.sources)
        yield from worded(evidence, edits, caveat=_RESULT)
    elif isinstance(fact, Unused):
        yield from worded(evidence, renaming.second(evidence.primary, case.sources), caveat=_WRONG)
