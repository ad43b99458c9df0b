"""Returns the tensor, and keeps what the call returns."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import kept, leaks
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

_WRONG = "the function then returns one more result: adapt its other callers"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The statement that kept the tensor, moved from the traced function to where that is called; or a variable."""
    fact = case.fact
    if isinstance(fact, LeakedTensor) and any(holder.kind == "cache" for holder in fact.holders):
        yield from evidence.fixes
        yield Fix(
            summary="or remove the cache: TensorFlow traces the function once, and keeps the result in the graph",
            edits=leaks.uncached(evidence.primary, case.sources),
            caveat="unless the function is also called eagerly and is expensive; then keep the cache",
        )
        return
    if not isinstance(fact, LeakedTensor) or fact.escape is None or fact.tensor.graph.kind != "function":
        return
    if len(evidence.fixes) == 2:  # a state in a variable, and the tensor returned: which is first depends on its use
        graph, made = fact.tensor.graph.name, fact.tensor.created
        read = kept.read_as_well(fact.escape, case.sources)
        state = kept.in_variable(fact.escape, case.sources) if read else ()
        edits = leaks.handed_back(fact.escape, graph, made, case.sources)
        if _leaks.used_again(fact):
            edits = ()  # what a trace reads from outside stays as it was then
        elif not edits and not read:
            edits = leaks.returned(fact.escape, case.sources)
        yield from worded(evidence, *((edits, state) if fact.used_in is None else (state, edits)), caveat=_WRONG)
