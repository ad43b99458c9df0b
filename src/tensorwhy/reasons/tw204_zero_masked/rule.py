"""TW204 zero-masked: everything is multiplied by zeros: a mask or weights that keep nothing."""

from __future__ import annotations

from tensorwhy.diagnosis import factors
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, what
from tensorwhy.model.facts.training import EmptyWeights
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW204",
    slug="zero-masked",
    family="zero-gradient",
    summary="What is trained is multiplied by a mask, or by weights, that are zero for every element.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a product or a selection lets no element through, or `fit` was given weights that are all zero."""
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
        related=words.marks((fact.location, "here it is multiplied with", "used"), primary=location),
        message=f"{what(case, fact)}: {mask} is zero everywhere, and nothing of what it is multiplied with is left",
        label=f"{mask} lets nothing through: every element is zero",
        fixes=(
            Fix(
                summary=f"check how {mask} is made: its condition, its keys, and whether ones mean keep or drop",
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
        message=f"every gradient of this training is zero: {name}, given as `{fact.argument}`, is zero everywhere",
        primary=Marked.at(primary, f"all {fact.count} weights are zero", "mask"),
        related=(Marked.at(given, f"the loss is multiplied with them as `{fact.argument}`", "used"),) if given else (),
        fixes=(
            Fix(summary=f"check how {name} is made: keys or labels of another type, a comparison that never holds"),
        ),
    )
