"""TW205 zero-initialised: weights that start at zero keep each other's gradients at zero."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import evidence, what
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW205",
    slug="zero-initialised",
    family="zero-gradient",
    summary="Weights that are multiplied by each other start at zero and keep each other's gradients at zero.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when what multiplies the way is a variable that is zero everywhere and itself gets only zeros."""
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "initial" or fact.variable is None:
        return None
    name = variable_name(case.sources, fact.variable.name, fact.location)
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: it is multiplied by `{name}`, which starts at zero and stays zero",
        label=f"`{name}` starts at zero, and its own gradient is zero too",
        fixes=(
            Fix(
                summary=f"initialize `{name}` with small random numbers; that is enough: what it is multiplied by may "
                "stay zero",
                caveat="biases may start at zero, and so may the last layer of a residual branch",
            ),
        ),
    )
