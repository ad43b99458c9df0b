"""Does the step on dense values."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import syntax
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst

_DENSE = {"reduce_max": "reduce_max", "reduce_sum": "reduce_sum", "softmax": "nn.softmax"}


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tf.sparse.reduce_max(x)` as `tf.reduce_max(tf.sparse.to_dense(x))`."""
    edits = _dense(case, evidence)
    if edits:
        yield Fix(
            summary=f"convert it to a dense tensor first: `{edits[0].replacement}({edits[1].replacement}, ...)`",
            edits=edits,
            caveat="missing elements then count as zeros, also in a maximum of negative values, and take memory",
        )
    else:
        yield from evidence.fixes


def _dense(case: Case, evidence: Evidence) -> tuple[Edit, ...]:
    place = evidence.primary
    tree = syntax.tree(place.file, case.sources) if place is not None else None
    if tree is None:
        return ()
    tf = tree.spelled("tensorflow")
    for call in tree.at(place, cst.Call):
        name = tree.canonical(call.func).removeprefix("tensorflow.sparse.")
        if name in _DENSE and call.args and tf:
            given = call.args[0].value
            return (
                tree.replaced(call.func, f"{tf}.{_DENSE[name]}"),
                tree.replaced(given, f"{tf}.sparse.to_dense({tree.text(given)})"),
            )
    return ()
