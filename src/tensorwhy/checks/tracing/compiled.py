"""Functions that Keras traces into the training step of `fit`: losses and metrics that `compile` is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.text.handled import expected_to_fail
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.functions import function_of, may_run_eagerly
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.facts.graph import GraphRef
from tensorwhy.source.scopes import Scope, Step

_MODELS = ("keras.Sequential", "keras.Model", "keras.models.Sequential", "keras.models.Model")


class Compiled(Traced):
    """A loss or a metric. Whether AutoGraph rewrites it depends on the version of Keras."""

    @property
    def graph(self) -> GraphRef:
        """That of Keras' own step."""
        return GraphRef(kind="function", name="train_function")


def compiled(module: Module) -> Iterator[Traced]:
    """Functions that a `compile` is given by name or as lambdas, and that nothing in the file calls by itself."""
    if "tensorflow" not in {name.partition(".")[0] for name in module.imported.values()} or may_run_eagerly(module):
        return
    called = {call.func.id for scope in module.scopes for _, call in scope.calls if isinstance(call.func, ast.Name)}
    left_out = expected_to_fail(module) | called
    for scope in module.scopes:
        for step, call in scope.calls:
            if not step.guarded and _of_keras(module, scope, step, call.func):
                yield from _given(module, scope, step, call, left_out)


def _of_keras(module: Module, scope: Scope, step: Step, method: ast.expr) -> bool:
    """True if it is `compile` of a model of Keras' own: a class of the program's may do what it likes with a loss."""
    if not isinstance(method, ast.Attribute) or method.attr != "compile" or not isinstance(method.value, ast.Name):
        return False
    binding = scope.binding(method.value.id, step)
    return binding is not None and binding.scope is scope and module.called(binding.value, scope) in _MODELS


def _given(module: Module, scope: Scope, step: Step, call: ast.Call, left_out: frozenset[str]) -> Iterator[Traced]:
    for keyword in call.keywords:
        every = keyword.value.elts if isinstance(keyword.value, ast.List) else [keyword.value]
        for given in every if keyword.arg in ("loss", "metrics") else ():
            node, outer = function_of(module, scope, step, given)
            names = [each.arg for each in node.args.args] if node is not None else []
            if node is None or len(names) != 2 or node.args.defaults or getattr(node, "name", "") in left_out:
                continue
            one = Compiled(module, node, outer, "function", frozenset(names), autograph=None)
            if not one.asks:
                yield one
