"""TW206 zero-cancelled: the terms cancel by construction: the target does not depend on the source's value."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import target_words
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, what
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
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "cancelled" or as_it_should_be(fact):
        return None
    layer = f" of layer `{fact.layer_name}`" if fact.layer_name else ""
    ways: tuple[Fix, ...] = ()
    if fact.ways:
        why = "what several operations make of one value cancels out exactly"
        label = (
            "here its ways to the loss cancel"
            if not layer
            else f"in layer `{fact.layer_name}` all that is put in cancels"
        )
        if not layer:
            ways = (_ONE_WAY,)
        fix = Fix(
            summary="normalise over more than one element: a value minus its own mean is zero "
            "(a batch of one sample, an axis of length one)"
        )
    elif fact.twice:
        why = "a value is compared with itself, computed a second time"
        label = "both sides are computed in the same way from the same weights: they are always equal"
        fix = Fix(
            summary="take one of the two as it was before the update: the number that was stored when it was computed, "
            "the result of a copy of the model, or `tf.stop_gradient` of it"
        )
    elif fact.op in ("Sub", "SquaredDifference"):
        why, label = "a tensor is compared with itself", "the same tensor on both sides: the difference is always zero"
        fix = Fix(summary="compare it with the other tensor that was meant")
    elif fact.op in ("RealDiv", "Div", "DivNoNan"):
        why, label = "a tensor is divided by itself", "the same on both sides: the quotient is always one"
        fix = Fix(summary="divide by the other tensor that was meant")
    elif fact.summed == "LogSoftmax":
        why = "log-probabilities that are weighed by the probabilities themselves have gradients that add up to zero"
        label = "summed over all choices, each weighed by its own probability: the gradients cancel"
        fix = Fix(
            summary="take the log-probability of the choice that was made, "
            "or give each choice a return of its own before the sum"
        )
    elif fact.summed:
        why = "what a softmax gives always adds up to one"
        label = "summed over the axis of the softmax: the same number for every input"
        fix = Fix(summary="weigh the probabilities before they are summed, or sum over another axis")
    elif "CrossEntropy" in fact.op:
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
    else:
        why = f"a softmax{layer} over one element is always one"
        label = f"the softmax{layer} runs over one element, and gives 1 for every input"
        fix = Fix(summary="for two classes use one unit with a sigmoid, or two units with a softmax")
    return evidence(case, fact, message=f"{what(case, fact)}: {why}", label=label, fixes=(*ways, fix))


_ONE_WAY = Fix(
    summary="let the gradient go one of these ways only: what was sampled is data for its own log-probability "
    "(`tf.stop_gradient`)"
)
