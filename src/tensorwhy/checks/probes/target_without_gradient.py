"""A target that goes as a whole through something that hands on no gradient, whatever the sources are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.checks.tapes.breaks import End, Ending
from tensorwhy.checks.tapes.following import Endings
from tensorwhy.checks.tapes.questions import Asked, Tape, asked, none, question
from tensorwhy.checks.tapes.sources import untouched
from tensorwhy.checks.text.handled import handled
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.traced import may_be_traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak, Made, NotPassed, NotRecorded
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom

READS = ("GradientTape",)
_ANOTHER_RULE = ("gradient_override_map", "RegisterGradient", "enable_numpy_behavior")


def find(module: Module) -> Iterator[CaseGroup]:
    """Where nothing that the target is made of hands on a gradient."""
    if module.holds(*_ANOTHER_RULE):
        return
    for one in asked(module):
        if not isinstance(one.call.func, ast.Attribute) or one.call.func.attr != "gradient" or len(one.call.args) > 2:
            continue
        if any(each.arg not in ("target", "sources", "source", "unconnected_gradients") for each in one.call.keywords):
            continue
        endings = Endings(module, one)
        found = endings.of(one.target, one.step)
        if found is None or not found.ends or not found.sure or not untouched(one, endings.names):
            continue
        if any(end.kind == "left-framework" for end in found.ends) and may_be_traced(one.scope):
            continue
        if found.python and (one.step.guarded or handled(module, one.scope)):
            continue
        yield _group(module, one, found)


def _group(module: Module, one: Asked, found: Ending) -> CaseGroup:
    sources = tuple(Source(tensor=1, position=at) for at in range(len(one.sources or ())))
    asked_for = question(module, one, *sources)
    symptom = none(module, one)
    if found.python:
        error = "TypeError" if found.python == "number" else "AttributeError"
        asked_for = _refused(asked_for, error)
        symptom = Symptom(kind="exception", location=asked_for.location)
    facts = tuple(_fact(module, asked_for, one.tape, source, end) for end in found.ends for source in sources[:1])
    return CaseGroup(symptom=symptom, facts=facts, asked=True)


def _refused(asked_for: GradientQuestion, error: str) -> GradientQuestion:
    return msgspec.structs.replace(asked_for, error=error)


def _fact(module: Module, asked_for: GradientQuestion, tape: Tape, source: Source, end: End) -> GradientBreak:
    common: dict[str, Any] = {
        "kind": end.kind,
        "question": asked_for,
        "sources": (source,),
        "op": end.op,
        "role": end.role,
        "location": module.place(end.node),
        "entry": module.place(end.entry) if end.entry is not None and end.entry is not end.node else None,
        "made": Made(recorder=module.place(tape.head)),
        "exact": False,
    }
    if end.kind == "not-recorded":
        return NotRecorded(**common, region="before")
    return NotPassed(
        **common,
        dtypes=("", end.dtype),
        chosen=module.place(end.chosen.node) if end.chosen is not None else None,
        chosen_by=end.chosen.op if end.chosen is not None else "",
    )
