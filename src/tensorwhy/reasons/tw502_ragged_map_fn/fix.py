"""Declares the ragged result that the function really has."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import calls
from tensorwhy.model.facts.loops import VaryingOutput
from tensorwhy.model.report import Fix


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`fn_output_signature=tf.RaggedTensorSpec(...)`, in the place of an older `dtype=`."""
    fact = case.fact
    if not isinstance(fact, VaryingOutput) or not fact.declaration:
        return
    edit = calls.with_keyword(
        fact.call, "fn_output_signature", fact.declaration, case.sources, replacing=("dtype", "fn_output_signature")
    )
    yield Fix(
        summary=f"declare ragged results: `fn_output_signature={fact.declaration}`; the result is then a RaggedTensor",
        edits=(edit,) if edit is not None else (),
        caveat="later code that needs a dense tensor must call `.to_tensor()`, which pads",
    )
    yield from evidence.fixes
