"""TW108 index-input: the source only steers an operation: which elements, which branch, which shape."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, target_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW108",
    slug="index-input",
    family="gradient",
    summary="The only way in is an index, condition, shape or limit input, and those get no gradient.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the input on the path is one that selects or shapes, and whose gradient is None."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "index-input" or fact.within_gradient:
        return None
    if fact.role == "own shape":
        return evidence(
            case,
            fact,
            message=f"{what(case, fact)}: only its shape goes into {target_of(case, fact)}, and none of its values",
            label="reads the shape, and nothing else",
            related=source_made(case, fact),
            fixes=(Fix(summary="compute the target from the values themselves"),),
        )
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: it only serves as the {fact.role} of {fact.op}, which gets no gradient",
        label=f"used here as the {fact.role} of {fact.op}"
        + (f" in layer `{fact.layer_name}`" if fact.layer_name else ""),
        related=[
            *source_made(case, fact),
            *marked(fact.chosen, f"it becomes {_FORM[fact.role == 'condition']} here, by {fact.chosen_by}", "chosen"),
        ],
        fixes=(
            *(_WEIGHTS if fact.chosen_by in _PICKING and fact.role != "condition" else ()),
            Fix(
                summary="let the source enter the result as a value: a weight, a mask in floating point, a soft choice",
                caveat="unless the choice is meant to be fixed: in that case do not ask for this gradient",
            ),
        ),
    )


_FORM = {False: "a whole number", True: "true or false"}
_PICKING = ("ArgMax", "ArgMin", "Multinomial", "StatelessMultinomial", "TopKV2")
_WEIGHTS = (
    Fix(
        summary="weigh all rows by `tf.nn.softmax(scores)` and add them up (`weights @ table`), in place of taking one",
        caveat="the result becomes a mixture of rows; with Gumbel noise and a low temperature it is close to one row",
    ),
)
