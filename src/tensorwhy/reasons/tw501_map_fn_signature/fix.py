"""Declares what the function really returns."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import calls, literals
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.report import Fix
from tensorwhy.source.reading import call_at


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`fn_output_signature=...` with the dtypes and the structure that came out."""
    fact = case.fact
    if not isinstance(fact, SignatureMismatch):
        return
    if fact.ragged_rank and fact.produced is not None:
        made = call_at(fact.produced, case.sources)
        converts = made is not None and ast.unparse(made.func).endswith("RaggedTensor.from_tensor")
        rank = str(fact.ragged_rank)
        yield from worded(
            evidence, literals.given("ragged_rank", rank, fact.produced, case.sources) if converts else ()
        )
    if not fact.declaration:
        return
    edit = calls.with_keyword(
        fact.call, "fn_output_signature", fact.declaration, case.sources, replacing=("dtype", "fn_output_signature")
    )
    yield Fix(
        summary=f"declare what the function returns: `fn_output_signature={fact.declaration}`",
        edits=(edit,) if edit is not None else (),
        caveat="unless the function should return what the call declares; then change the function",
    )
