"""A tensor of one tf.Graph met another graph."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import EagerInGraph, ForeignGraph
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _leaks
from tensorwhy.reasons.tw404_other_graph import eager_values
from tensorwhy.source.reading import last_name

META = about(
    __name__, summary="A tensor of one `tf.Graph`, or an eager one, was used with another graph or session, or eagerly."
)

_RENEWING = ("reset_default_graph", "clear_session")


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if isinstance(fact, EagerInGraph):
        return eager_values.evidence(fact)
    if not isinstance(fact, ForeignGraph) or (fact.thread and not fact.eager):
        return None
    if not fact.tensor.name:
        return _of_a_dataset(fact)
    name = fact.text or _leaks.tensor_name(fact.tensor, case, fact.used)
    if fact.eager:
        where = "was used eagerly"
    elif fact.session:
        where = "was given to a session of another graph"
    else:
        other = _leaks.tensor_name(fact.other, case, fact.used) if fact.other is not None else ""
        where = f"was used with `{other}`, which belongs to another graph" if other else "was used in another graph"
    created, other_made = fact.tensor.created, fact.other.created if fact.other is not None else None
    return Evidence(
        message=f"`{name}` belongs to one `tf.Graph`, and {where}",
        primary=Marked.at(fact.used, f"`{name}` belongs to another graph", "used"),
        related=_leaks.elsewhere(
            fact.used,
            Marked.at(created, f"`{name}` was created here", "created") if created is not None else None,
            Marked.at(other_made, "created here, in the other graph", "other") if other_made is not None else None,
            Marked.at(fact.opened, "the session is opened here, on the default graph", "opened")
            if fact.opened is not None
            else None,
        ),
        target=TensorRef(
            name=name, kind="symbolic", dtype=fact.tensor.dtype, shape=fact.tensor.shape, location=created
        ),
        fixes=(*_kept(fact, case), *_fixes(fact)),
    )


def _kept(fact: ForeignGraph, case: Case) -> tuple[Fix, ...]:
    """What the program itself calls that puts a new default graph in the place of the one before."""
    files = (each.file for each in (fact.used, fact.tensor.created) if each is not None)
    for file in dict.fromkeys(files):
        tree = case.sources.tree(file)
        for node in ast.walk(tree) if tree is not None and not fact.eager else ():
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, (ast.Attribute, ast.Name)) and last_name(called) in _RENEWING:
                where = f"`{ast.unparse(called)}()` (line {called.lineno})"
                summary = (
                    f"do not call {where} between building a model and using it, because it opens a new default graph"
                )
                return (Fix(summary=summary, caveat="this works only if it is not called in between"),)
    return ()


def _of_a_dataset(fact: ForeignGraph) -> Evidence:
    name = f"`{fact.text}`" if fact.text else "the dataset"
    return Evidence(
        message=f"{name} is a dataset of one graph, but an iterator over it was requested in another graph",
        primary=Marked.at(fact.used, f"{name} belongs to another graph", "used"),
        fixes=(
            Fix(
                summary="create the dataset in the function that creates its iterator, so that both belong to one graph"
            ),
        ),
    )


def _fixes(fact: ForeignGraph) -> tuple[Fix, ...]:
    if fact.session:
        name = fact.text if fact.text.isidentifier() else "tensor"
        return (
            Fix(summary=f"open the session on the graph of the tensor: `tf.compat.v1.Session(graph={name}.graph)`"),
        )
    if fact.eager:
        return (
            Fix(summary="run the graph in a session, and use the resulting value"),
            Fix(summary="if this should be a part of that graph, build it under the same `with graph.as_default():`"),
            Fix(summary="remove `tf.Graph`: TensorFlow 2 executes eagerly, and `tf.function` creates graphs"),
        )
    return (Fix(summary="build both under the same `with graph.as_default():`"),)
