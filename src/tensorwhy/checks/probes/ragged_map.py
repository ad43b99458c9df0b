"""`tf.range` mapped over different numbers: it makes a tensor as long as each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.text.calls import argument
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.loops import VaryingOutput
from tensorwhy.model.report import Symptom

READS = ("map_fn",)

_LISTS = ("tensorflow.constant", "tensorflow.convert_to_tensor", "numpy.array", "numpy.asarray")


def find(module: Module) -> Iterator[CaseGroup]:
    """`tf.map_fn(tf.range, tf.constant([1, 2]))`, where nothing is declared of the results."""
    for scope in module.scopes:
        for step, call in scope.calls:
            if module.called(call, scope) != "tensorflow.map_fn" or step.guarded:
                continue
            if any(each.arg not in ("fn", "elems", "name", "parallel_iterations") for each in call.keywords):
                continue
            function, elements = argument(call, 0, "fn"), argument(call, 1, "elems")
            if function is None or elements is None or len(call.args) > 2:
                continue
            sizes, made = _numbers(module, scope, step, elements), _made(module, scope, function)
            if made is None or len(set(sizes)) < 2:
                continue
            place = module.place(call)
            later = next(at for at, size in enumerate(sizes) if size != sizes[0])
            fact = VaryingOutput(
                construct="map_fn",
                call=place,
                function=ast.unparse(function),
                produced=module.place(made),
                shapes=((sizes[0],), (sizes[later],)),
                element=later,
                declaration=_declaration(module, scope, call, elements),
            )
            yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _made(module: Module, scope: Scope, function: ast.expr) -> ast.expr | None:
    """What makes a tensor of one dimension that is as long as the function's argument says."""
    if module.named(function, scope) == "tensorflow.range":
        return function
    if not isinstance(function, ast.Lambda) or len(function.args.args) != 1 or not isinstance(function.body, ast.Call):
        return None
    name, made = function.args.args[0].arg, function.body
    first = made.args[0] if made.args else None
    ranges = module.called(made, scope) == "tensorflow.range" and len(made.args) == 1 and not made.keywords
    return made if ranges and isinstance(first, ast.Name) and first.id == name else None


def _declaration(module: Module, scope: Scope, call: ast.Call, elements: ast.expr) -> str:
    """What declares the results, where the elements are written out as numbers of TensorFlow's own dtype."""
    plain = isinstance(elements, ast.Call) and len(elements.args) == 1 and not elements.keywords
    if not plain or module.called(elements, scope) != "tensorflow.constant" or not isinstance(call.func, ast.Attribute):
        return ""
    prefix = ast.unparse(call.func.value)
    return f"{prefix}.RaggedTensorSpec(shape=[None], dtype={prefix}.int32)"


def _numbers(module: Module, scope: Scope, step: Step, node: ast.expr) -> list[int]:
    """The whole numbers of which a tensor is written out."""
    if isinstance(node, ast.Name):
        binding = scope.binding(node.id, step)
        if binding is None or binding.value is None:
            return []
        return (
            _numbers(module, binding.scope, binding.step, binding.value) if isinstance(binding.value, ast.Call) else []
        )
    if module.called(node, scope) not in _LISTS or not isinstance(node, ast.Call) or not node.args:
        return []
    given = node.args[0]
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
    numbers = [each.value for each in parts if isinstance(each, ast.Constant) and type(each.value) is int]
    whole = len(numbers) == len(parts) and all(number >= 0 for number in numbers)
    return numbers if whole else []
