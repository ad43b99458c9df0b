"""Gives the written array its name again."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.model.report import Edit, Fix, Position


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`name = ` before a write that stands alone as a statement."""
    fact = case.fact
    if not isinstance(fact, ArrayReused) or fact.problem != "write-ignored" or not fact.array.isidentifier():
        return
    edits = []
    for call in (fact.call, *fact.beside):
        if type(case.sources.statement(call)).__name__ != "Expr" or call.column is None:
            return  # the rule says it in words
        start = Position(line=call.line, column=call.column)
        edits.append(Edit(file=call.file, start=start, end=start, replacement=f"{fact.array} = "))
    yield Fix(
        summary=f"assign the result of `write` to `{fact.array}`",
        edits=tuple(edits),
        caveat="unless the element is not wanted; then remove the line",
    )
