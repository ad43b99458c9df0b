"""Opens the session on the graph that the tensor belongs to, or hands an eager tensor's value to the graph."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import sessions
from tensorwhy.model.facts.graph import EagerInGraph, ForeignGraph
from tensorwhy.reasons import _leaks

_WRONG = "unless the session also runs operations of the other graph; then use two sessions"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """Only for a session or an eager tensor: which of two graphs should hold both, the program does not tell."""
    fact = case.fact
    if isinstance(fact, EagerInGraph) and fact.what == "tensor" and fact.text.isidentifier():
        yield from worded(evidence, sessions.as_array(fact.text, fact.used, case.sources))
    if isinstance(fact, ForeignGraph) and fact.session:
        name = _leaks.tensor_name(fact.tensor, case, fact.used)
        named = name.isidentifier()
        yield from worded(evidence, sessions.opened_on(name, fact.used, case.sources) if named else (), caveat=_WRONG)
