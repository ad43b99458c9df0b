"""Lets the graph itself check the condition."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import syntax
from tensorwhy.model.facts.graph import RaisedWhileTracing
from tensorwhy.model.report import Edit, Fix

_WRONG = "the exception is then TensorFlow's own: wrong where somebody catches another one"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`if bad: raise Error(words)` as `tf.debugging.Assert(not bad, [words])`."""
    fact = case.fact
    if isinstance(fact, RaisedWhileTracing):
        yield from worded(evidence, _asserted(fact, case), caveat=_WRONG)


def _asserted(fact: RaisedWhileTracing, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.raised.file, case.sources)
    statements = tree.statements_at(fact.raised) if tree is not None else []
    if tree is None or not statements:
        return ()
    branch = tree.above(statements[-1], cst.If, cst.Else, cst.FunctionDef)
    raised = statements[-1].body[0]
    tf = tree.spelled("tensorflow")
    if not isinstance(branch, cst.If) or branch.orelse is not None or len(branch.body.body) != 1 or not tf:
        return ()
    if not isinstance(raised, cst.Raise) or isinstance(tree.parent(branch), cst.If):
        return ()
    words = raised.exc.args[0].value if isinstance(raised.exc, cst.Call) and raised.exc.args else None
    data = tree.text(words) if words is not None else f'"{fact.exception.rpartition(".")[2]}"'
    test = branch.test
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        holds = tree.text(test.expression)
    else:
        holds = f"{tf}.logical_not({tree.text(test)})"
    return (tree.replaced(branch, f"{tf}.debugging.Assert({holds}, [{data}])"),)
