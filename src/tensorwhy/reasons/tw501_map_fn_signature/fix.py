"""Declares what the function really returns."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.fixes import calls
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.report import Fix


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`fn_output_signature=...` with the dtypes and the structure that came out."""
    fact = case.fact
    if not isinstance(fact, SignatureMismatch) or not fact.declaration:
        return
    edit = calls.with_keyword(
        fact.call, "fn_output_signature", fact.declaration, case.sources, replacing=("dtype", "fn_output_signature")
    )
    yield Fix(
        summary=f"declare what the function returns: `fn_output_signature={fact.declaration}`",
        edits=(edit,) if edit is not None else (),
        caveat="unless the function should return what is declared: in that case change the function",
    )
