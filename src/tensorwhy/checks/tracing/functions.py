"""Which functions of a file are certainly traced: by `tf.function`, or by a method of a dataset."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from tensorwhy.checks.frameworks.datasets import is_dataset
from tensorwhy.checks.text.handled import expected_to_fail
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.traced import FunctionNode, Traced, may_skip
from tensorwhy.source.reading import argument
from tensorwhy.source.scopes import Scope, Step

WORDS = ("tf.function", "tf.data", "tensorflow.function", "tensorflow.data", "import function", "import data")
"""One of these is in each file that has something traced."""

_UNCERTAIN = (
    *("run_functions_eagerly", "run_eagerly", "enable_debug_mode", ".python_function", "enable_eager_execution"),
    *("disable_v2_behavior", "disable_v2_tensorshape", "disable_tensor_equality"),
)
"""Words of a file in which what is traced may run eagerly as well, or tensors are compared as objects."""
_TRANSPARENT = frozenset(("tensorflow.Module.with_name_scope", "tensorflow.custom_gradient", "classmethod"))
"""Decorators below which a function is traced as it is."""
_MAPPING = {"map": "map_func", "flat_map": "map_func", "interleave": "map_func", "filter": "predicate"}


@functools.lru_cache(maxsize=1)
def traced(module: Module) -> tuple[Traced, ...]:
    """Every function of a file that is certainly traced, each once; none where something may have it run eagerly."""
    if may_run_eagerly(module):
        return ()
    found: dict[ast.AST, Traced] = {}
    expected = expected_to_fail(module)
    for one in (*_decorated(module), *_handed(module)):
        if getattr(one.node, "name", "") not in expected and not one.asks:
            found.setdefault(one.node, one)
    return tuple(found.values())


def may_run_eagerly(module: Module) -> bool:
    """Return whether something in the file may have functions run eagerly that are traced otherwise."""
    return module.holds(*_UNCERTAIN)


def _decorated(module: Module) -> Iterator[Traced]:
    for scope in module.scopes:
        node, outer = scope.node, scope.outer
        if not isinstance(node, ast.FunctionDef) or outer is None:
            continue
        names = [_decorator(module, each, outer) for each in node.decorator_list]
        for at, (name, decorator) in enumerate(zip(names, node.decorator_list, strict=True)):
            if name == "tensorflow.function" and all(each in _TRANSPARENT for each in names[at + 1 :]):
                yield _by_function(module, node, outer, decorator)


def _decorator(module: Module, node: ast.expr, scope: Scope) -> str:
    if isinstance(node, ast.Name) and node.id == "classmethod":
        return node.id
    return module.named(node.func if isinstance(node, ast.Call) else node, scope)


def _by_function(module: Module, node: FunctionNode, outer: Scope, by: ast.expr) -> Traced:
    """A function that `tf.function` makes a graph of; `by` is that, or its call with what it was told."""
    if not isinstance(by, ast.Call):
        return Traced(module, node, outer, "function", frozenset())
    given = {each.arg: each.value for each in by.keywords}
    autograph = given.get("autograph")
    known = autograph.value if isinstance(autograph, ast.Constant) and isinstance(autograph.value, bool) else None
    signature = given.get("input_signature")
    specs = signature.elts if isinstance(signature, (ast.List, ast.Tuple)) else []
    method = isinstance(outer.node, ast.ClassDef) and isinstance(node, ast.FunctionDef)
    static = method and any(getattr(each, "id", "") == "staticmethod" for each in getattr(node, "decorator_list", ()))
    pairs = zip(_positional(node, method and not static), specs, strict=False)
    tensors = {name for name, spec in pairs if module.called(spec, outer) == "tensorflow.TensorSpec"}
    spread = None in given or len(by.args) > 1
    return Traced(
        module, node, outer, "function", frozenset(tensors), True if autograph is None and not spread else known
    )


def _positional(node: FunctionNode, method: bool) -> list[str]:
    """The parameters that a call by position fills, those with a default not among them; nor `self` of a method."""
    named = [*node.args.posonlyargs, *node.args.args]
    last = len(named) - len(node.args.defaults)
    return [each.arg for each in named[int(method) : last]]


def _handed(module: Module) -> Iterator[Traced]:
    """Functions and lambdas that are handed to `tf.function(...)`, or to a method of a dataset."""
    for scope in module.scopes:
        for step, call in scope.calls:
            function = isinstance(call.func, ast.Attribute | ast.Name) and module.called(call, scope)
            if function == "tensorflow.function":
                given = argument(call, 0, "func")
            elif isinstance(call.func, ast.Attribute) and call.func.attr in _MAPPING:
                given = argument(call, 0, _MAPPING[call.func.attr])
            else:
                continue
            if given is None or step.guarded or any(map(may_skip, scope.expressions[step])):
                continue
            node, outer = function_of(module, scope, step, given)
            if node is None or (step.conditional and _run_eagerly(module, given, function == "tensorflow.function")):
                continue
            if function == "tensorflow.function":
                yield _by_function(module, node, outer, call)
            elif _maps_dataset(module, scope, step, call):
                names = _positional(node, isinstance(given, ast.Attribute))
                yield Traced(module, node, outer, "dataset", frozenset(names))


def _run_eagerly(module: Module, given: ast.expr, wrapped: bool) -> bool:
    """Return whether a function that is handed over on some ways only may be called as it is on the others."""
    if not isinstance(given, ast.Name):
        return wrapped and not isinstance(given, ast.Lambda)
    calls = (call for scope in module.scopes for _, call in scope.calls)
    return wrapped or any(isinstance(call.func, ast.Name) and call.func.id == given.id for call in calls)


def function_of(module: Module, scope: Scope, step: Step, given: ast.expr) -> tuple[FunctionNode | None, Scope]:
    """The function that an expression certainly is, as it was written; and the scope around it."""
    if isinstance(given, ast.Lambda):
        return given, scope
    found: ast.AST | None = None
    if isinstance(given, ast.Name):
        binding = scope.binding(given.id, step)
        found = binding.made if binding is not None else None
    elif isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) and given.value.id == "self":
        owner = scope.outer
        of_class = owner.bindings.get(given.attr, []) if owner is not None else []
        found = (
            of_class[0].made if len(of_class) == 1 and isinstance(getattr(owner, "node", None), ast.ClassDef) else None
        )
    if not isinstance(found, ast.FunctionDef) or found.decorator_list:
        return None, scope
    return found, module.scope(found).outer or scope


def _maps_dataset(module: Module, scope: Scope, step: Step, call: ast.Call) -> bool:
    """Return whether a method belongs to a dataset of TensorFlow: no other library has `num_parallel_calls`."""
    if any(each.arg == "num_parallel_calls" for each in call.keywords):
        return True
    return isinstance(call.func, ast.Attribute) and is_dataset(module, scope, step, call.func.value)


def may_be_traced(scope: Scope | None) -> bool:
    """True if a scope may be part of a graph, as far as its file tells: decorated, or a method that Keras traces."""
    while scope is not None:
        if getattr(scope.node, "decorator_list", ()) or getattr(scope.node, "name", "") in _TRACED_BY_KERAS:
            return True
        scope = scope.outer
    return False


_TRACED_BY_KERAS = ("call", "train_step", "test_step", "compute_loss")
