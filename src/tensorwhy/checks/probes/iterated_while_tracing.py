"""Python takes a tensor apart, or asks whether it is true, where its function is being traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Step
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.graph import EagerOnlyInGraph, Symbolic
from tensorwhy.model.report import Symptom

READS = WORDS

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)


def find(module: Module) -> Iterator[CaseGroup]:
    """`a, b = tensor` and `[... for x in tensor]`; conditions and loops that AutoGraph leaves as they are."""
    for one in traced(module):
        for step in one.steps:
            for operation, tensor in _asked(one, step):
                place = module.place(step.statement)
                fact = EagerOnlyInGraph(
                    tensor=Symbolic(graph=one.graph),
                    operation=operation,
                    name="",
                    used=place,
                    tensor_text=ast.unparse(tensor),
                    autograph=one.autograph,
                )
                yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))
                break


def _asked(one: Traced, step: Step) -> Iterator[tuple[Literal["iteration", "truth"], ast.expr]]:
    statement = step.statement
    if isinstance(statement, ast.Assign) and all(isinstance(each, (ast.Tuple, ast.List)) for each in statement.targets):
        if one.is_tensor(statement.value, step):
            yield "iteration", statement.value
    elif isinstance(statement, ast.For) and one.autograph is False and one.is_tensor(statement.iter, step):
        yield "iteration", statement.iter
    asserted = isinstance(statement, ast.Assert)
    if isinstance(statement, (ast.If, ast.Assert)) and (asserted or one.autograph is False):
        truth = one.decided(statement.test, step)
        if truth:
            yield "truth", statement.test
    nodes = one.scope.expressions[step]
    if not any(isinstance(each, (ast.IfExp, ast.BoolOp, ast.Assert)) for each in nodes):
        for node in nodes:
            if isinstance(node, _COMPREHENSIONS) and one.is_tensor(node.generators[0].iter, step):
                yield "iteration", node.generators[0].iter
