"""A Python list that a loop of a graph fills: once, while the loop's body is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.operations import makes_symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.loops import PythonAccumulator
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Binding, Step

READS = WORDS


def find(module: Module) -> Iterator[CaseGroup]:
    """Where what the loop's body made is in the list, and an operation after the loop, or the caller, gets that."""
    for one in traced(module):
        for step in one.scope.steps:
            call = step.statement.value if isinstance(step.statement, ast.Expr) else None
            found = _filled(one, step, call) if isinstance(call, ast.Call) else None
            if found is None or call is None:
                continue
            loop, name, list_made = found
            used = _used(one, loop, name, list_made)
            if used is None:
                continue
            place = module.place(used)
            fact = PythonAccumulator(
                container=name,
                kind="list",
                problem="escaped",
                construct="while" if isinstance(loop.statement, ast.While) else "for",
                filled=module.place(call),
                loop=module.place(loop.statement),
                created=module.place(list_made.step.statement),
                used=place,
                length=1,
            )
            yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _filled(one: Traced, step: Step, call: ast.Call) -> tuple[Step, str, Binding] | None:
    """The loop of the graph that appends to a list from outside of it, the list's name, and where that was made."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "append" or len(call.args) != 1:
        return None
    loop = step.around[-1] if step.around else None
    if loop is None or not isinstance(function.value, ast.Name) or not one.loops_in_graph(loop):
        return None
    name = function.value.id
    made = one.scope.binding(name, step)
    if made is None or made.scope is not one.scope or not _is_list(made.value) or made.step.order > loop.order:
        return None
    return (loop, name, made) if _made_in(one, loop, step, call.args[0]) else None


def _is_list(value: ast.expr | None) -> bool:
    return isinstance(value, ast.List) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "list" and not value.args
    )


def _made_in(one: Traced, loop: Step, step: Step, node: ast.expr) -> bool:
    """True if an operation in the loop's body makes it: in each turn another tensor, of which only one is traced."""
    if isinstance(node, ast.Name):
        binding = one.scope.binding(node.id, step)
        if binding is None or binding.step is loop:
            return binding is not None
        return (
            binding.step.inside(loop.statement)
            and binding.value is not None
            and _made_in(one, loop, binding.step, binding.value)
        )
    return one.symbolic(node, step) and isinstance(node, (ast.Call, ast.BinOp, ast.Compare, ast.UnaryOp))


def _used(one: Traced, loop: Step, name: str, made: Binding) -> ast.expr | None:
    """What takes the list's contents after the loop."""
    methods = {
        node.func.attr
        for nodes in one.scope.expressions.values()
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is(node.func.value, name)
    }
    if methods - {"append", "extend"}:
        return None
    for step in one.scope.steps:
        if not loop.always_before(step) or step.inside(loop.statement) or one.scope.binding(name, step) is not made:
            continue
        value = step.statement.value if isinstance(step.statement, ast.Return) else None
        if value is not None and any(_is(each, name) for each in _parts(value)):
            return value
        for node in one.scope.expressions[step]:
            if not isinstance(node, ast.Call):
                continue
            if node.args and _is(node.args[0], name) and makes_symbolic(one.module.called(node, one.scope)):
                return node
    return None


def _parts(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]


def _is(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
