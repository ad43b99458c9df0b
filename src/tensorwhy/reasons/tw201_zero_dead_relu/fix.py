"""Takes an activation that is not flat below zero."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import syntax
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`relu` as `leaky_relu`, where the program names it."""
    places = [place for place in (evidence.primary, *evidence.related) if place is not None]
    edits = next(filter(None, (_leaky(place, case) for place in places)), ())
    return worded(evidence, (), edits, caveat="this changes the model")


def _leaky(place: Location, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(place.file, case.sources)
    if tree is None:
        return ()
    for call in tree.at(place, cst.Call):
        name = tree.canonical(call.func)
        if name in ("tensorflow.nn.relu", "keras.ops.relu", "keras.activations.relu") and len(call.args) == 1:
            assert isinstance(call.func, cst.Attribute)
            return (tree.replaced(call.func.attr, "leaky_relu"),)
        given = syntax.argument(call, 1 << 20, "activation")
        if given is not None and tree.text(given.value) in ('"relu"', "'relu'"):
            return (tree.replaced(given.value, '"leaky_relu"'),)
    return ()
