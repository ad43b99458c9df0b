"""TW206 zero-cancelled: the terms cancel by construction: the target does not depend on the source's value."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import Numbers, SignalBreak
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source.reading import last_name, node_at

META = about(
    __name__,
    summary="Terms cancel for all values: a tensor minus itself, a softmax over one element, a softmax that is summed.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation has the same tensor on both sides, or normalises over a single element."""
    fact = signal.of_kind(case, "zero", ("one-element", "cancelled", "constant", "itself", "balanced", "summed"))
    return _sums(case, fact) if fact is not None else None


def _operand(case: Case, fact: SignalBreak) -> str:
    """Return the operand as the user wrote it, if it is written the same way on both sides."""
    node = node_at(fact.location, case.sources) if fact.location is not None else None
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Call):
        sides = [*node.args, *(each.value for each in node.keywords)][:2]
    texts = {ast.unparse(each) for each in sides}
    return f"`{texts.pop()}`" if len(sides) == 2 and len(texts) == 1 else ""


def own_sample(case: Case, fact: SignalBreak) -> tuple[ast.expr, str] | None:
    """Return the sample that a distribution is asked the log-probability of, and its text as a constant."""
    node = node_at(fact.location, case.sources) if fact.location is not None else None
    if fact.why != "cancelled" or not isinstance(node, ast.Call) or last_name(node.func) != "log_prob":
        return None
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], (ast.Name, ast.Attribute)):
        return None
    text, stop = ast.unparse(node.args[0]), fact.wording.stop
    return node.args[0], f"{text}.{stop}" if stop.endswith("()") else f"{stop}({text})"


def _sums(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    if fact.why == "one-element":
        name = name if fact.operation.trait == "normalize" else "the loss"
        given = fact.operation.given
        shape = f" (shape {given.shape})" if given is not None else ""
        return signal.evidence(
            case,
            fact,
            f"{name} normalizes over an axis of size 1, so its result does not depend on its input",
            f"the axis has size 1{shape}: the result is the same for every input",
            (
                Fix(
                    summary=f"normalize over the axis of the classes or positions to choose from{_longest(given)}, "
                    "or use a sigmoid for one unit",
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
    if fact.why == "constant":
        return _over_one_class(case, fact)
    if fact.why == "balanced":
        return _balanced(case, fact, name)
    if fact.why == "itself":
        return _itself(case, fact)
    sample = own_sample(case, fact)
    return signal.evidence(
        case,
        fact,
        "the gradients of its several uses cancel",
        f"its paths to the loss meet here, in {name}, and their gradients cancel"
        if fact.uses
        else f"the last of several uses whose gradients sum to zero ({name})",
        (
            Fix(
                summary=f"use `{sample[1]}` here: a sample is data for its own log-probability",
                caveat="unless the loss should go back through the sample; then leave out its log-probability",
            )
            if sample is not None
            else Fix(
                summary="check its uses: a value minus its own mean over one element (a batch of one sample, an axis "
                "of size 1), a sample that moves with its own mean, "
                f"or probabilities that are summed; put `{fact.wording.stop}` around the one that is data",
                caveat="at an optimum, the terms of a gradient cancel too",
            ),
        ),
        related=tuple(Marked.at(use, "one of the paths begins here", "use") for use in fact.uses),
    )


def _balanced(case: Case, fact: SignalBreak, name: str) -> Evidence:
    """The result of a normalization is summed in a way that gives the same number for every input."""
    made = fact.operation.output
    logs, centred = (made is not None and made.low < 0 and (made.high > 0) is above for above in (False, True))
    if not fact.uses:
        why = (
            f"the gradient that reaches {name} is the same for all elements that it normalizes together, so it cancels"
        )
        label = "the gradients of all alternatives are equal here and sum to zero"
    elif centred:
        why = f"what was centred adds up to 0, whatever the values are, and {name} adds it up again"
        label = "over the same elements as the mean that was taken from them: the same number for every input"
    elif logs:
        why = "the gradients of log-probabilities weighted by their own probabilities sum to zero"
        label = "summed over all choices, each weighted by its own probability: the gradients cancel"
    else:
        why = "the outputs of a softmax always sum to one"
        label = "summed over the axis of the softmax: the same number for every input"
    advice = (
        "take the mean before the normalization, or another statistic after it: one that is not 0 by construction"
        if centred
        else "use the log-probability of the choice that was made, or weight each choice by its return before the sum"
        if logs
        else "weight the alternatives before the sum, or sum over another axis"
    )
    computed = "the values are centred here" if centred else "the probabilities are computed here"
    related = tuple(Marked.at(use, computed, "use") for use in fact.uses)
    return signal.evidence(case, fact, why, label, (Fix(summary=advice),), related=related)


def _itself(case: Case, fact: SignalBreak) -> Evidence:
    """A difference that is always zero, or a quotient that is always one."""
    operand = _operand(case, fact)
    kind = (
        "quotient is always one"
        if fact.operation.output is not None and fact.operation.output.low == 1
        else "difference is always zero"
    )
    if operand:
        why, label = f"{operand} is compared with itself", f"the same tensor on both sides: the {kind}"
        advice = "compare it with a different tensor: the same one was probably passed twice by mistake"
    else:
        why = "a value is compared with itself, computed a second time"
        label = f"both sides are computed in the same way from the same weights: the {kind}"
        advice = (
            "for one of the two, use its value from before the update: a stored number, "
            f"the result of a copy of the model, or `{fact.wording.stop}` of it"
        )
    return signal.evidence(case, fact, why, label, (Fix(summary=advice),))


def _over_one_class(case: Case, fact: SignalBreak) -> Evidence:
    found = signal.evidence(
        case,
        fact,
        "",
        "this cross-entropy runs over one unit, whose probability is always 1",
        (
            Fix(summary="for one unit with a sigmoid, use the binary cross-entropy"),
            Fix(summary="or give the last layer one unit per class, and a softmax"),
        ),
    )
    target = signal.target(case, fact)
    message = f"{target} is the same for every model output: it runs over one class, whose probability is always 1"
    return msgspec.structs.replace(found, message=message)


def _longest(given: Numbers | None) -> str:
    """The only other axis of a batch that has more than one element."""
    axes = [at for at, size in enumerate(given.shape) if at and size > 1] if given is not None else []
    return f" (axis {axes[0]} has size {given.shape[axes[0]]})" if given is not None and len(axes) == 1 else ""
