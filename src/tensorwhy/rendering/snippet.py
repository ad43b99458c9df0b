"""Source lines with carets under the exact columns and words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from rich.cells import cell_len

from tensorwhy.model.location import Location
from tensorwhy.rendering.text import crop, expand, safe, wrap

_ROOM_FOR_LABEL = 16

Piece = tuple[str, str]
"""Text and the name of its style."""


class Mark(msgspec.Struct, frozen=True):
    """What to underline. `style` is "primary" (carets; "primary-warning", "primary-note") or "secondary" (dashes)."""

    location: Location
    label: str
    style: str

    @property
    def primary(self) -> bool:
        """Return whether this is what the message speaks of."""
        return self.style != "secondary"


def lines(
    marks: list[Mark], source: Mapping[int, str], gutter: int, width: int, unicode: bool
) -> Iterator[list[Piece]]:
    """The marks of one file in line order; each marked line once, with one underline for each of its marks.

    `source` has the text of every marked line. `gutter` is the width of the line numbers. A line that is too long is
    trimmed around its first mark.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.location.line, []).append(mark)
    room = max(width - gutter - 3, 8)
    for number in sorted(by_line):
        here = sorted(by_line[number], key=lambda mark: (mark.location.column or 0, not mark.primary))
        text = source[number].rstrip()
        printed, starts = expand(text, unicode)
        spans = [_span(mark.location, text, starts) for mark in here]
        printed, shift = _trim(printed, spans[0], room, unicode)
        yield [(f"{number:>{gutter}} | ", "gutter"), (printed, "source")]
        for mark, (start, end) in zip(here, spans, strict=True):
            first, last = max(start - shift, 0), min(end - shift, cell_len(printed))
            if first >= cell_len(printed):
                first, last = max(cell_len(printed) - 1, 0), cell_len(printed)
            underline = ("^" if mark.primary else "-") * max(last - first, 1)
            yield from _labelled(underline, mark, (f"{'':{gutter}} | ", "gutter"), room, unicode, at=first)


def _span(location: Location, text: str, starts: list[int]) -> tuple[int, int]:
    """First and last cell of what is marked on this line: the rest of the line when the range goes on below."""
    indent = len(text) - len(text.lstrip())
    if location.column is None:
        return starts[min(indent, len(text))], starts[len(text)]
    start = min(location.column, len(text))
    end = len(text)
    if location.end_column is not None and location.end_line in (None, location.line):
        end = max(min(location.end_column, len(text)), start)
    return starts[start], starts[end]


def _trim(printed: str, span: tuple[int, int], room: int, unicode: bool) -> tuple[str, int]:
    """The part of the line that fits, with the mark in it, and by how many cells it was moved to the left."""
    if cell_len(printed) <= room:
        return printed, 0
    dots = "…" if unicode else "..."
    start, end = span
    keep = room - 2 * len(dots)
    skip = 0 if end <= room - len(dots) else max(0, min(start - keep // 4, cell_len(printed) - keep))
    head = crop(printed, skip) if skip else ""
    skipped = cell_len(head)
    rest = printed[len(head) :]
    prefix = dots if skipped else ""
    space = room - len(prefix)
    if cell_len(rest) > space:
        rest = crop(rest, space - len(dots)) + dots
    return prefix + rest, skipped - len(prefix)


def _labelled(underline: str, mark: Mark, margin: Piece, room: int, unicode: bool, at: int) -> Iterator[list[Piece]]:
    """The underline with its label beside it, or below it where the terminal is narrow."""
    label = safe(" ".join(mark.label.split()), unicode)
    start: list[Piece] = [margin, (" " * at + underline, mark.style)]
    after = at + len(underline) + 1
    if not label:
        yield start
    elif cell_len(label) <= room - after:
        yield [*start, (" " + label, mark.style)]
    elif room - after >= max(_ROOM_FOR_LABEL, room // 3):
        first, *rest = wrap(label, room - after)
        yield [*start, (" " + first, mark.style)]
        for line in rest:
            yield [margin, (" " * after + line, mark.style)]
    else:
        yield start
        left = min(at, max(room - 2 * _ROOM_FOR_LABEL, 0))
        for line in wrap(label, room - left):
            yield [margin, (" " * left + line, mark.style)]
