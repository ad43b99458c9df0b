"""TW204 zero-masked: everything is multiplied by zeros: a mask or weights that keep nothing."""

from __future__ import annotations

from tensorwhy.diagnosis import factors, signal
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, what
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.training import EmptyWeights
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW204",
    slug="zero-masked",
    family="zero-gradient",
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
    if not isinstance(fact, ZeroGradient) or fact.kind != "masked" or as_it_should_be(fact):
        return None
    location, name = fact.location, ""
    if location is not None and fact.factor >= 0:
        location, name = factors.factor(case.sources, location, fact.factor)
    elif location is not None:
        name = factors.mask(case.sources, location, fact.op.startswith("LookupTableFind"))
    mask = f"`{name}`" if name else "the mask"
    return evidence(
        case,
        fact,
        location=location,
        related=words.marks((fact.location, "multiplied here", "used"), primary=location),
        message=f"{what(case, fact)}: {mask} is zero everywhere, and the product with it is zero too",
        label=f"{mask} passes no gradient: "
        f"{signal.made_words(fact.made) if fact.made is not None else 'every element is zero'}",
        fixes=(
            Fix(
                summary=f"check how {mask} is computed: is its condition inverted, are its keys those of the data?",
                caveat="unless the mask is meant to be empty for these batches",
            ),
        ),
    )


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
    others = [each for at, each in enumerate(fact.inputs) if at != fact.at and each is not None and each.all_zero]
    count = f"all {others[0].size} elements" if others else "every element"
    if fact.why == "selected-away":
        why, label = f"{name} selects the other values for every element", "no element is selected from this branch"
    else:
        why = f"the other factor of {name} is zero in {count}"
        label = f"multiplied by zeros: the other factor is zero in {count}"
    made, location = fact.zeros, None
    related: tuple[Marked, ...] = ()
    if made is not None and made.location is not None:
        location, label = made.location, f"the zeros are created here: {signal.made_words(made)}"
        related = words.marks((fact.location, "multiplied here", "used"), primary=location)
    return signal.evidence(
        case,
        fact,
        why,
        label,
        (
            Fix(
                summary="check what computes these zeros: the condition, the ids and their range, the keys",
                caveat="unless the mask is meant to be empty for these batches",
            ),
        ),
        location=location,
        related=related,
    )
