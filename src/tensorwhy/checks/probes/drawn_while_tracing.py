"""Numbers that Python draws at random while a function is traced: later runs of its graph have the same ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.operations import makes_symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Binding, Scope, Step
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.graph import FrozenDraw
from tensorwhy.model.report import Symptom

READS = WORDS

_PYTHON = (
    "random uniform triangular randint randrange choice choices sample gauss normalvariate betavariate getrandbits"
)
_NUMPY = """
    rand randn randint random random_sample uniform normal standard_normal choice permutation binomial beta gamma
    exponential poisson laplace lognormal
"""
_DRAWS = frozenset(
    [*(f"random.{name}" for name in _PYTHON.split()), *(f"numpy.random.{name}" for name in _NUMPY.split())]
)
_STORES = ("assign", "assign_add", "assign_sub")


def find(module: Module) -> Iterator[CaseGroup]:
    """In functions of datasets, which run for each element; in functions that a loop calls again and again."""
    for one in traced(module):
        drawn = list(_draws(one))
        if not drawn or not (one.kind == "dataset" or _called_again(one)):
            continue
        for call in drawn:
            place = module.place(call)
            fact = FrozenDraw(
                text=ast.unparse(call), read=place, function=one.graph.name, dataset=one.kind == "dataset"
            )
            yield CaseGroup(symptom=Symptom(kind="silent", location=place), facts=(fact,))


def _draws(one: Traced) -> Iterator[ast.Call]:
    """The draws whose numbers go on; one that is stored for later, or is a seed, may be meant to stay as it is."""
    if isinstance(one.node, ast.Lambda):
        yield from _calls(one, one.node.body)
        return
    for step in one.scope.steps:
        if one.in_graph(step) and _goes_on(one, step):
            for child in _own(step.statement):
                yield from _calls(one, child)


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    return (each for each in ast.iter_child_nodes(statement) if isinstance(each, (ast.expr, ast.withitem)))


def _calls(one: Traced, node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Lambda) or (isinstance(node, ast.keyword) and "seed" in (node.arg or "")):
        return
    if isinstance(node, ast.Call):
        name = one.module.called(node, one.scope)
        if name in _DRAWS:
            yield node
            return
        if not _hands_on(name, node):
            return
    for child in ast.iter_child_nodes(node):
        yield from _calls(one, child)


def _hands_on(name: str, call: ast.Call) -> bool:
    """Whether what a call is given goes into what it returns: known of what is not seldom done with numbers."""
    if makes_symbolic(name) or name.startswith(("numpy.", "tensorflow.image.", "math.")):
        return name not in ("tensorflow.shape", "tensorflow.size")
    last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return last in ("astype", "reshape", "float", "int", "round", "abs", *_STORES)


def _goes_on(one: Traced, step: Step) -> bool:
    statement = step.statement
    if isinstance(statement, ast.Expr):
        call = statement.value
        return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _STORES
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return isinstance(statement, (ast.AugAssign, ast.Return, ast.If, ast.While))
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    if any(isinstance(each, (ast.Attribute, ast.Subscript)) for target in targets for each in ast.walk(target)):
        return False
    if names & one.scope.shared or any("seed" in name.lower() for name in names):
        return False
    return any(isinstance(node, ast.Name) and node.id in names for node in _read_by_operations(one))


def _read_by_operations(one: Traced) -> Iterator[ast.AST]:
    """What is read in the function other than by calls of which nothing is known."""
    for nodes in one.scope.expressions.values():
        for node in nodes:
            if isinstance(node, (ast.BinOp, ast.Compare, ast.Return, ast.If)):
                yield from ast.iter_child_nodes(node)
            elif isinstance(node, ast.Call) and _hands_on(one.module.called(node, one.scope), node):
                yield from node.args
                yield from (each.value for each in node.keywords if "seed" not in (each.arg or ""))


def _called_again(one: Traced) -> bool:
    """Whether a loop of the file calls the function with what needs no new trace in each turn."""
    name = one.graph.name
    for scope in one.module.scopes:
        for step, call in scope.calls:
            if step.loops and _is_call_of(one, scope, step, call, name) and _same_trace(one, scope, step, call):
                return True
    return False


def _is_call_of(one: Traced, scope: Scope, step: Step, call: ast.Call, name: str) -> bool:
    function = call.func
    if isinstance(function, ast.Name) and function.id == name:
        binding = scope.binding(name, step)
        return binding is not None and binding.made is one.node
    if not isinstance(function, ast.Attribute) or function.attr != name or one.scope.outer is None:
        return False
    return scope.outer is one.scope.outer and isinstance(function.value, ast.Name) and function.value.id == "self"


def _same_trace(one: Traced, scope: Scope, step: Step, call: ast.Call) -> bool:
    given = [*call.args, *(each.value for each in call.keywords)]
    names = {each.id for value in given for each in ast.walk(value) if isinstance(each, ast.Name)}
    changing = [
        (binding, name)
        for name in names
        for binding in scope.bindings.get(name, ())
        if set(binding.step.loops) & set(step.loops) or isinstance(binding.made, (ast.For, ast.AugAssign))
    ]
    return not changing or (_computes_with_all(one) and all(_no_python_value(*each) for each in changing))


def _computes_with_all(one: Traced) -> bool:
    """Whether each parameter goes into a computation: a model or a name, of which each has its own trace, does not."""
    used: set[str] = set()
    for nodes in one.scope.expressions.values():
        for node in nodes:
            parts: list[ast.expr] = []
            if isinstance(node, ast.BinOp):
                parts = [node.left, node.right]
            elif isinstance(node, ast.Call) and makes_symbolic(one.module.called(node, one.scope)):
                parts = node.args
            used |= {each.id for each in parts if isinstance(each, ast.Name)}
    return set(one.scope.parameters) - {"self"} <= used


def _no_python_value(binding: Binding, name: str) -> bool:
    """Whether what a loop binds anew in each turn is no plain number: a function is traced for each of those."""
    if not isinstance(binding.made, ast.For):
        value = binding.value
        return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "next"
    over, target = binding.made.iter, binding.made.target
    function = over.func if isinstance(over, ast.Call) else None
    if isinstance(function, ast.Name) and function.id == "enumerate":
        counted = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
        return not any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(counted))
    return isinstance(over, (ast.Name, ast.Attribute)) or isinstance(function, ast.Attribute)
