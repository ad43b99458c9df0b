"""Keeps state where Keras looks: in a list, or in an object that is a layer itself."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import layers, syntax
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst

_PLAIN = ("deque", "set", "frozenset", "OrderedDict", "SimpleNamespace")

_WRONG = "unless it is hidden on purpose; then set `trainable = False`"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`deque([a, b])` and `{a, b}` as `[a, b]`; `class Experts:` as a `keras.layers.Layer`."""
    fact = case.fact
    if isinstance(fact, Untracked) and fact.held.at is not None:
        yield from worded(evidence, _listed(fact, case) or _a_layer(fact, case) or _parts(fact, case), caveat=_WRONG)


def _listed(fact: Untracked, case: Case) -> tuple[Edit, ...]:
    assert fact.held.at is not None
    tree = syntax.tree(fact.held.at.file, case.sources)
    for statement in tree.statements_at(fact.held.at)[-1:] if tree is not None else ():
        assert tree is not None
        value = syntax.value(statement)
        if isinstance(value, cst.Set):
            return (tree.replaced(value, "[" + tree.text(value)[1:-1] + "]"),)
        if isinstance(value, cst.Call) and syntax.called(value) in _PLAIN and value.args:
            given = value.args[0].value
            text = tree.text(given)
            return (tree.replaced(value, text if isinstance(given, (cst.List, cst.Dict)) else f"list({text})"),)
    return ()


def _a_layer(fact: Untracked, case: Case) -> tuple[Edit, ...]:
    name = fact.held.container.removeprefix("object of class ")
    assert fact.held.at is not None
    for place in (fact.made, fact.held.at):
        tree = syntax.tree(place.file, case.sources) if place is not None else None
        for owner in tree.inside(tree.module, cst.ClassDef) if tree is not None else ():
            if tree is not None and owner.name.value == name and not owner.bases and not owner.decorators:
                return layers.of_plain_class(tree, owner)
    return ()


def _parts(fact: Untracked, case: Case) -> tuple[Edit, ...]:
    """For an object of a class that cannot become a layer, as that of a dataclass: what it is given."""
    if fact.held.at is None or not fact.held.container.startswith("object of class "):
        return ()
    tree = syntax.tree(fact.held.at.file, case.sources)
    for statement in tree.statements_at(fact.held.at)[-1:] if tree is not None else ():
        assert tree is not None
        function = tree.function(statement)
        if function is not None and function.name.value in ("__init__", "build"):
            return layers.of_parts(tree, statement, fact.foreign)
    return ()
