"""Lets the graph itself check the condition."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.graph import RaisedWhileTracing
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst

_WRONG = "TensorFlow then raises its own exception type, so this breaks code that catches the old one"


def propose(case: Case, evidence: Evidence) -> Fixes:
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
    if not isinstance(branch, cst.If) or len(branch.body.body) != 1 or not tf:
        return ()
    behind = _always(tree, branch)
    if behind is None or not isinstance(raised, cst.Raise) or isinstance(tree.parent(branch), cst.If):
        return ()
    words = raised.exc.args[0].value if isinstance(raised.exc, cst.Call) and raised.exc.args else None
    data = tree.text(words) if words is not None else f'"{fact.exception.rpartition(".")[2]}"'
    test = branch.test
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, ast.Not):
        holds = tree.text(test.expression)
    else:
        holds = f"{tf}.logical_not({tree.text(test)})"
    lines = [f"{tf}.debugging.Assert({holds}, [{data}])", *behind]
    return (tree.replaced(branch, ("\n" + tree.indentation(branch)).join(lines)),)


def _always(tree: Tree, branch: cst.If) -> list[str] | None:
    """The lines of the `else`, which run in any case when the other branch raises. None for what is not plain."""
    if branch.orelse is None:
        return []
    body = branch.orelse.body.body if isinstance(branch.orelse, cst.Else) else []
    lines = [tree.text(each) for each in body if isinstance(each, cst.SimpleStatementLine)]
    return lines if lines and len(lines) == len(body) and not any("\n" in line for line in lines) else None
