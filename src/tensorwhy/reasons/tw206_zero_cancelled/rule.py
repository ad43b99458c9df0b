"""TW206 zero-cancelled: the terms cancel by construction: the target does not depend on the source's value."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, target_of, what
from tensorwhy.model.facts.signal import Numbers, SignalBreak
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source.reading import node_at

META = ReasonMeta(
    code="TW206",
    slug="zero-cancelled",
    family="zero-gradient",
    summary="Terms cancel for all values: a tensor minus itself, a softmax over one element, a softmax that is summed.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation has the same tensor on both sides, or normalises over a single element."""
    sums = signal.of_kind(case, "zero", ("one-element", "cancelled", "balanced", "summed"))
    if sums is not None:
        return _sums(case, sums)
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "cancelled" or as_it_should_be(fact):
        return None
    said = _said(fact, case)
    if said is None:
        return _over_one_class(fact, case)
    why, label, advice = said
    fixes = (*((_ONE_WAY,) if fact.ways and not fact.layer_name else ()), Fix(summary=advice))
    return evidence(case, fact, message=f"{what(case, fact)}: {why}", label=label, fixes=fixes)


def _said(fact: ZeroGradient, case: Case) -> tuple[str, str, str] | None:
    """Why it is zero, what to say at the line, and what to do; None for a cross-entropy over one class."""
    if fact.ways:
        return (
            "several uses of one value cancel exactly",
            f"in layer `{fact.layer_name}`, all uses of its input cancel"
            if fact.layer_name
            else "its paths to the loss cancel here",
            "normalize over more than one element: a value minus its own mean is zero "
            "(a batch of one sample, an axis of length one)",
        )
    if fact.twice:
        return (
            "a value is compared with itself, computed a second time",
            "both sides are computed in the same way from the same weights, so they are always equal",
            "for one of the two, use its value from before the update: a stored number, "
            "the result of a copy of the model, or `tf.stop_gradient` of it",
        )
    if fact.op in ("Sub", "SquaredDifference"):
        return (
            f"{_operand(fact, case)} is compared with itself",
            "the same tensor on both sides: the difference is always zero",
            "compare it with a different tensor: the same one was probably passed twice by mistake",
        )
    if fact.op in ("RealDiv", "Div", "DivNoNan"):
        return (
            f"{_operand(fact, case)} is divided by itself",
            "the same on both sides: the quotient is always one",
            "divide by a different tensor: the same one was probably passed twice by mistake",
        )
    if fact.summed == "LogSoftmax":
        return (
            "the gradients of log-probabilities weighted by their own probabilities sum to zero",
            "summed over all choices, each weighted by its own probability: the gradients cancel",
            "use the log-probability of the choice that was made, "
            "or weight each choice by its own return before the sum",
        )
    if fact.summed:
        return (
            "the outputs of a softmax always sum to one",
            "summed over the axis of the softmax: the same number for every input",
            "weight the probabilities before the sum, or sum over another axis",
        )
    if "CrossEntropy" in fact.op:
        return None
    layer = f" of layer `{fact.layer_name}`" if fact.layer_name else ""
    return (
        f"a softmax{layer} over one element is always one",
        f"the softmax{layer} runs over one element, so it returns 1 for every input",
        "for two classes use one unit with a sigmoid, or two units with a softmax",
    )


def _operand(fact: ZeroGradient, case: Case) -> str:
    """Return the operand as the user wrote it, if it is written the same way on both sides."""
    node = node_at(fact.location, case.sources) if fact.location is not None else None
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Call):
        sides = [*node.args, *(each.value for each in node.keywords)][:2]
    texts = {ast.unparse(each) for each in sides}
    return f"`{texts.pop()}`" if len(sides) == 2 and len(texts) == 1 else "a tensor"


def _over_one_class(fact: ZeroGradient, case: Case) -> Evidence:
    return evidence(
        case,
        fact,
        message=f"{target_of(case, fact)} is the same for every model output: "
        "a cross-entropy over one class always gives it probability 1",
        label="this cross-entropy runs over one unit, whose probability is always 1",
        fixes=(
            Fix(summary="for one unit with a sigmoid, use the binary cross-entropy"),
            Fix(summary="or give the last layer one unit per class, and a softmax"),
        ),
    )


_ONE_WAY = Fix(
    summary="let the gradient take only one of these paths: a sample is data for its own log-probability, "
    "so wrap the sample in `tf.stop_gradient`"
)


def _sums(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    if fact.why == "one-element":
        given = fact.inputs[fact.at]
        shape = f" (shape {given.shape})" if given is not None else ""
        return signal.evidence(
            case,
            fact,
            f"{name} normalizes over an axis of size 1, so its result does not depend on its input",
            f"the axis has size 1{shape}: the result is the same for every input",
            (
                Fix(
                    summary=f"normalize over the axis that holds the alternatives{_longest(given)}, or use a sigmoid "
                    "for one unit",
                ),
            ),
        )
    if fact.why == "summed":
        return signal.evidence(
            case,
            fact,
            "a gradient is that of the sum over all elements, and here these cancel",
            "this adds up what each element of the target hands back",
            (
                Fix(
                    summary=f"for the derivative of each element use {fact.wording.each}",
                    caveat="where a sum is wanted, its gradient is zero: the sum is the same for all values",
                ),
            ),
        )
    if fact.why == "balanced":
        return signal.evidence(
            case,
            fact,
            f"the gradient that reaches {name} is the same for all elements that it normalizes together, so it cancels",
            "the gradients of all alternatives are equal here and sum to zero",
            (Fix(summary="weight the alternatives before the sum"),),
        )
    return signal.evidence(
        case,
        fact,
        "the gradients of its several uses cancel",
        f"its paths to the loss meet here, in {name}, and their gradients cancel"
        if fact.uses
        else f"the last of several uses whose gradients sum to zero ({name})",
        (
            Fix(
                summary="check its uses: a value minus itself, a sample that moves with its own mean, "
                f"or probabilities that are summed; put `{fact.wording.stop}` around the one that is data",
                caveat="at an optimum, the terms of a gradient cancel too",
            ),
        ),
        related=tuple(Marked.at(use, "one of the paths begins here", "use") for use in fact.uses),
    )


def _longest(given: Numbers | None) -> str:
    """The only other axis of a batch that has more than one element."""
    axes = [at for at, size in enumerate(given.shape) if at and size > 1] if given is not None else []
    return f" (axis {axes[0]} has size {given.shape[axes[0]]})" if given is not None and len(axes) == 1 else ""
