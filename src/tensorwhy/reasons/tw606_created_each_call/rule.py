"""TW606 created-each-call: what is made in a call ends with it."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.report import Fix

META = about(__name__, summary="A layer is created again in each call, and what it learns is thrown away.")


def match(case: Case) -> Evidence | None:
    """Holds where the line that made a source made what the target uses, too."""
    fact = case.fact
    if not isinstance(fact, Unused) or fact.use is None or fact.use.how != "made-again":
        return None
    return evidence(
        case,
        fact,
        location=fact.use.location,
        why=f"each call creates it again, and {target_of(case, fact)} uses the new one",
        label="creates a new variable each time it runs",
        related=marked(fact.use.other, "called again here, for this step", "other"),
        fixes=(
            Fix(
                summary="create it once, in `__init__` or `build`, and use that one in each call",
                caveat="unless a new random one is meant in each call; then None is correct",
            ),
        ),
    )
