"""Leaves the slope to TensorFlow."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import syntax
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst

_CONSTANT = "unless it is meant to be a constant; then None is correct"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The decorator and the backward function taken out, where the function is one of TensorFlow operations."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    if fact.role == "recomputed":
        yield Fix(
            summary="pass it to the recomputed function as an argument: `tf.recompute_grad(f)(x, it)`",
            caveat=_CONSTANT,
        )
        return
    if fact.role == "closure":
        yield Fix(
            summary="pass it to the function as an argument, and return a gradient for it too",
            caveat=_CONSTANT,
        )
    else:
        yield Fix(
            summary="return a gradient for every input of the function, in order",
            caveat="unless this input is not differentiable; then None is correct",
        )
    edits = _automatic(fact, case)
    if edits:
        yield Fix(
            summary="remove the custom gradient: TensorFlow can differentiate what the function computes",
            edits=edits,
            caveat="unless the custom gradient is there for numerical stability; then keep it, and complete it",
        )


def _automatic(fact: GradientBreak, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    if tree is None or fact.location is None:
        return ()
    for function in tree.inside(tree.module, cst.FunctionDef):
        (start, _), (end, _) = tree.span(function)
        marks = [each for each in function.decorators if tree.text(each.decorator).endswith("custom_gradient")]
        if not marks or not start <= fact.location.line <= end:
            continue
        inner = [each for each in function.body.body if isinstance(each, cst.FunctionDef)]
        last = function.body.body[-1]
        small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else None
        pair = small.value if isinstance(small, cst.Return) else None
        if not isinstance(pair, cst.Tuple) or len(pair.elements) != 2 or len(inner) != 1:
            return ()
        if tree.text(pair.elements[1].value) != inner[0].name.value:
            return ()
        edits = (tree.removed(marks[0]), tree.removed(inner[0]), tree.replaced(pair, tree.text(pair.elements[0].value)))
        return tuple(each for each in edits if each is not None) if all(edits) else ()
    return ()
