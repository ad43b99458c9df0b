"""Runs a program of TensorFlow 1 as it is."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.graph import GraphOnlyInEager
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`import tensorflow.compat.v1 as tf`, and eager execution turned off before anything else.

    For `tf.gradients` in a program that is none of TensorFlow 1: a graph for the function that asks.
    """
    fact = case.fact
    if not isinstance(fact, GraphOnlyInEager):
        return
    traced = _traced(fact, case) if fact.role == "gradients" and not fact.removed else ()
    if traced:
        summary = "or let the function that computes both be traced: decorate it with `@tf.function`"
        first, *rest = worded(evidence)
        yield first
        yield Fix(summary=summary, edits=traced, caveat="Python code inside it then runs only during tracing")
        yield from rest
    else:
        yield from worded(evidence, (), _old_ways(fact, case))


_OLD = ("Session", "InteractiveSession", "MonitoredSession", "placeholder", "get_variable")


def _traced(fact: GraphOnlyInEager, case: Case) -> tuple[Edit, ...]:
    """`@tf.function` on the function around a place."""
    tree = syntax.tree(fact.used.file, case.sources)
    statements = tree.statements_at(fact.used)[-1:] if tree is not None else []
    function = tree.function(statements[0]) if tree is not None and statements else None
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or function is None or not tf or function.decorators or _is_old(tree):
        return ()
    return (tree.before(function, f"@{tf}.function"),)


def _is_old(tree: Tree) -> bool:
    """Return whether a file is written for graph mode throughout."""
    return any(each.attr.value in _OLD for each in tree.inside(tree.module, cst.Attribute))


def _old_ways(fact: GraphOnlyInEager, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.used.file, case.sources)
    if tree is None or (fact.role in ("gradients", "attribute", "dataset") and not fact.removed and not _is_old(tree)):
        return ()
    for each in tree.module.body:
        small = each.body[0] if isinstance(each, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Import) and tree.text(small.names[0].name) == "tensorflow" and len(small.names) == 1:
            tf = tree.spelled("tensorflow")
            if fact.removed:
                return (tree.replaced(small, f"import tensorflow.compat.v1 as {tf}\n\n{tf}.disable_v2_behavior()"),)
            return (tree.after(each, "", f"{tf}.compat.v1.disable_eager_execution()"),)
    return ()
