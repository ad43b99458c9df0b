"""`trainable = True` between two calls of `fit` with the same data: without another `compile` it does nothing.

In all versions of Keras the first `fit` has a training function made, which the second one takes up again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.checks.models.composed import parts
from tensorwhy.checks.text.handled import handled
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import StaleTrainable
from tensorwhy.model.report import Symptom

READS = (".trainable = ", ".trainable=")
_OTHERWISE = ("run_eagerly", "run_functions_eagerly", "make_train_function", "train_function", "compat.v1")
_DATA = ("x", "y", "batch_size", "steps_per_epoch", "sample_weight", "class_weight")
"""Arguments of `fit` that decide what the training function is traced for."""
_BUILTINS = ("print", "len", "range", "enumerate", "zip", "str", "int", "float", "list", "dict", "sum", "max", "min")
_METHODS = ("summary", "evaluate", "predict", "save", "save_weights", "get_layer", "count_params", "fit")


class _Set(NamedTuple):
    step: Step
    layer: str
    value: bool
    target: ast.expr


def find(module: Module) -> Iterator[CaseGroup]:
    """Where compile, fit, the assignment and the second fit stand in one straight line."""
    if module.holds(*_OTHERWISE):
        return
    for scope in module.scopes:
        said = list(_said(scope))
        if any(each.value for each in said):
            for free in (each for each in said if each.value and isinstance(each.step.statement, ast.Assign)):
                yield from _stale(module, scope, said, free)


def _said(scope: Scope) -> Iterator[_Set]:
    """`base.trainable = ...`, and the same of `layer` in `for layer in base.layers`, as said of `base`."""
    for step in scope.steps:
        statement = step.statement
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Attribute) or target.attr != "trainable" or not isinstance(statement, ast.Assign):
            continue
        value = statement.value.value if isinstance(statement.value, ast.Constant) else None
        if not isinstance(target.value, ast.Name) or not isinstance(value, bool) or len(statement.targets) > 1:
            continue
        loop = step.blocks[-1][0] if step.blocks else None
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and loop.target.id == target.value.id:
            of = loop.iter
            if isinstance(of, ast.Attribute) and of.attr == "layers" and isinstance(of.value, ast.Name):
                yield _Set(step.around[-1], of.value.id, value, target)
        else:
            yield _Set(step, target.value.id, value, target)


def _stale(module: Module, scope: Scope, said: list[_Set], free: _Set) -> Iterator[CaseGroup]:
    methods = [
        (step, call, call.func)
        for step, call in scope.calls
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    ]
    for step, again, method in methods:
        if method.attr != "fit" or not free.step.always_before(step) or step.guarded:
            continue
        model = ast.unparse(method.value)
        of_model = [
            (other, call, each.attr)
            for other, call, each in methods
            if ast.unparse(each.value) == model and other.order < step.order
        ]
        fits = [(other, call) for other, call, name in of_model if name == "fit" and other.always_before(free.step)]
        compiled = [other for other, _, name in of_model if name == "compile"]
        if not fits or not compiled or not compiled[-1].always_before(fits[-1][0]):
            continue
        frozen = [each for each in said if each.layer == free.layer and each.step.order < compiled[-1].order]
        between = [each for each in said if compiled[-1].order < each.step.order < step.order]
        if not frozen or frozen[-1].value or not frozen[-1].step.always_before(compiled[-1]) or between != [free]:
            continue
        if not _same(scope, fits[-1], (step, again)) or not _is_part(scope, step, method.value, free.layer):
            continue
        if not _quiet(module, scope, compiled[-1], step, (model, free.layer)) or handled(module, scope):
            continue
        fact = StaleTrainable(
            value=True,
            said=module.place(free.target),
            variables=(),
            layer=free.layer,
            model=model,
            trained_at=module.place(again),
        )
        yield CaseGroup(symptom=Symptom(kind="silent", location=module.place(again)), facts=(fact,))
        return


def _same(scope: Scope, first: tuple[Step, ast.Call], second: tuple[Step, ast.Call]) -> bool:
    """Whether two calls of `fit` are given the same data, under names that are bound once."""
    written = [
        [ast.dump(each) for each in call.args] + [ast.dump(each) for each in call.keywords if each.arg in _DATA]
        for _, call in (first, second)
    ]
    names = {node.id for node in ast.walk(second[1]) if isinstance(node, ast.Name)}
    known = all(len(scope.bindings.get(name, ())) < 2 for name in names)
    return written[0] == written[1] and known and all(each.arg is not None for each in second[1].keywords)


def _is_part(scope: Scope, step: Step, model: ast.expr, layer: str) -> bool:
    """Whether a layer is called, or listed among others, where a model is composed."""
    for node in parts(scope, step, model):
        inside: list[ast.expr] = [node.func] if isinstance(node, ast.Call) else []
        if isinstance(node, ast.List):
            inside = node.elts
        elif isinstance(node, ast.Attribute) and node.attr == "output":
            inside = [node.value]
        if any(isinstance(each, ast.Name) and each.id == layer for each in inside):
            return True
    added = (call for _, call in scope.calls if isinstance(call.func, ast.Attribute) and call.func.attr == "add")
    owner = ast.unparse(model)
    return any(
        isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func.value) == owner
        and any(isinstance(each, ast.Name) and each.id == layer for each in call.args)
        for call in added
    )


def _quiet(module: Module, scope: Scope, first: Step, last: Step, names: tuple[str, ...]) -> bool:
    """Whether nothing but the scope itself may compile the model: no code of the program's own gets at it."""
    own = {getattr(other.node, "name", "") for other in module.scopes}
    for step, call in scope.calls:
        if step.order >= last.order or module.called(call, scope).partition(".")[0] in ("keras", "tensorflow"):
            continue
        function, given = call.func, [*call.args, *(each.value for each in call.keywords)]
        owner = function.value if isinstance(function, ast.Attribute) else None
        method = function.attr if isinstance(function, ast.Attribute) else ""
        if isinstance(function, ast.Call) or (isinstance(function, ast.Name) and function.id in _BUILTINS):
            continue
        if any(isinstance(node, ast.Name) and node.id in names for each in given for node in ast.walk(each)):
            known = method == "add"
        elif isinstance(owner, ast.Name) and owner.id in names:
            known = method in _METHODS or step.order <= first.order
        else:
            known = (method or getattr(function, "id", "")) not in own or step.order <= first.order
        if not known:
            return False
    return all(len(scope.bindings.get(name, ())) == 1 for name in names)
