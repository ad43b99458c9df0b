"""A target whose last operation runs after its tape was closed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal, NamedTuple

from tensorwhy.checks.frameworks.operations import makes_tensor
from tensorwhy.checks.tapes.questions import Asked, asked, none, question
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import Made, NotRecorded
from tensorwhy.model.question import Source
from tensorwhy.source.scopes import Step

READS = ("GradientTape",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Where the target is an operation, or a name that an operation outside of the tape's block gave its value."""
    for one in asked(module):
        if "stop_recording" in one.tape.methods:
            continue
        made = _made(module, one)
        if made is None:
            continue
        tape = module.place(one.tape.head)
        fact = NotRecorded(
            kind="not-recorded",
            question=question(module, one, Source(tensor=1)),
            sources=(Source(tensor=1),),
            location=module.place(made.operation),
            last=module.place(made.last) if made.last is not None else None,
            region=made.region,
            made=Made(recorder=tape),
            exact=False,
        )
        yield CaseGroup(symptom=none(module, one), facts=(fact,), asked=True)


class _Made(NamedTuple):
    """The operation that makes a target, and when it runs. `last` is the target's own where others run before it."""

    operation: ast.expr
    region: Literal["before", "after"]
    last: ast.expr | None = None


def _made(module: Module, one: Asked) -> _Made | None:
    """How the target is made; None where the tape may have recorded it."""
    expression, step = _given(one, one.target, one.step)
    answer = _answer(module, one, expression)
    if step.inside(one.tape.opened.statement):
        return None
    if answer is None and (_is_part(one) or not makes_tensor(module, one.scope, expression)):
        return None
    if step.order < one.tape.opened.order:
        return _Made(answer or expression, "before")
    gradient = answer or _gradient_in(module, one, expression, step)
    return _Made(gradient or expression, "after", expression if gradient is not answer else None)


def _given(one: Asked, expression: ast.expr, step: Step) -> tuple[ast.expr, Step]:
    """What a name stands for, or is a part of, and the statement that said so; anything else itself."""
    binding = one.scope.binding(expression.id, step) if isinstance(expression, ast.Name) else None
    if binding is None or binding.scope is not one.scope:
        return expression, step
    value = binding.value
    if value is None and isinstance(binding.made, ast.Assign):
        value = binding.made.value
    return (value, binding.step) if value is not None else (expression, step)


def _is_part(one: Asked) -> bool:
    """Return whether the target is a name for a part of something."""
    binding = one.scope.binding(one.target.id, one.step) if isinstance(one.target, ast.Name) else None
    return binding is not None and binding.value is None


def _answer(module: Module, one: Asked, node: ast.expr) -> ast.expr | None:
    """The call by which a tape computes an expression, or what it is a part of, from nothing else that it is given."""
    while isinstance(node, ast.Subscript):
        node = _given(one, node.value, one.step)[0] if isinstance(node.value, ast.Name) else node.value
    if not isinstance(node, ast.Call) or len(node.args) > 2 or not _PLAIN.issuperset(_keywords(node)):
        return None
    other = next((each for each in asked(module) if each.call is node and each.scope is one.scope), None)
    if other is None or (other.tape.call is one.tape.call and not one.tape.persistent):
        return None  # a tape that has answered fails
    return node


_PLAIN = frozenset(("target", "sources", "source", "unconnected_gradients"))


def _keywords(call: ast.Call) -> list[str | None]:
    return [keyword.arg for keyword in call.keywords]


def _gradient_in(module: Module, one: Asked, expression: ast.expr, step: Step) -> ast.expr | None:
    """The first gradient that an operation behind the tape is computed from: it is to be moved as well."""
    for node in ast.walk(expression):
        value, made = _given(one, node, step) if isinstance(node, ast.Name) else (None, step)
        if value is not None and made.order > one.tape.opened.order and not made.inside(one.tape.opened.statement):
            answer = _answer(module, one, value)
            if answer is not None:
                return answer
    return None
