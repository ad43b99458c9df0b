"""The findings that an editor shows: those of the text as it stands, and those of a run, which may be older.

A run's findings are read from a file that `tensorwhy run --format lsp --output FILE` wrote. Anybody may have written it
since, so it is held to a size and to a form. A finding is shown at the line whose text it was found in: where the text
moved, it moves along, and where it is gone, so is the finding. Edits of a run are not offered, for the same reason.
"""

from __future__ import annotations

import msgspec

from tensorwhy.recording import regular_files

_LARGEST = 16 << 20


class Position(msgspec.Struct, frozen=True, order=True):
    """A point in a document, as the protocol counts."""

    line: int
    character: int


class Range(msgspec.Struct, frozen=True):
    """A stretch of a document."""

    start: Position
    end: Position

    def holds(self, at: Position) -> bool:
        """Return whether a point lies in it."""
        return self.start <= at <= self.end

    def meets(self, other: Range) -> bool:
        """Return whether the two have a point in common."""
        return self.start <= other.end and other.start <= self.end

    def moved(self, lines: int) -> Range:
        """Return the same stretch further down."""
        start, end = self.start, self.end
        return Range(Position(start.line + lines, start.character), Position(end.line + lines, end.character))


class Place(msgspec.Struct, frozen=True):
    """A stretch of some document."""

    uri: str
    range: Range


class Related(msgspec.Struct, frozen=True, rename="camel"):
    """Words at another place."""

    location: Place
    message: str


class Change(msgspec.Struct, frozen=True, rename="camel"):
    """A stretch of text, and what takes its place."""

    range: Range
    new_text: str


class Fix(msgspec.Struct, frozen=True):
    """Edits that belong together, by document."""

    title: str
    verified: bool
    changes: dict[str, list[Change]]


class Data(msgspec.Struct, frozen=True):
    """What a finding is about beyond what is shown: `line` is the text of the line that it was found in."""

    slug: str
    line: str | None = None
    fixes: list[Fix] = []


class Link(msgspec.Struct, frozen=True):
    """Where more can be read."""

    href: str


class Finding(msgspec.Struct, frozen=True, rename="camel"):
    """One diagnostic of the protocol."""

    range: Range
    severity: int
    code: str
    code_description: Link
    source: str
    message: str
    related_information: list[Related]
    data: Data


class Published(msgspec.Struct, frozen=True):
    """The findings of one document."""

    uri: str
    diagnostics: list[Finding]


class Unreadable(Exception):
    """A file that holds no findings; says why."""


def of_run(path: str) -> dict[str, list[Finding]]:
    """Return by document what a run has found. Raise Unreadable."""
    try:
        published = msgspec.json.decode(regular_files.read(path, _LARGEST), type=list[Published])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror})") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"{path}: is not what `--format lsp` writes ({error})") from None
    return {each.uri: each.diagnostics for each in published}


def placed(found: list[Finding], lines: list[str]) -> list[Finding]:
    """Return what a run has found, at the lines of the text as it is now."""
    where: dict[str, list[int]] = {}
    for number, text in enumerate(lines):
        where.setdefault(text.strip(), []).append(number)
    shown = []
    for each in found:
        was = each.range.start.line
        now = where.get(each.data.line.strip(), []) if each.data.line is not None else []
        if now:
            moved = min(now, key=lambda number: abs(number - was)) - was
            data = msgspec.structs.replace(each.data, fixes=[])
            shown.append(msgspec.structs.replace(each, range=each.range.moved(moved), data=data))
    return shown
