"""TW204 zero-masked: everything is multiplied by zeros: a mask or weights that keep nothing."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis import factors, signal
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import Made, SignalBreak
from tensorwhy.model.facts.training import EmptyWeights
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.reading import node_at

META = about(
    __name__,
    summary="The trained value is multiplied by a mask or by weights that are zero for every element.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a product or a selection lets no element through, or `fit` was given weights that are all zero."""
    product = signal.of_kind(case, "zero", ("other-zero", "selected-away"))
    if product is not None:
        return _product(case, product)
    fact = case.fact
    if isinstance(fact, EmptyWeights):
        return _weights(case, fact)
    return None


def _weights(case: Case, fact: EmptyWeights) -> Evidence | None:
    primary = fact.made or fact.given
    if primary is None:
        return None
    names = case.sources.names(fact.made) if fact.made is not None else ()
    name = f"`{names[0]}`" if len(names) == 1 else f"`{fact.argument}`"
    given = fact.given if fact.made is not None else None
    return Evidence(
        message=f"every gradient of this training is zero: {name}, passed as `{fact.argument}`, is zero everywhere",
        primary=Marked.at(primary, f"all {fact.count} weights are zero", "mask"),
        related=(Marked.at(given, f"the loss is multiplied by them as `{fact.argument}`", "used"),) if given else (),
        fixes=(
            Fix(
                summary=f"check how {name} is computed: keys or labels of another type, a comparison that is never true"
            ),
        ),
    )


def _product(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    others = [each for each in fact.operation.others if each.all_zero]
    count = f"all {others[0].size} elements" if others else "every element"
    number = fact.operation.has_number
    if fact.why == "selected-away":
        why, label = f"{name} selects the other values for every element", "no element is selected from this branch"
    else:
        why = f"it is multiplied by the other factor of {name}, which is zero in {count}"
        label = f"multiplied by zeros: the other factor is zero in {count}"
    made, location, factor = fact.zeros, None, ""
    related: tuple[Marked, ...] = ()
    if made is not None and made.location is not None:
        location, label = made.location, _never(case, made) or f"the zeros are created here: {signal.made_words(made)}"
        names = case.sources.names(made.location)
        factor = names[0] if len(names) == 1 else factors.mask(case.sources, location, _is_looked_up(made))
    elif (
        fact.why == "other-zero"
        and fact.location is not None
        and len(fact.operation.inputs) == 2
        and not fact.operation.layer
    ):
        location, factor = factors.factor(case.sources, fact.location, 1 - fact.operation.at, number)
        if fact.uses and number:
            return _beside(case, fact, factor)
        label = f"`{factor}` is zero: {count}" if factor else label
    if factor and fact.why == "other-zero":
        why = f"it is multiplied by `{factor}`, which is zero{'' if number else f' in {count}'}"
    if location is not None:
        related = words.marks((fact.location, "multiplied here", "used"), primary=location)
    return signal.evidence(
        case,
        fact,
        why,
        label,
        (
            Fix(
                summary=_check(case, made) or "check what computes these zeros: its condition, or the range of its ids",
                caveat="unless the mask is meant to be empty for these batches; then skip the batches",
            ),
        ),
        location=location,
        related=related,
    )


def _beside(case: Case, fact: SignalBreak, factor: str) -> Evidence:
    """The values go on where no gradient comes back, and a product with 0 is the only other way to the target."""
    text = case.sources.expression(fact.uses[0])
    what = f"`{text}`" if text and "\n" not in text else "this operation"
    why = f"{what} has no gradient, and beside it there is only a product with `{factor or '0'}`, which is zero"
    fix = f"replace {what} by something smooth, such as a sigmoid of the difference that it looks at"
    return signal.evidence(
        case,
        fact,
        why,
        "no gradient comes through here",
        (Fix(summary=fix, caveat="unless the loss should not depend on it; then do not train these"),),
        location=fact.uses[0],
        related=words.marks((fact.location, "multiplied by zero here", "used"), primary=fact.uses[0]),
    )


def _is_looked_up(made: Made) -> bool:
    return made.op.startswith("LookupTableFind")


def _comparison(case: Case, made: Made | None) -> ast.Compare | None:
    """A comparison that made the zeros, where the values of what was compared are known."""
    node = node_at(made.location, case.sources) if made is not None and made.location is not None else None
    if made is None or not isinstance(node, ast.Compare) or len(node.ops) != 1 or not made.inputs:
        return None
    return node if made.inputs[0] is not None and made.inputs[0].size else None


def _never(case: Case, made: Made | None) -> str:
    node = _comparison(case, made)
    return f"`{ast.unparse(node)}` is never true: `{ast.unparse(node.left)}` {_range(made)}" if node is not None else ""


def _check(case: Case, made: Made | None) -> str:
    node = _comparison(case, made)
    if node is None:
        return ""
    said = f"compare with a value that `{ast.unparse(node.left)}` has"
    if isinstance(node.ops[0], ast.Eq):
        value = ast.unparse(node.comparators[0])
        said += f", or write `!=` if `{value}` marks elements to leave out"
    return said


def _range(made: Made | None) -> str:
    given = made.inputs[0] if made is not None and made.inputs else None
    if given is None:
        return ""
    low, high = signal.short(given.low), signal.short(given.high)
    return f"is {low}" if low == high else f"is between {low} and {high}"
