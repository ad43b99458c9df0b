"""Lets the gradient pass straight through a step function, or through a choice of the largest."""

from __future__ import annotations

from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import rounding, syntax
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Edit, Fix
from tensorwhy.reasons.tw106_non_differentiable_op.rule import loop_over_data
from tensorwhy.source.concrete import nodes as cst

_COMPARISONS = ("Greater", "GreaterEqual")
_AS = {
    "ArgMax": "(as the gradient of a softmax)",
    "FloorDiv": "(as the gradient of a division)",
    **dict.fromkeys(_COMPARISONS, "(`x + stop_gradient(cast(x > limit) - x)`)"),
}


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`x + stop_gradient(round(x) - x)`, or of `cast(x > 0.5)`; for a one-hot choice, with the softmax."""
    fact = case.fact
    if not isinstance(fact, NotPassed):
        return
    op = as_written(fact.op, fact.location, case.sources)
    found = rounding.step(fact.location, case.sources)
    if fact.op in ("Equal", "NotEqual"):
        found = None  # a rounding in the same line has a finding of its own
    if fact.op in _COMPARISONS:
        found = rounding.threshold(fact.location, case.sources)
    edits = rounding.straight_through(*found) if found else _soft_choice(case, fact)
    if fact.op == "FloorDiv":
        edits = rounding.floored(fact.location, case.sources)
    if edits:
        yield Fix(
            summary=f"keep the value of {op}, and pass the gradient straight through it "
            + (_AS.get(fact.op, "(`x + stop_gradient(f(x) - x)`)")),
            edits=edits,
            caveat="the gradient is then an approximation, which ignores this operation",
        )
    if loop_over_data(case, fact):
        yield Fix(
            summary="loop over the dataset in Python: remove `tf.function` from the function with the loop, and "
            "trace the work on one batch instead"
        )
        return
    if "Dataset" in fact.op:
        yield Fix(
            summary="iterate over the dataset in a Python loop, outside any traced function: no tape records inside "
            "the dataset's functions"
        )
        return
    position = rounding.soft_position(fact.location, case.sources) if fact.op == "ArgMax" and not edits else None
    if position is not None:
        yield Fix(
            summary=f"keep the position, with the gradient of a mean position that a softmax weights: {position[0]}",
            edits=position[1],
            caveat="the gradient is then an approximation, and the position a floating-point number",
        )
    instead = f"replace {op} with a smooth function, or define its gradient"
    if fact.kind == "unregistered" or fact.argument:
        which = f" for `{fact.argument}`" if fact.argument else ""
        instead = f"use operations that have a gradient{which} instead of {op}, or define one for it"
    yield Fix(
        summary=f"{instead} with `tf.custom_gradient`",
        caveat="unless the result of this is only a metric; then differentiate the loss, without it",
    )


def _soft_choice(case: Case, fact: NotPassed) -> tuple[Edit, ...]:
    """`one_hot(argmax(scores))` with the gradient of `softmax(scores)`."""
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    if tree is None or fact.op != "ArgMax":
        return ()
    chosen = [call for call in tree.at(fact.location, cst.Call) if syntax.called(call) == "argmax" and call.args]
    tf = tree.spelled("tensorflow")
    if len(chosen) != 1 or not tf:
        return ()
    axis = syntax.argument(chosen[0], 1, "axis")
    if axis is None or tree.text(axis.value) != "-1":
        return ()
    statement = tree.statement(chosen[0])
    bound = syntax.target(statement) if statement is not None else None
    name = tree.text(bound) if bound is not None else ""
    hot = [
        call
        for call in tree.inside(tree.scope(chosen[0]), cst.Call)
        if syntax.called(call) == "one_hot"
        and call.args
        and (tree.text(call.args[0].value) == name or call.args[0].value is chosen[0])
    ]
    if len(hot) != 1:
        return ()
    soft = f"{tf}.nn.softmax({tree.text(chosen[0].args[0].value)})"
    whole = f"{soft} + {tf}.stop_gradient({tree.text(hot[0])} - {soft})"
    return (tree.instead(hot[0], whole),)
