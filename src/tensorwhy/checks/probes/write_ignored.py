"""A write to a tensor array whose result nothing takes: while a function is traced, it changes nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Step

READS = WORDS

_READING = ("stack", "read", "concat", "gather")


def find(module: Module) -> Iterator[CaseGroup]:
    """`array.write(i, x)` as a statement, of an array that the function makes, and reads later: the first of each."""
    for one in traced(module):
        told = set()
        for step in one.scope.steps:
            call = step.statement.value if isinstance(step.statement, ast.Expr) else None
            if not isinstance(call, ast.Call) or _method(call)[1] != "write" or not one.in_graph(step):
                continue
            name = _method(call)[0]
            made = _only_array(one, name, step)
            used = next(
                (
                    node
                    for later, node in one.scope.calls
                    if later.order > step.order and _method(node)[0] == name and _method(node)[1] in _READING
                ),
                None,
            )
            if made is None or used is None or made in told:
                continue
            told.add(made)
            place = module.place(call)
            fact = ArrayReused(
                problem="write-ignored",
                call=place,
                used=module.place(used),
                created=module.place(made),
                array=name,
                in_loop=any(isinstance(each.statement, ast.For) and one.loops_in_graph(each) for each in step.around),
                failed=False,
            )
            yield CaseGroup(symptom=Symptom(kind="silent", location=place), facts=(fact,))


def _method(call: ast.Call) -> tuple[str, str]:
    """The name and the method of `name.method(...)`; empty for another call."""
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id, function.attr
    return "", ""


def _only_array(one: Traced, name: str, step: Step) -> ast.expr | None:
    """The call that made the tensor array, where that is all that the name ever stands for."""
    every = one.scope.bindings.get(name, [])
    binding = one.scope.binding(name, step)
    if binding is None or len(every) != 1 or binding.scope is not one.scope:
        return None
    made = binding.value
    return made if one.module.called(made, one.scope) == "tensorflow.TensorArray" else None
