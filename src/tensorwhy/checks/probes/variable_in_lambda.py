"""A variable that only the function of a `Lambda` layer knows, in a model that is trained without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.operations import dtype_of
from tensorwhy.checks.models.composed import parts
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Binding, Scope
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.report import Symptom

READS = ("Lambda(",)
_BY_OTHER_MEANS = ("watched_variables", "global_variables", "compat.v1", "trainable_variables", "add_weight")
"""Words of a file in which a variable may be trained although no layer knows it."""
_VALUES = ("zeros", "ones", "constant")


def find(module: Module) -> Iterator[CaseGroup]:
    """Models under a name, on which the same scope calls `fit`."""
    if module.holds(*_BY_OTHER_MEANS):
        return
    things, told = symbolic(module), set()
    for scope, step, call in things.calls():
        method = call.func
        if not isinstance(method, ast.Attribute) or method.attr != "fit" or not isinstance(method.value, ast.Name):
            continue
        model = things.thing(method.value, scope, step)
        if model is None or model.sort != "model":
            continue
        for layer in parts(scope, step, method.value):
            if not isinstance(layer, ast.Call) or module.called(layer, scope) != "keras.layers.Lambda":
                continue
            for name, binding in _read(module, scope, layer):
                if binding in told:
                    continue
                told.add(binding)
                fact = Untracked(
                    what="variable",
                    name=name,
                    made=module.place(binding.value or method.value),
                    model="Functional" if model.layer == "Model" else model.layer,
                    trained_at=module.place(call),
                    holder="function",
                    path=f"self.function → {name}",
                    held_at=module.place(layer),
                )
                yield CaseGroup(symptom=Symptom(kind="silent", location=module.place(call)), facts=(fact,))


def _read(module: Module, scope: Scope, layer: ast.Call) -> Iterator[tuple[str, Binding]]:
    """Variables that the function of a layer reads, and that nothing else does anything with."""
    function = layer.args[0] if layer.args else None
    if isinstance(function, ast.Name):
        found = scope.bindings.get(function.id, [])
        function_node = found[0].made if len(found) == 1 else None
        if len(scope.mentions.get(function.id, ())) != 1 or not isinstance(function_node, ast.FunctionDef):
            return
        body: list[ast.AST] = list(ast.walk(function_node))
    else:
        body = list(ast.walk(function.body)) if isinstance(function, ast.Lambda) else []
    owners = {node.value for node in body if isinstance(node, ast.Attribute)}
    read = {node for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for name in sorted({node.id for node in read}):
        bindings = scope.bindings.get(name, [])
        mentions = [each for each in scope.mentions.get(name, ()) if isinstance(each.ctx, ast.Load)]
        alone = len(bindings) == 1 and all(each in read and each not in owners for each in mentions)
        if alone and name not in scope.shared and _is_weight(module, scope, bindings[0].value):
            yield name, bindings[0]


def _is_weight(module: Module, scope: Scope, value: ast.expr | None) -> bool:
    """Whether this makes a variable that training could change, which begins with numbers that mean nothing yet."""
    if not isinstance(value, ast.Call) or module.called(value, scope) != "tensorflow.Variable" or len(value.args) != 1:
        return False
    if any(each.arg not in ("name", "dtype") for each in value.keywords) or dtype_of(module, scope, value):
        return False
    first = value.args[0]
    room, _, last = module.called(first, scope).rpartition(".")
    if isinstance(first, (ast.List, ast.Tuple)):
        return all(isinstance(each, ast.Constant) for each in first.elts)
    return (
        (isinstance(first, ast.Constant) and isinstance(first.value, float))
        or room == "tensorflow.random"
        or (room == "tensorflow" and last in _VALUES)
    )
