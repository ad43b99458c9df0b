"""Opens the session on the graph that the tensor belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import sessions
from tensorwhy.model.facts.graph import ForeignGraph
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

_WRONG = "wrong where the session also runs what is in the other graph: then it takes two sessions"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """Only for a session: which of two graphs should hold both tensors, the program does not tell."""
    fact = case.fact
    if isinstance(fact, ForeignGraph) and fact.session:
        name = _leaks.tensor_name(fact.tensor, case, fact.used)
        named = name.isidentifier()
        yield from worded(evidence, sessions.opened_on(name, fact.used, case.sources) if named else (), caveat=_WRONG)
