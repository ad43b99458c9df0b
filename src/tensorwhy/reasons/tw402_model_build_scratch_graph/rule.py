"""Keras ran a layer on trial, in a graph that it throws away, and something of that run was kept."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = about(
    __name__,
    summary="Keras traced `call()` in a temporary graph to build a model or layer, and the program kept a tensor "
    "of that run.",
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, LeakedTensor) or fact.tensor.graph.kind != "scratch" or fact.variable is not None:
        return None
    if fact.lifted:
        return None  # nothing was kept: the trial run itself goes on
    subject = _leaks.subject(fact, case)
    call = fact.tensor.graph.call
    private = all(holder.private for holder in fact.holders)
    own = private and call is not None and _from_build(call, case)
    escape = None if own else fact.escape
    where = call if own else escape or fact.tensor.created or call
    label = (
        "keeps a tensor that exists only while Keras builds the model"
        if where is not call
        else "Keras calls `call()` symbolically here"
    )
    return Evidence(
        message=f"`{subject}` was created while Keras called `call()` symbolically, in a temporary graph, "
        f"and was {_leaks.used_words(fact)}",
        primary=Marked.at(where, label, "escaped") if where is not None else None,
        related=_leaks.elsewhere(
            where,
            _leaks.created(fact),
            Marked.at(call, "Keras calls `call()` symbolically here", "built") if call is not None else None,
            _leaks.used(fact),
        ),
        target=_leaks.target(fact, case),
        notes=_leaks.holder_notes(fact),
        fixes=_fixes(fact, own),
    )


def _from_build(call: Location, case: Case) -> bool:
    """True if the trial run was asked for by a model's own `build`; a function of that name may build anything."""
    if call.function.rpartition(".")[2] != "build":
        return False
    statement = case.sources.statement(call)
    asked = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call)) if statement is not None else ()
    return any(
        each.attr == "build" if isinstance(each, ast.Attribute) else isinstance(each, ast.Name) and each.id == "self"
        for each in asked
    )


def _fixes(fact: LeakedTensor, own: bool) -> tuple[Fix, ...]:
    """`own`: the user's own `build()` asked for the trial run, and what was kept is Keras' own."""
    if own:
        return (
            Fix(
                summary="do not call `build()` of `Model` from a subclass: build the layers, and set "
                "`self.built = True`; or let the first batch build the model"
            ),
        )
    if fact.reset:
        return (
            Fix(
                summary=f"call `{fact.reset}()` at the start of every call, because the object keeps the tensor "
                "until then; "
                "or use the Keras layer for it, which does so"
            ),
        )
    if fact.handed:
        return (_leaks.handed_back(fact),)
    cached = _leaks.cached_otherwise(fact)
    if cached is not None:
        return (cached, Fix(summary="or remove the cache: each trace then creates its own tensor"))
    if fact.escape is not None and fact.escape.function.endswith("build"):
        there = "in `build()` with NumPy, or within `with tf.init_scope():`"
        if fact.constant or fact.collected:
            return (
                Fix(summary=f"create constants {there}, outside any graph"),
                Fix(summary="or compute them in `call`, every time"),
            )
        # Made once, it would have a value, and the weights in it no gradient.
        return (
            Fix(summary="compute it in `call` every time: a value stored by `build` does not follow the weights"),
            Fix(summary=f"or, if it does not depend on weights, create it {there}, outside any graph"),
        )
    outside = _leaks.made_outside(fact)
    if outside is not None:
        return (outside, Fix(summary="or compute it in every call"))
    return (
        Fix(summary="compute the tensor in every call, in a local variable"),
        Fix(
            summary="if it is state, create it in `build()` with `self.add_weight(..., trainable=False)`, "
            "and `assign` to it",
            caveat="an assigned value carries no gradient to the next call",
        ),
    )
