"""TW206 zero-cancelled: the terms cancel by construction: the target does not depend on the source's value."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.asked import target_words
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, what
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW206",
    slug="zero-cancelled",
    family="zero-gradient",
    summary="Terms cancel, whatever the values are: a thing minus itself, a softmax of one element or added up again.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation has the same tensor on both sides, or normalises over a single element."""
    sums = signal.of_kind(case, "zero", ("one-element", "cancelled", "balanced"))
    if sums is not None:
        return _sums(case, sums)
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "cancelled" or as_it_should_be(fact):
        return None
    said = _said(fact)
    if said is None:
        return _over_one_class(fact, case)
    why, label, advice = said
    fixes = (*((_ONE_WAY,) if fact.ways and not fact.layer_name else ()), Fix(summary=advice))
    return evidence(case, fact, message=f"{what(case, fact)}: {why}", label=label, fixes=fixes)


def _said(fact: ZeroGradient) -> tuple[str, str, str] | None:
    """Why it is zero, what to say at the line, and what to do; None for a cross-entropy over one class."""
    if fact.ways:
        return (
            "what several operations make of one value cancels out exactly",
            f"in layer `{fact.layer_name}` all that is put in cancels"
            if fact.layer_name
            else "here its ways to the loss cancel",
            "normalise over more than one element: a value minus its own mean is zero "
            "(a batch of one sample, an axis of length one)",
        )
    if fact.twice:
        return (
            "a value is compared with itself, computed a second time",
            "both sides are computed in the same way from the same weights: they are always equal",
            "take one of the two as it was before the update: the number that was stored when it was computed, "
            "the result of a copy of the model, or `tf.stop_gradient` of it",
        )
    if fact.op in ("Sub", "SquaredDifference"):
        return (
            "a tensor is compared with itself",
            "the same tensor on both sides: the difference is always zero",
            "compare it with the other tensor that was meant",
        )
    if fact.op in ("RealDiv", "Div", "DivNoNan"):
        return (
            "a tensor is divided by itself",
            "the same on both sides: the quotient is always one",
            "divide by the other tensor that was meant",
        )
    if fact.summed == "LogSoftmax":
        return (
            "log-probabilities that are weighed by the probabilities themselves have gradients that add up to zero",
            "summed over all choices, each weighed by its own probability: the gradients cancel",
            "take the log-probability of the choice that was made, "
            "or give each choice a return of its own before the sum",
        )
    if fact.summed:
        return (
            "what a softmax gives always adds up to one",
            "summed over the axis of the softmax: the same number for every input",
            "weigh the probabilities before they are summed, or sum over another axis",
        )
    if "CrossEntropy" in fact.op:
        return None
    layer = f" of layer `{fact.layer_name}`" if fact.layer_name else ""
    return (
        f"a softmax{layer} over one element is always one",
        f"the softmax{layer} runs over one element, and gives 1 for every input",
        "for two classes use one unit with a sigmoid, or two units with a softmax",
    )


def _over_one_class(fact: ZeroGradient, case: Case) -> Evidence:
    target = target_words(case.sources, fact.question)
    return evidence(
        case,
        fact,
        message=f"{'the loss' if target == 'the target' else target} is the same whatever the model gives: "
        "a cross-entropy over one class takes it for certain",
        label="this cross-entropy runs over one unit, whose share of the whole is always one",
        fixes=(
            Fix(summary="for one unit with a sigmoid take the binary cross-entropy"),
            Fix(summary="or give the last layer one unit for each class, and a softmax"),
        ),
    )


_ONE_WAY = Fix(
    summary="let the gradient go one of these ways only: what was sampled is data for its own log-probability "
    "(`tf.stop_gradient`)"
)


def _sums(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    if fact.why == "one-element":
        given = fact.inputs[fact.at]
        shape = f" (shape {given.shape})" if given is not None else ""
        return signal.evidence(
            case,
            fact,
            f"{name} normalizes over an axis of size 1, so its result does not depend on what goes in",
            f"the axis has size 1{shape}: the result is the same for every input",
            (
                Fix(
                    summary="normalize over the axis that holds the alternatives, or take a sigmoid for one unit",
                    caveat="where one alternative is all there is, nothing can be learned here",
                ),
            ),
        )
    if fact.why == "balanced":
        return signal.evidence(
            case,
            fact,
            f"what comes back to {name} is the same for all that it normalizes together, and cancels",
            "the gradients of all alternatives are equal here, and add up to zero",
            (Fix(summary="weigh the alternatives before they are summed"),),
        )
    return signal.evidence(
        case,
        fact,
        "what its several uses hand back cancels",
        f"the last of several uses whose gradients add up to zero ({name})",
        (
            Fix(
                summary="check the uses: a value minus itself, a sample that moves with its own mean, "
                "or probabilities that are summed up again; put `tf.stop_gradient` around the one that is data",
                caveat="at an optimum the terms of a gradient cancel, too",
            ),
        ),
    )
