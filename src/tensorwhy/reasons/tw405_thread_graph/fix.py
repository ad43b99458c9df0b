"""Enters graph and session in the thread that uses them."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import sessions
from tensorwhy.model.facts.graph import ForeignGraph

_WRONG = "each run of this line adds to the graph: if it runs often, build it once, before the threads start"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The body of the function that ran in the thread, under the graph and session of the one session of the file."""
    fact = case.fact
    if isinstance(fact, ForeignGraph):
        yield from worded(evidence, sessions.entered(fact.used, case.sources), caveat=_WRONG)
