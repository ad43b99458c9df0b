"""Uses one and the same model in the computation and in the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import libcst as cst

from tensorwhy.diagnosis.asked import asked_sources
from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.fixes import syntax
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Edit, Fix

_WEIGHTS = ("trainable_variables", "trainable_weights", "variables", "weights")


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The model that the sources belong to, called in the place of its copy; or the copy's own weights as sources."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    asked = asked_sources(case.sources, fact.question)
    owner = asked.value if isinstance(asked, ast.Attribute) and asked.attr in _WEIGHTS else None
    name = ast.unparse(owner) if owner is not None else ""
    edits = _called_on(name, fact, case) if name else ()
    yield Fix(
        summary="use one and the same model in the computation and in the sources"
        + (f": call `{name}` here" if edits else ""),
        edits=edits,
        caveat="wrong where the copy is the one to train: then ask for the gradient of its weights",
    )


def _called_on(name: str, fact: GradientBreak, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    if tree is None:
        return ()
    calls = [
        call
        for statement in tree.statements_at(fact.location)
        for call in tree.inside(statement, cst.Call)
        if isinstance(call.func, (cst.Name, cst.Attribute)) and not tree.canonical(call.func) and call.args
    ]
    if len(calls) != 1 or tree.text(calls[0].func) == name:
        return ()
    return (tree.replaced(calls[0].func, name),)
