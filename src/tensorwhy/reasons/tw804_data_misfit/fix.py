"""Batches data, asks for a size of batches, or leaves out what the model has no input for, where data are given."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import literals
from tensorwhy.model.facts.data import FedData, Misnamed, Misshapen
from tensorwhy.reasons.tw804_data_misfit.rule import batched, has_more, picked, written
from tensorwhy.source.reading import call_at


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`fit(train, validation_data=val)` with `val.batch(32)`."""
    fact = case.fact
    if not isinstance(fact, FedData):
        return
    fact = written(fact, case.sources)
    kind = fact.kind if isinstance(fact, Misshapen) else ""
    new = batched(fact) if kind == "unbatched" else ""
    if isinstance(fact, Misnamed) and has_more(fact):
        new = picked(fact)
    if isinstance(fact, Misshapen) and kind == "batch" and not fact.dataset:
        yield from worded(evidence, literals.given("batch_size", str(fact.wanted[0]), fact.used, case.sources))
        return
    call = call_at(fact.used, case.sources) if new and fact.text.isidentifier() else None
    given = [*call.args, *(each.value for each in call.keywords)] if call is not None else []
    found = [each for each in given if isinstance(each, ast.Name) and each.id == fact.text]
    yield from worded(
        evidence, literals.replaced(found[0], new, fact.used.file, case.sources) if len(found) == 1 else ()
    )
