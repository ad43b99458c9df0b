"""Shows a fix as removed and added lines, as far as the report knows the lines that it edits."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from tensorwhy.model.report import Edit


class DiffLine(msgspec.Struct, frozen=True):
    """One line of a diff. `line` is its number in the old file; None for an added line."""

    kind: Literal["kept", "removed", "added"]
    text: str
    line: int | None


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """Neighbouring lines of one file that edits change."""

    file: str
    line: int
    lines: tuple[DiffLine, ...]


def hunks(edits: Sequence[Edit], sources: Mapping[str, Mapping[int, str]]) -> tuple[Hunk, ...]:
    """The edits as diffs, in the order of files and lines."""
    ordered = sorted(edits, key=lambda edit: (edit.file, edit.start.line, edit.start.column))
    groups: list[list[Edit]] = []
    for edit in ordered:
        if groups and groups[-1][-1].file == edit.file and edit.start.line <= max(map(_last, groups[-1])) + 1:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return tuple(_hunk(group, sources.get(group[0].file, {})) for group in groups)


def _last(edit: Edit) -> int:
    """The last line that an edit touches: one that ends at the start of a line leaves that line alone."""
    if edit.end.column == 0 and edit.end.line > edit.start.line:
        return edit.end.line - 1
    return edit.end.line


def _hunk(edits: Sequence[Edit], known: Mapping[int, str]) -> Hunk:
    first, last = edits[0].start.line, max(map(_last, edits))
    if any(line not in known for line in range(first, last + 1)):
        if all(edit.start == edit.end and edit.start.column == 0 for edit in edits):  # whole lines are put in
            added = [text for edit in edits for text in edit.replacement.splitlines()]
        else:
            added = [edit.replacement for edit in edits]
        return Hunk(file=edits[0].file, line=first, lines=tuple(DiffLine("added", text, None) for text in added))

    old = [known[line] for line in range(first, last + 1)]
    text = "".join(line + "\n" for line in old)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        start = min(starts[edit.start.line - first] + edit.start.column, len(text))
        end = min(starts[min(edit.end.line - first, len(old))] + edit.end.column, len(text))
        text = text[:start] + edit.replacement + text[max(start, end) :]
    new = text.splitlines()

    lines: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            lines += [DiffLine("kept", old[index], first + index) for index in range(old_from, old_to)]
        else:
            lines += [DiffLine("removed", old[index], first + index) for index in range(old_from, old_to)]
            lines += [DiffLine("added", new[index], None) for index in range(new_from, new_to)]
    return Hunk(file=edits[0].file, line=first, lines=tuple(lines))
