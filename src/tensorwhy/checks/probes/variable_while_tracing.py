"""A variable, or something with variables of its own, that a traced function makes each time that it is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import WITH_WEIGHTS
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.graph import LateVariable
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Step

READS = WORDS

_METRICS = frozenset(f"keras.metrics.{name}" for name in ("Mean", "Accuracy", "SparseCategoricalAccuracy"))
_OPTIMIZERS = frozenset(f"keras.optimizers.{name}" for name in ("Adam", "SGD", "RMSprop", "Adagrad", "Nadam"))


def find(module: Module) -> Iterator[CaseGroup]:
    """Variables and metrics where they are made; layers that are called, optimizers that apply gradients."""
    for one in traced(module):
        told: set[ast.expr] = set()
        for step, node in one.expressions if one.kind == "function" else ():
            found = _makes(one, step, node) if isinstance(node, ast.Call) else None
            if found is None or found[0] in told or not isinstance(node, ast.Call):
                continue
            told.add(found[0])
            layer, optimizer = found
            place = module.place(node)
            fact = LateVariable(
                created=place,
                function=one.graph.name,
                layer=module.place(layer) if layer is not node else None,
                optimizer=optimizer,
            )
            yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _makes(one: Traced, step: Step | None, call: ast.Call) -> tuple[ast.expr, bool] | None:
    """The call that makes what has variables, if this one makes those; and whether that is an optimizer."""
    name = one.module.called(call, one.scope)
    if name == "tensorflow.Variable" or name in _METRICS:
        return call, False
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in ("apply_gradients", "minimize"):
        made = _made(one, step, function.value)
        return (made, True) if one.module.called(made, one.scope) in _OPTIMIZERS and made is not None else None
    made = _made(one, step, function)
    # Keras 3 tries the `call` of a layer out, and may have the variables of layers in it from then on.
    if made is None or one.graph.name == "call" or one.module.called(made, one.scope) not in WITH_WEIGHTS:
        return None
    return made, False


def _made(one: Traced, step: Step | None, node: ast.expr) -> ast.expr | None:
    """The call that made what an expression stands for, in this same trace."""
    if not isinstance(node, ast.Name) or step is None:
        return node
    binding = one.scope.binding(node.id, step)
    return binding.value if binding is not None and binding.step in one.steps else None
