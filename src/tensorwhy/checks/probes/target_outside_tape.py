"""A target whose last operation runs after its tape was closed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from tensorwhy.checks.modules import Module
from tensorwhy.checks.operations import makes_tensor
from tensorwhy.checks.tapes import Asked, asked, none, question
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.question import Source

READS = ("GradientTape",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Where the target is an operation, or a name that an operation outside of the tape's block gave its value."""
    for one in asked(module):
        if "stop_recording" in one.tape.methods:
            continue
        made = _made(module, one)
        if made is None:
            continue
        tape = module.place(one.tape.opened.statement)
        fact = GradientBreak(
            kind="outside-tape",
            question=question(module, one, Source(tensor=1)),
            sources=(Source(tensor=1),),
            location=module.place(made[0]),
            region=made[1],
            tape_opened=tape,
            exact=False,
        )
        yield CaseGroup(symptom=none(module, one), facts=(fact,), asked=True)


def _made(module: Module, one: Asked) -> tuple[ast.expr, Literal["before", "after"]] | None:
    """The operation that makes the target, and when it runs; None where the tape may have recorded it."""
    expression, step = one.target, one.step
    if isinstance(expression, ast.Name):
        binding = one.scope.binding(expression.id, step)
        if binding is None or binding.value is None or binding.step not in one.scope.steps:
            return None
        expression, step = binding.value, binding.step
    if step.inside(one.tape.opened.statement) or not makes_tensor(module, one.scope, expression):
        return None
    if step.order < one.tape.opened.order:
        return expression, "before"
    return expression, "after"
