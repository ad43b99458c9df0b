"""Starts with small random numbers."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import syntax
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tf.zeros(shape)` as `tf.random.normal(shape, stddev=0.05)`; `"zeros"` as `"glorot_uniform"`."""
    return worded(evidence, _random(case, evidence))


def _random(case: Case, evidence: Evidence) -> tuple[Edit, ...]:
    place = evidence.primary
    tree = syntax.tree(place.file, case.sources) if place is not None else None
    if tree is None:
        return ()
    statements = tree.statements_at(place)
    for call in (each for statement in statements[-1:] for each in tree.inside(statement, cst.Call)):
        if tree.canonical(call.func) == "tensorflow.zeros" and len(call.args) == 1:
            shape = tree.text(call.args[0].value)
            return (tree.replaced(call, f"{tree.spelled('tensorflow')}.random.normal({shape}, stddev=0.05)"),)
        for keyword in ("kernel_initializer", "embeddings_initializer", "initializer"):
            given = syntax.argument(call, 1 << 20, keyword)
            if given is not None and tree.text(given.value) in ('"zeros"', "'zeros'"):
                return (tree.replaced(given.value, '"glorot_uniform"'),)
    return ()
