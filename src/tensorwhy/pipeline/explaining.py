"""Findings become diagnoses. The catalogue is loaded for the first finding: a healthy program does not pay for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tensorwhy.pipeline.budget import Allowance
from tensorwhy.recording.importing import uncollected

if TYPE_CHECKING:
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.report import Diagnosis
    from tensorwhy.pipeline.internal_errors import InternalErrors
    from tensorwhy.source.files import Sources

_DRAWN = 2_000
"""Nodes that the lineage of one diagnosis has in a report."""

SECONDS = 4.0
"""Of the processor, for putting findings into words: a usual one takes milliseconds."""

Explained = tuple["tuple[Diagnosis, ...]", "dict[str, dict[int, str]]"]
"""The diagnoses, and by file and line the source that they show."""


@uncollected()  # nothing of what is loaded and read here is garbage
def explained(
    groups: list[CaseGroup],
    errors: InternalErrors,
    sources: Sources | None = None,
    seconds: float = SECONDS,
    edits: bool = True,
) -> Explained:
    """Why this happened. `sources` are given where they have read the files already.

    When the `seconds` are over, further findings and pictures of their lineages are left out.
    Without `edits`, no fix is written for the program.
    """
    if not groups:
        return (), {}
    with errors.bulkhead("explaining"):
        from tensorwhy.diagnosis.engine import diagnose
        from tensorwhy.diagnosis.excerpts import excerpts
        from tensorwhy.reasons import catalogue
        from tensorwhy.source.files import Sources

        sources, reasons = sources or Sources(), catalogue()
        allowance = Allowance(seconds)
        diagnosed = diagnose(groups, reasons, sources, allowance.spent, edits)
        errors.add(diagnosed.lost)
        if diagnosed.skipped:
            skipped = f"{diagnosed.skipped:,} of {len(groups):,} findings were skipped"
            errors.add([f"{skipped}: explaining them takes more than {seconds:g} s"])
        return tuple(map(_bounded, diagnosed.diagnoses)), excerpts(diagnosed.diagnoses, sources)
    return (), {}


def _bounded(diagnosis: Diagnosis) -> Diagnosis:
    """With a lineage of a size that a report can hold: long stretches in which nothing happens become summaries."""
    if diagnosis.lineage is None or len(diagnosis.lineage.nodes) <= _DRAWN:
        return diagnosis
    from tensorwhy.rendering.html.lineage import summarise

    return msgspec.structs.replace(diagnosis, lineage=summarise(diagnosis.lineage, _DRAWN))
