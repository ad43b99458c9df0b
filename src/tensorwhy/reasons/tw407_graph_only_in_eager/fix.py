"""Runs a program of TensorFlow 1 as it is."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import syntax
from tensorwhy.model.facts.graph import GraphOnlyInEager
from tensorwhy.model.report import Edit, Fix


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`import tensorflow.compat.v1 as tf`, and eager execution turned off before anything else."""
    fact = case.fact
    if isinstance(fact, GraphOnlyInEager):
        yield from worded(evidence, (), _old_ways(fact, case))


def _old_ways(fact: GraphOnlyInEager, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.used.file, case.sources)
    if tree is None:
        return ()
    for each in tree.module.body:
        small = each.body[0] if isinstance(each, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Import) and tree.text(small.names[0].name) == "tensorflow" and len(small.names) == 1:
            tf = tree.spelled("tensorflow")
            if fact.removed:
                return (tree.replaced(small, f"import tensorflow.compat.v1 as {tf}\n\n{tf}.disable_v2_behavior()"),)
            return (tree.after(each, "", f"{tf}.compat.v1.disable_eager_execution()"),)
    return ()
