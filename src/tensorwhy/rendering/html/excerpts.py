"""Turns marked locations into rows of annotated source: which lines to show, what to underline, where a label goes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from tensorwhy.model.location import Marked
from tensorwhy.model.report import Diagnosis

_LONGEST = 6  # lines of one mark that are shown; of a longer one, the first lines and the last

_SEEN = {
    "none-gradient": "this gradient is None",
    "zero-gradient": "this gradient is zero",
    "exception": "the exception was raised here",
    "warning": "the warning appeared here",
    "silent": "",
}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of one line: columns in code points, `end` exclusive."""

    start: int
    end: int
    primary: bool
    label: str = ""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of source with its marks, the leftmost first. `text` is None where the source is not known."""

    line: int
    text: str | None
    marks: tuple[Mark, ...] = ()
    after_gap: bool = False


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one file."""

    file: str
    rows: tuple[Row, ...]


def marks_of(diagnosis: Diagnosis) -> list[Marked]:
    """What to mark, the primary location first: also where the symptom was seen, unless that line is marked anyway."""
    marks = [diagnosis.primary] if diagnosis.primary is not None else []
    marks += [Marked.at(mark, mark.label or mark.role, mark.role) for mark in diagnosis.related]
    seen = diagnosis.symptom.location
    if seen is not None and not any(
        mark.file == seen.file and mark.line <= seen.line <= (mark.end_line or mark.line) for mark in marks
    ):
        marks.append(Marked.at(seen, _SEEN[diagnosis.symptom.kind]))
    return marks


def excerpts_of(marks: Sequence[Marked], sources: Mapping[str, Mapping[int, str]]) -> tuple[Excerpt, ...]:
    """The annotated source of what is marked. The first mark is the primary one, and its file comes first."""
    files = dict.fromkeys(mark.file for mark in marks)
    return tuple(
        _excerpt(file, [mark for mark in marks if mark.file == file], marks[0], sources.get(file, {})) for file in files
    )


def _excerpt(file: str, marks: Sequence[Marked], primary: Marked, known: Mapping[int, str]) -> Excerpt:
    found: dict[int, list[Mark]] = {}
    for location in marks:
        for line, mark in _marks(location, location is primary, known):
            found.setdefault(line, []).append(mark)
    lines = sorted(found | {line: [] for line in _context(found, known)})
    rows = []
    for previous, line in zip([None, *lines], lines, strict=False):
        row = Row(
            line=line,
            text=known.get(line),
            marks=tuple(sorted(found.get(line, ()), key=lambda mark: (mark.start, -mark.end))),
            after_gap=previous is not None and line > previous + 1,
        )
        rows.append(row)
    return Excerpt(file=file, rows=tuple(rows))


def _marks(location: Marked, primary: bool, known: Mapping[int, str]) -> list[tuple[int, Mark]]:
    """A location as one mark per line; its label stands at the last of them. Of a related one, the first line will do:
    it may be a whole `with` or function.
    """
    last = max(location.line, location.end_line or location.line)
    if not primary:
        last = location.line
    lines = sorted(line for line, text in known.items() if location.line <= line <= last and text.strip())
    lines = lines or [location.line]
    if len(lines) > _LONGEST:
        lines = [*lines[: _LONGEST - 1], lines[-1]]
    result = []
    for line in lines:
        text = known.get(line, "")
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        if line == location.line and location.column is not None:
            start = min(location.column, end)
        if line == (location.end_line or location.line) and location.end_column is not None:
            end = min(location.end_column, end)
        label = location.label if line == lines[-1] else ""
        result.append((line, Mark(start=start, end=max(start, end), primary=primary, label=label)))
    return result


def _context(marked: Mapping[int, object], known: Mapping[int, str]) -> set[int]:
    """Lines without a mark that help reading: single lines between two marked ones, and known neighbours."""
    near: set[int] = set()
    for line in marked:
        for other in (line - 1, line + 1):
            if other not in marked and known.get(other, "").strip():
                near.add(other)
    return near


class Piece(msgspec.Struct, frozen=True):
    """A stretch of a line that is dressed one way: `mark` is "primary", "related" or empty, `syntax` a token class."""

    text: str
    mark: str
    syntax: str


def pieces(text: str, marks: Sequence[Mark], tokens: Sequence[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """Cuts a line where a mark or a token begins or ends. Where marks overlap, the primary one wins."""
    cuts = {0, len(text)}
    for start, end in [(mark.start, mark.end) for mark in marks] + [(start, end) for start, end, _ in tokens]:
        cuts |= {min(start, len(text)), min(end, len(text))}
    ordered = sorted(cuts)
    result = []
    for start, end in itertools.pairwise(ordered):
        covering = [mark for mark in marks if mark.start <= start and end <= mark.end]
        kind = ("primary" if any(mark.primary for mark in covering) else "related") if covering else ""
        syntax = next((name for first, last, name in tokens if first <= start and end <= last), "")
        result.append(Piece(text[start:end], kind, syntax))
    return tuple(result)
