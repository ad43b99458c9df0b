"""TW120 tape-consumed: a tape that may be asked once was asked again."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import marked
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A non-persistent tape was asked twice. It forgets everything after its first answer.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when a tape that had given itself up was asked again, and no other tape was meant by the same name."""
    fact = case.fact
    if not isinstance(fact, ConsumedRecorder) or fact.hidden is not None:
        return None
    name = f"`{fact.name}`" if fact.name else "this tape"
    place = fact.opened or fact.location
    return Evidence(
        message=f"{name} was asked for a second gradient, but a non-persistent tape answers only once",
        primary=Marked.at(place, f"{name} is not persistent"),
        related=(
            *marked(fact.first, "this call uses up the tape", "first"),
            *(marked(fact.location, "asked again here", "asked") if fact.opened is not None else []),
        ),
        fixes=(
            Fix(
                summary="ask for all gradients in one call, with a list of sources",
                caveat="if the targets differ, one call returns the sum of their gradients",
            ),
        ),
    )
