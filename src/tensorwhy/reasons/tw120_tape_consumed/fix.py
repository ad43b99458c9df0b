"""Opens the tape so that it can be asked more than once."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import calls, tape
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.answers.calls import call_at, is_gradient_call
from tensorwhy.source.reading import argument


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`persistent=True`, where the tape is opened once for each time that its block runs."""
    fact = case.fact
    if not isinstance(fact, ConsumedRecorder):
        return
    yield Fix(
        summary="open the tape with `persistent=True`, and delete it when it is no longer needed",
        edits=_persistent(fact, case),
        caveat=f"unless one tape each is meant; then open a second tape, and compute {_second(fact, case)} inside it",
    )


def _second(fact: ConsumedRecorder, case: Case) -> str:
    """What the tape was asked for again."""
    call = call_at(case.sources, fact.location)
    target = argument(call, 0, "target") if call is not None and is_gradient_call(call) else None
    return f"`{target.id}`" if isinstance(target, ast.Name) else "the second target"


def _persistent(fact: ConsumedRecorder, case: Case) -> tuple[Edit, ...]:
    found = tape.opening(fact.opened, case.sources) if fact.opened is not None else None
    call = found[1].context_expr if found is not None else None
    if fact.opened is None or fact.first == fact.location or not isinstance(call, ast.Call):
        return ()
    if calls.name(call) != "GradientTape":
        return ()
    place = case.sources.place(fact.opened.file, call)
    edit = calls.with_keyword(place, "persistent", "True", case.sources, replacing=("persistent",))
    return (edit,) if edit is not None else ()
