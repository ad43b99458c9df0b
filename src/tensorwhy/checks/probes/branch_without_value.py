"""A condition of the graph whose one branch gives a name or a result, and whose other branch does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Binding, Step

READS = WORDS

Problem = Literal["undefined", "none", "no-return", "return-in-loop"]
_WAYS_OUT = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield)


def find(module: Module) -> Iterator[CaseGroup]:
    """Names without a value that are read later, and results that one way has only."""
    for one in traced(module):
        for step in one.scope.steps:
            if not isinstance(step.statement, ast.If) or step.statement.orelse or not one.decides_in_graph(step):
                continue
            fact = _name(one, step) or _result(one, step)
            if fact is not None:
                yield CaseGroup(symptom=Symptom(kind="exception", location=fact.statement), facts=(fact,))


def _name(one: Traced, step: Step) -> LoopStructureChange | None:
    """A name that the `if` gives a value, that has none before it, or None, and that is read after it."""
    if step.loops or any(isinstance(each, _WAYS_OUT) for each in ast.walk(step.statement)):
        return None
    for name, every in one.scope.bindings.items():
        inside = [each for each in every if each.step.inside(step.statement)]
        first = next((each for each in inside if each.step.blocks == (*step.blocks, (step.statement, "body"))), None)
        if first is None or name in one.scope.parameters or name in one.scope.shared:
            continue
        before = [each for each in every if each.step.order < step.order and not _elsewhere(each.step, step)]
        if not _read_after(one, name, step, every):
            continue
        if not before:
            return _fact(one, step, "undefined", variable=name, changed=one.module.place(first.step.statement))
        start = one.scope.binding(name, step)
        if start is not None and _is_none(start, before) and _gives(one, inside):
            place = one.module.place
            return _fact(
                one,
                step,
                "none",
                variable=name,
                before=place(start.step.statement),
                changed=place(first.step.statement),
                got="a tensor",
            )
    return None


def _elsewhere(binding: Step, step: Step) -> bool:
    """Return whether it stands in another branch of a condition than a statement."""
    fields = {id(owner): field for owner, field in step.blocks}
    return any(fields.get(id(owner), field) != field for owner, field in binding.blocks)


def _is_none(start: Binding, before: list[Binding]) -> bool:
    return start is before[-1] and isinstance(start.value, ast.Constant) and start.value.value is None


def _gives(one: Traced, inside: list[Binding]) -> bool:
    last = inside[-1]
    return len(inside) == 1 and last.value is not None and one.symbolic(last.value, last.step)


def _read_after(one: Traced, name: str, step: Step, every: list[Binding]) -> bool:
    for later in one.scope.steps:
        if later.order <= step.order or later.inside(step.statement) or _elsewhere(later, step):
            continue
        read = any(
            isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
            for each in one.scope.expressions[later]
        )
        if read:
            return True
        if any(each.step is later and later.blocks == step.blocks[: len(later.blocks)] for each in every):
            return False
    return False


def _result(one: Traced, step: Step) -> LoopStructureChange | None:
    """A `return` below a condition, with nothing returned where that does not hold; or in a loop of the graph."""
    statement = step.statement
    last = statement.body[-1] if isinstance(statement, ast.If) else None
    if not isinstance(last, ast.Return) or last.value is None or isinstance(one.node, ast.Lambda):
        return None
    place = one.module.place(last)
    for around in step.around:
        if step.blocks[-1:] == ((around.statement, "body"),) and one.loops_in_graph(around):
            construct = "while" if isinstance(around.statement, ast.While) else "for"
            return LoopStructureChange(
                construct=construct,
                statement=one.module.place(around.statement),
                problem="return-in-loop",
                changed=place,
            )
    others = [
        each.statement
        for each in one.scope.steps
        if isinstance(each.statement, (ast.Return, ast.Raise)) and each.statement is not last
    ]
    if step.blocks or others or (isinstance(last.value, ast.Constant) and last.value.value is None):
        return None
    return _fact(one, step, "no-return", changed=place)


def _fact(
    one: Traced,
    step: Step,
    problem: Problem,
    *,
    changed: Location,
    variable: str = "",
    before: Location | None = None,
    got: str = "",
) -> LoopStructureChange:
    return LoopStructureChange(
        construct="if",
        statement=one.module.place(step.statement),
        problem=problem,
        variable=variable,
        before=before,
        changed=changed,
        got=got,
        branch="else",
    )
