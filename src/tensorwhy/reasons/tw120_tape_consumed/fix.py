"""Opens the tape so that it can be asked more than once."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.fixes import calls
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.report import Edit, Fix


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`persistent=True`, where the tape is opened once for each time that its block runs."""
    fact = case.fact
    if not isinstance(fact, ConsumedRecorder):
        return
    yield Fix(
        summary="open the tape with `persistent=True`, and delete it when it is no longer needed",
        edits=_persistent(fact, case),
        caveat="unless each step should open its own tape: in that case open it again before the second call",
    )


def _persistent(fact: ConsumedRecorder, case: Case) -> tuple[Edit, ...]:
    statement = case.sources.statement(fact.opened) if fact.opened is not None else None
    if fact.opened is None or not isinstance(statement, ast.With) or fact.first == fact.location:
        return ()
    for item in statement.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and calls.name(call) == "GradientTape":
            edit = calls.with_keyword(
                case.sources.place(fact.opened.file, call),
                "persistent",
                "True",
                case.sources,
                replacing=("persistent",),
            )
            return (edit,) if edit is not None else ()
    return ()
