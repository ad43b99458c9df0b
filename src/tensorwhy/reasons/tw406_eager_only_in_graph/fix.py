"""Stays in the graph: TensorFlow's function in the place of NumPy's or Python's."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import syntax, twins
from tensorwhy.model.facts.graph import EagerOnlyInGraph
from tensorwhy.model.report import Edit, Fix

_WRONG = "wrong where a plain number is needed: a shape, a file name, a log"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The twin of a NumPy call; `.numpy()` left out; `float(x)` as a cast; `len(x)` as `tf.shape(x)[0]`."""
    fact = case.fact
    if not isinstance(fact, EagerOnlyInGraph):
        return
    edits = _edits(fact, case)
    if not edits or fact.operation in ("length",) or fact.twin or fact.name.startswith("predict"):
        yield from worded(evidence, edits, caveat=_WRONG)
        return
    summary = "leave it a tensor: TensorFlow's functions take it as it is"
    yield Fix(summary=summary, edits=edits, caveat=_WRONG)
    yield from evidence.fixes


def _edits(fact: EagerOnlyInGraph, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.used.file, case.sources)
    if tree is None:
        return ()
    tf = tree.spelled("tensorflow")
    if fact.operation == "length" and tf:
        calls = [call for call in tree.at(fact.used, cst.Call) if tree.text(call.func) == "len" and len(call.args) == 1]
        return tuple(tree.replaced(call, f"{tf}.shape({tree.text(call.args[0].value)})[0]") for call in calls[:1])
    if fact.operation in ("method", "numpy", "call", "truth"):
        place = tree.statements_at(fact.used)[-1:]
        return twins.kept(fact.used, None, case.sources) or twins.all_of(tree, place)
    return ()
