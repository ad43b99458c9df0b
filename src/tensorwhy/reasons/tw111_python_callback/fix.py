"""Calls the function directly, with TensorFlow's functions in the place of NumPy's."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import syntax, twins
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete import statements

_CALLBACKS = ("numpy_function", "py_function", "py_func")


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tf.numpy_function(f, [x], dtype)` as `f(x)`, where all that `f` calls of NumPy has a twin."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.location is None:
        return
    if fact.question.in_callback and not fact.sources[0].differentiable_dtype:
        yield Fix(summary="let the function read it from outside, as a closure, and pass only floats")
        yield Fix(summary="or cast it to a float before, and back within the function")
        return
    yield Fix(
        summary="write the function with TensorFlow operations, and call it directly",
        edits=_direct(fact, case),
        caveat="unless the function only prints or stores values; then do not use its result in the loss",
    )
    yield Fix(
        summary="if it must stay in Python, call it in a function decorated with `@tf.custom_gradient`, and return the "
        "result and a function that computes the gradient"
    )


def _direct(fact: GradientBreak, case: Case) -> tuple[Edit, ...]:
    assert fact.location is not None
    tree = syntax.tree(fact.location.file, case.sources)
    calls = [call for call in tree.at(fact.location, cst.Call) if syntax.called(call) in _CALLBACKS] if tree else []
    if tree is None or len(calls) != 1:
        return ()
    function = syntax.argument(calls[0], 0, "func")
    given = syntax.argument(calls[0], 1, "inp")
    if function is None or given is None or not isinstance(given.value, (cst.List, cst.Tuple)):
        return ()
    name = function.value
    body: tuple[Edit, ...] | None = ()
    if isinstance(name, cst.Name):
        defined = [each for each in tree.inside(tree.module, cst.FunctionDef) if each.name.value == name.value]
        body = twins.in_function(tree, defined[0]) if len(defined) == 1 else None
    elif not isinstance(name, cst.Lambda):
        values = ", ".join(tree.text(element.value) for element in given.value.elements)
        call = statements.expression(f"{tree.text(name)}({values})")
        twin = twins.twin(tree, call) if isinstance(call, cst.Call) else ""
        return (tree.replaced(calls[0], twin),) if twin else ()
    if body is None or isinstance(name, cst.Lambda):
        return ()
    arguments = ", ".join(tree.text(element) for element in given.value.elements)
    return (*body, tree.replaced(calls[0], f"{tree.text(name)}({arguments})"))
