"""Keras ran a layer on trial, in a graph that it throws away, and something of that run was kept."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = ReasonMeta(
    code="TW402",
    slug="model-build-scratch-graph",
    family="graph",
    summary="Keras traced `call()` in a throw-away graph to build a model or layer, and a tensor of that run was kept.",
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, LeakedTensor) or fact.tensor.graph.kind != "keras-scratch" or fact.variable is not None:
        return None
    if fact.lifted:
        return None  # nothing was kept: the trial run itself goes on
    subject = _leaks.subject(fact, case)
    call = fact.tensor.graph.call
    private = all(holder.private for holder in fact.holders)
    where = fact.escape or (call if private else None) or fact.tensor.created or call
    stored = f": `{_leaks.code(fact.escape, case)}` kept it" if fact.escape is not None else ""
    label = "kept from Keras' trial run" if where is fact.escape else "Keras runs `call()` on trial here"
    return Evidence(
        message=f"`{subject}` was made while Keras ran `call()` on trial, in a graph that it then threw away, "
        f"and was {_leaks.used_words(fact)}{stored}",
        primary=Marked.at(where, label, "escaped") if where is not None else None,
        related=_leaks.elsewhere(
            where,
            _leaks.created(fact),
            Marked.at(call, "Keras runs `call()` on trial here", "built") if call is not None else None,
            _leaks.used(fact),
        ),
        target=_leaks.target(fact, case),
        notes=_leaks.holder_notes(fact),
        fixes=_fixes(private, fact.escape is not None and fact.escape.function.endswith("build")),
    )


def _fixes(private: bool, building: bool) -> tuple[Fix, ...]:
    if building:
        return (
            Fix(
                summary="make constants in `build()` with NumPy, or within `with tf.init_scope():`: "
                "then they belong to no graph"
            ),
            Fix(summary="or compute them in `call`, every time"),
        )
    if private:
        return (
            Fix(
                summary="do not call `build()` of `Model` from a subclass: build the layers, and set "
                "`self.built = True`; or let the first batch build the model"
            ),
        )
    return (
        Fix(summary="compute the tensor in every call, and pass it on by arguments and return values"),
        Fix(
            summary="if it is state, make it in `build()` with `self.add_weight(..., trainable=False)`, "
            "and `assign` to it",
            caveat="an assigned value carries no gradient to the next call",
        ),
    )
