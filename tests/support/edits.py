"""Applies the edits of fixes to a copy of a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tensorwhy.model.location import Location
from tensorwhy.model.report import Diagnosis, Edit, Position

Written = Callable[[str], str]
"""Writes a program, and gives its path."""


def line(file: str, number: int) -> Location:
    """A whole line."""
    return Location(file=file, line=number)


def after(file: str, found: tuple[Edit, ...]) -> str:
    """The text of the file after these edits."""
    return apply(Path(file).read_text(encoding="utf-8"), list(found))


def choices(diagnoses: tuple[Diagnosis, ...]) -> int:
    """How many ways to repair it have edits, for the diagnosis with the most of them."""
    return max((sum(bool(fix.edits) for fix in diagnosis.fixes) for diagnosis in diagnoses), default=0)


def chosen(diagnoses: tuple[Diagnosis, ...], choice: int = 0) -> list[Edit]:
    """The edits of each diagnosis's first fix that has any, or of a later one where it has as many; an edit that two
    diagnoses share counts once."""
    edits: list[Edit] = []
    for diagnosis in diagnoses:
        fixes = [fix for fix in diagnosis.fixes if fix.edits]
        fix = fixes[choice if choice < len(fixes) else 0] if fixes else None
        edits += [edit for edit in (fix.edits if fix else ()) if edit not in edits]
    return edits


def apply(text: str, edits: list[Edit]) -> str:
    """The text after all edits, made from the end so that positions stay true. Overlapping edits are an error."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: Position) -> int:
        return starts[position.line - 1] + position.column

    before = len(text)
    for edit in sorted(edits, key=lambda edit: (offset(edit.start), offset(edit.end)), reverse=True):
        start, end = offset(edit.start), offset(edit.end)
        assert start <= end <= before, f"edits overlap at line {edit.start.line}"
        text = text[:start] + edit.replacement + text[end:]
        before = start
    return text


def repaired(source: Path, diagnoses: tuple[Diagnosis, ...], target: Path, choice: int = 0) -> bool:
    """Write the program with all chosen edits to `target`. False when there was nothing to apply."""
    edits = [edit for edit in chosen(diagnoses, choice) if Path(edit.file).resolve() == source.resolve()]
    target.write_text(apply(source.read_text(encoding="utf-8"), edits), encoding="utf-8")
    return bool(edits)
