"""A layer with weights that the `call` of a layer or model makes and calls: it has new weights at every call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import WITH_WEIGHTS
from tensorwhy.checks.text.handled import handled
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.graph import LateVariable
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Scope, Step

READS = ("def call(",)
_BASES = ("keras.Layer", "keras.layers.Layer", "keras.Model", "keras.models.Model")
_RUNS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")
"""Methods that trace the `call` of what a model is made of, more than once."""
_EAGERLY = ("run_eagerly", "run_functions_eagerly", "compat.v1", "disable_eager_execution", "disable_v2_behavior")


def find(module: Module) -> Iterator[CaseGroup]:
    """Layers that are kept nowhere, and whose weights are not given or frozen."""
    for scope in module.scopes:
        owner = scope.outer.node if scope.outer is not None else None
        if not isinstance(scope.node, ast.FunctionDef) or scope.node.name != "call" or scope.node.decorator_list:
            continue
        if not isinstance(owner, ast.ClassDef) or scope.outer is None or not _is_keras(module, owner, scope.outer):
            continue
        made = list(_made(module, scope))
        if made and not handled(module, scope) and not _called_by_hand(module):
            traced = _traced(module, owner)
            yield from (_group(module, owner, traced, *each) for each in (made[:1] if traced else made))


def _made(module: Module, scope: Scope) -> Iterator[tuple[ast.Call, ast.Call]]:
    """Each layer with the call of it."""
    told = set()
    for step, call in scope.calls:
        layer: ast.expr | None = call.func
        if isinstance(layer, ast.Name):
            layer = _local(scope, step, layer.id)
        if not isinstance(layer, ast.Call) or layer in told or module.called(layer, scope) not in WITH_WEIGHTS:
            continue
        if step.guarded or _leaves_graph(step) or _given(layer) or not call.args:
            continue
        told.add(layer)
        yield layer, call


def _local(scope: Scope, step: Step, name: str) -> ast.expr | None:
    """What a name was given in the same function, where nothing but calls is done with it."""
    binding = scope.binding(name, step) if scope.binds(name) else None
    callees = {call.func for _, call in scope.calls}
    read = [each for each in scope.mentions.get(name, ()) if isinstance(each.ctx, ast.Load)]
    return binding.value if binding is not None and all(each in callees for each in read) else None


def _leaves_graph(step: Step) -> bool:
    return any(
        "init_scope" in ast.unparse(item.context_expr)
        for around in step.around
        if isinstance(around.statement, ast.With)
        for item in around.statement.items
    )


def _given(layer: ast.Call) -> bool:
    """Return whether the weights of a layer may be meant to be those that it begins with."""
    names = [each.arg for each in layer.keywords]
    return any(name is None or name in ("trainable", "weights") or "initializer" in name for name in names)


def _is_keras(module: Module, owner: ast.ClassDef, scope: Scope, depth: int = 0) -> bool:
    """Whether a class derives from a layer or a model of Keras, by way of classes of the same file or not."""
    outer = scope.outer
    for base in owner.bases if outer is not None else ():
        if outer is not None and module.named(base, outer) in _BASES:
            return True
        found = outer.bindings.get(base.id, ()) if outer is not None and isinstance(base, ast.Name) else ()
        node = found[0].made if len(found) == 1 else None
        if isinstance(node, ast.ClassDef) and depth < 5 and _is_keras(module, node, module.scope(node), depth + 1):
            return True
    return False


def _called_by_hand(module: Module) -> bool:
    """True if `call` may run only once, on symbolic tensors: where it is called as a method, and not by `super()`."""
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "call"
        and not ast.unparse(call.func.value).startswith("super(")
        for scope in module.scopes
        for _, call in scope.calls
    )


def _traced(module: Module, owner: ast.ClassDef) -> bool:
    """True if the file makes an object of the class, and has what traces it: a method of a model, or a function."""
    if module.holds(*_EAGERLY):
        return False
    calls = [(step, call) for scope in module.scopes for step, call in scope.calls if not step.guarded]
    made = any(isinstance(call.func, ast.Name) and call.func.id == owner.name for _, call in calls)
    runs = any(isinstance(call.func, ast.Attribute) and call.func.attr in _RUNS for _, call in calls)
    return made and (runs or module.holds("tf.function"))


def _group(module: Module, owner: ast.ClassDef, traced: bool, layer: ast.Call, call: ast.Call) -> CaseGroup:
    made, used = module.place(layer), module.place(call)
    if traced:
        late = LateVariable(created=used, layer=made, function=f"{owner.name}.call")
        return CaseGroup(symptom=Symptom(kind="exception", location=used), facts=(late,))
    lost = Untracked(what="layer", name=ast.unparse(layer.func), made=used, model=owner.name, trained_at=None)
    return CaseGroup(symptom=Symptom(kind="silent", location=used), facts=(lost,))
