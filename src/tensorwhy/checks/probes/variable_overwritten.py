"""A variable whose name a loop gives to a tensor: from its second turn on the source is one that no tape watches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.checks.frameworks.operations import ARITHMETIC, operation
from tensorwhy.checks.tapes.questions import Asked, asked, none, question
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.traced import may_be_traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import NotWatched
from tensorwhy.model.question import Source, Variable
from tensorwhy.source.scopes import Binding, Scope

READS = ("GradientTape",)
_ASSIGNING = ("assign", "assign_add", "assign_sub")
_WAYS_OUT = (ast.Break, ast.Return, ast.Raise)


class Overwritten(NamedTuple):
    """The call that made the variable, and the statement that gives its name to something else. `stored`: to what an
    assignment to the variable returns.
    """

    made: ast.Call
    by: ast.stmt
    stored: bool


def find(module: Module) -> Iterator[CaseGroup]:
    """Where a name is bound twice: to a variable before the loop, and to what is computed from that in each turn."""
    for one in asked(module):
        if "watch" in one.tape.methods or one.step.guarded or not one.step.loops or may_be_traced(one.scope):
            continue
        for position, each in enumerate(one.sources or ()):
            found = _overwritten(module, one, each.id) if isinstance(each, ast.Name) else None
            if found is None:
                continue
            by, made = module.place(found.by), module.place(found.made)
            source = Source(tensor=1, position=position)
            fact = NotWatched(
                kind="not-watched",
                question=question(module, one, source),
                sources=(source,),
                location=by,
                watched="never",
                rebound=by,
                was=Variable(tensor=1, created=made),
                stored=by if found.stored else None,
                exact=False,
            )
            yield CaseGroup(symptom=none(module, one), facts=(fact,), asked=True)


def _overwritten(module: Module, one: Asked, name: str) -> Overwritten | None:
    scope = one.scope
    found = _two(scope, one, name)
    if found is None:
        return None
    first, then, loop = found
    if not _each_turn(one, loop) or then.step.inside(one.tape.opened.statement) or not _goes_on(scope, loop):
        return None
    made, several = _variable(module, scope, first)
    value = then.value
    if isinstance(value, ast.Name):
        named = scope.binding(value.id, then.step)
        value = named.value if named is not None and loop in named.step.loops else None
    if made is None or value is None or not isinstance(then.made, ast.stmt):
        return None
    if several:
        return Overwritten(made, then.made, False) if _list_of_results(value, name) else None
    stored = _assigns(value, name)
    return Overwritten(made, then.made, stored) if stored or _computed(module, scope, value, name) else None


def _two(scope: Scope, one: Asked, name: str) -> tuple[Binding, Binding, ast.For | ast.While] | None:
    """What a name stands for as a loop around the question begins, the only binding in it, and the loop."""
    every = scope.bindings.get(name, [])
    if name in scope.shared or name in scope.parameters:
        return None
    for then in every:
        loop = then.step.blocks[-1][0] if then.step.blocks else None
        if not isinstance(loop, (ast.For, ast.While)) or then.step.loops[-1:] != (loop,):
            continue
        begins = next((step for step in then.step.around if step.statement is loop), None)
        before = [each for each in every if begins is not None and each.step.order < begins.order]
        inside = [each for each in every if loop in each.step.loops]
        # What comes behind it gets to the next turn of a loop around both.
        behind = [each for each in every if each.step.order > then.step.order and each.step.loops]
        if begins is not None and before and inside == [then] and not behind:
            first = before[-1]
            if first.step.always_before(begins) and first.step.always_before(one.step):
                return first, then, loop
    return None


def _each_turn(one: Asked, loop: ast.For | ast.While) -> bool:
    """Return whether it is asked in each turn of the loop, of a tape that the same turn opened."""
    blocks = one.step.blocks
    at = next((i for i, (owner, field) in enumerate(blocks) if owner is loop and field == "body"), None)
    within = blocks[at:] if at is not None else ()
    loops = all(isinstance(owner, (ast.For, ast.While)) and field == "body" for owner, field in within)
    return bool(within) and loops and loop in one.tape.opened.loops


def _goes_on(scope: Scope, loop: ast.For | ast.While) -> bool:
    """Return whether a loop is one of several turns, which nothing ends but a condition."""
    for step in scope.steps:
        out = isinstance(step.statement, _WAYS_OUT) and step.inside(loop)
        if out and not any(isinstance(owner, ast.If) and step.inside(owner) for owner in loop.body):
            return False
    if any(isinstance(node, (ast.Continue, ast.Yield, ast.YieldFrom)) for node in ast.walk(loop)):
        return False
    if isinstance(loop, ast.While):
        return True
    over = loop.iter
    if isinstance(over, (ast.List, ast.Tuple)):
        return len(over.elts) > 1
    return not (isinstance(over, ast.Call) and any(isinstance(e, ast.Constant) and e.value == 1 for e in over.args))


def _variable(module: Module, scope: Scope, binding: Binding) -> tuple[ast.Call | None, bool]:
    """The call that makes the variable, or the first of a list of variables, and whether it is a list."""
    value = binding.value
    several = value.elts if isinstance(value, (ast.List, ast.Tuple)) else None
    calls = [value] if several is None else several
    made = [
        each for each in calls if isinstance(each, ast.Call) and module.called(each, scope) == "tensorflow.Variable"
    ]
    plain = all(keyword.arg not in ("trainable", None) for call in made for keyword in call.keywords)
    return (made[0] if made and plain and len(made) == len(calls) else None), several is not None


def _computed(module: Module, scope: Scope, value: ast.expr, name: str) -> bool:
    """Return whether an expression computes a tensor from what has this name."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ARITHMETIC):
        sides = (value.left, value.right)
        own = any(isinstance(side, ast.Name) and side.id == name for side in sides)
        return own or any(_computed(module, scope, side, name) for side in sides)
    if isinstance(value, ast.Call) and operation(module.called(value, scope)):
        given = (node for each in value.args for node in ast.walk(each))
        return any(isinstance(node, ast.Name) and node.id == name for node in given)
    return False


def _assigns(value: ast.expr, name: str) -> bool:
    method = value.func if isinstance(value, ast.Call) else None
    return (
        isinstance(method, ast.Attribute)
        and method.attr in _ASSIGNING
        and isinstance(method.value, ast.Name)
        and method.value.id == name
    )


def _list_of_results(value: ast.expr, name: str) -> bool:
    """`[variable - rate * gradient for variable, gradient in zip(variables, gradients)]`."""
    if not isinstance(value, ast.ListComp) or len(value.generators) != 1 or value.generators[0].ifs:
        return False
    source, targets = value.generators[0].iter, value.generators[0].target
    zipped = isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "zip"
    if not zipped or not isinstance(source, ast.Call) or not isinstance(targets, ast.Tuple):
        return False
    at = next((i for i, e in enumerate(source.args) if isinstance(e, ast.Name) and e.id == name), len(targets.elts))
    own = targets.elts[at] if at < len(targets.elts) else None
    sides = (value.elt.left, value.elt.right) if isinstance(value.elt, ast.BinOp) else ()
    return isinstance(own, ast.Name) and any(isinstance(side, ast.Name) and side.id == own.id for side in sides)
