"""Returns the tensor, and keeps what the call returns."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import leaks
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.report import Fix


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The statement that kept the tensor, moved from the traced function to where that is called."""
    fact = case.fact
    if not isinstance(fact, LeakedTensor) or fact.escape is None or fact.tensor.graph.kind != "function":
        return
    if len(evidence.fixes) == 2:  # a state in a variable, and the tensor returned: which is first depends on its use
        edits = leaks.returned(fact.escape, case.sources)
        yield from worded(evidence, *((edits,) if fact.used_in is None else ((), edits)))
