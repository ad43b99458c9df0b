"""The source lines that a report shows, so that it can be rendered where the program is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tensorwhy.model.location import Location
from tensorwhy.model.report import Diagnosis
from tensorwhy.source.files import Sources

_CONTEXT = 2
_LONGEST = 12


def excerpts(diagnoses: Iterable[Diagnosis], sources: Sources) -> dict[str, dict[int, str]]:
    """File, then line number, then text, for every place that the diagnoses name or edit; primaries with context."""
    wanted: dict[str, set[int]] = {}
    for diagnosis in diagnoses:
        for location in _places(diagnosis):
            last = min(location.end_line or location.line, location.line + _LONGEST)
            wanted.setdefault(location.file, set()).update(range(location.line, last + 1))
        for edit in (edit for fix in diagnosis.fixes for edit in fix.edits):
            last = min(edit.end.line, edit.start.line + _LONGEST)
            wanted.setdefault(edit.file, set()).update(range(edit.start.line, last + 1))
        if (primary := diagnosis.primary) is not None:
            around = range(max(1, primary.line - _CONTEXT), (primary.end_line or primary.line) + _CONTEXT + 1)
            wanted[primary.file].update(around[: _LONGEST + 2 * _CONTEXT])
    found = {}
    for file in sorted(wanted):
        lines = sources.lines(file)
        text = {number: lines[number - 1].rstrip("\r\n") for number in sorted(wanted[file]) if number <= len(lines)}
        if text:
            found[file] = text
    return found


def _places(diagnosis: Diagnosis) -> Iterator[Location]:
    steps = [step.location for step in diagnosis.path]
    drawn = [node.location for node in diagnosis.lineage.nodes] if diagnosis.lineage is not None else []
    refs = [ref.location for ref in (diagnosis.target, diagnosis.source, *diagnosis.also) if ref is not None]
    for place in (diagnosis.primary, *diagnosis.related, diagnosis.symptom.location, *steps, *drawn, *refs):
        if place is not None:
            yield place
