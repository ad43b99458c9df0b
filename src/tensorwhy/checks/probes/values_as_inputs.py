"""An array or a tensor with values where a functional model takes what `Input` gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.models.symbolic import model_tensors, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import Given, NotSymbolic

READS = ("keras",)
_ARRAYS = ("array", "zeros", "ones", "full", "arange", "linspace", "eye")
_TENSORS = ("constant", "zeros", "ones", "fill", "eye", "range", "linspace")


def find(module: Module) -> Iterator[CaseGroup]:
    """Where what is written out, or the one binding of a name, says what it is."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        if not things.makes_model(call, scope, step):
            continue
        found = [
            Given(
                sort=sort,
                name=each.id if isinstance(each, ast.Name) else "",
                made=module.place(value),
                written=module.place(each),
                parameter="inputs",
            )
            for each in model_tensors(call)[0]
            for value, sort in _valued(module, scope, step, each)
        ]
        if found:
            fact = NotSymbolic(
                given=found[0], others=tuple(found[1:]), needed_by=ast.unparse(call.func), used=module.place(call)
            )
            yield from things.fails(scope, call, fact)


def _valued(module: Module, scope: Scope, step: Step, node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The expression that gives a thing its values, and what it is then."""
    value = node
    if isinstance(node, ast.Name):
        binding = scope.binding(node.id, step)
        if binding is None or binding.value is None or not scope.binds(node.id):
            return
        value = binding.value
    room, _, last = module.called(value, scope).rpartition(".")
    if (room == "numpy" and last in _ARRAYS) or room == "numpy.random":
        yield value, "array"
    elif (room == "tensorflow" and last in _TENSORS) or room == "tensorflow.random":
        yield value, "eager tensor"
