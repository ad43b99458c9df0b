"""Makes any report fit to be rendered: one from a file may hold numbers, texts and lists of any size.

Renderers get a report in which every text is short enough to lay out and free of control characters, every number is
one that a file can have, and no list is longer than somebody reads. What is left out is counted in the report itself.
"""

from __future__ import annotations

import operator
from typing import Any

import msgspec

from tensorwhy.model import messages
from tensorwhy.model.location import Location
from tensorwhy.model.plain_text import encodable, plain, shortened
from tensorwhy.model.report import Fix, Position, Report, Symptom

FINDINGS = 1000
"""Diagnoses of one report."""
_TEXT = 8000
"""Characters of one text."""
_TEXTS, _EXACT_TEXTS = 1_000_000, 16_000_000
"""Characters of all texts together, for people and for programs; those that come later are short."""
_SHORT = 80
_ITEMS = 20_000
"""Items of one list, and of the lines of one file."""
_VALUES = 1_000_000
"""Values of the whole report; lists that come later are empty."""
_LAST_LINE = 10_000_000
_LONGEST_RANGE = 100_000
"""Lines of one location."""
_NUMBER = 2**53
"""JSON's readers know no larger ones."""


def presentable(report: Report, exact: bool = False) -> Report:
    """The report within all bounds. With `exact`, texts keep their control characters: the format writes them out."""
    found = len(report.diagnoses)
    if found > FINDINGS:
        report = msgspec.structs.replace(report, diagnoses=report.diagnoses[:FINDINGS])
    walk = _Walk(exact)
    bounded: Report = walk.value(report)
    said = list(bounded.coverage.unobserved)
    if found > FINDINGS:
        said.append(f"{found - FINDINGS:,} of {found:,} findings are omitted here")
    if walk.cut:
        said.append("texts and lists that are too long are shortened here")
    if len(said) > len(bounded.coverage.unobserved):
        coverage = msgspec.structs.replace(bounded.coverage, unobserved=tuple(said))
        bounded = msgspec.structs.replace(bounded, coverage=coverage)
    return bounded


class _Walk:
    """Goes through a report once; what is in order stays the same object."""

    def __init__(self, exact: bool) -> None:
        self._exact = exact
        self._texts = _EXACT_TEXTS if exact else _TEXTS
        self._values = _VALUES
        self.cut = False

    def value(self, value: Any) -> Any:
        self._values -= 1
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return max(min(value, _NUMBER), -_NUMBER)
        if isinstance(value, tuple):
            return self._tuple(value)
        if isinstance(value, dict):
            return self._dict(value)
        if isinstance(value, msgspec.Struct):
            return self._struct(value)
        return value

    def _text(self, text: str) -> str:
        limit = _TEXT if self._texts > 0 else _SHORT
        self._texts -= len(text)
        if len(text) > limit:
            self.cut = True
            text = shortened(text, limit)
        if text.isascii() and text.isprintable() and "##" not in text:
            return text
        return encodable(text if self._exact else plain(text))

    def _tuple(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        if items and all(isinstance(item, float) for item in items[:2]):  # norms, of which there may be millions
            return items
        if len(items) > _ITEMS or self._values < 0:
            self.cut = True
            items = items[: _ITEMS if self._values > 0 else 0]
        bounded = tuple(map(self.value, items))
        return items if all(map(operator.is_, bounded, items)) else bounded

    def _dict(self, items: dict[Any, Any]) -> dict[Any, Any]:
        kept: dict[Any, Any] = {}
        for key, value in items.items():
            if len(kept) >= _ITEMS or self._values < 0:
                self.cut = True
                break
            if not isinstance(key, int) or 1 <= key <= _LAST_LINE:
                kept[self.value(key)] = self.value(value)
        return items if kept == items else kept

    def _struct(self, value: msgspec.Struct) -> msgspec.Struct:
        changed: dict[str, Any] = {}
        if isinstance(value, Symptom) and "\x1b" in value.message and not self._exact:
            value = msgspec.structs.replace(value, message=messages.without_colors(value.message))
        for name in sorted(value.__struct_fields__, key=_after):
            before = getattr(value, name)
            after = self.value(before)
            if after is not before:
                changed[name] = after
        if isinstance(value, Fix) and any(_differs(edit) for edit in value.edits):
            changed["edits"] = ()
            self.cut = True
        if isinstance(value, Location):
            changed |= _range(value)
        return msgspec.structs.replace(value, **changed) if changed else value


def _after(field: str) -> bool:
    """What was left out of the report is told whole, however much there is of the rest."""
    return field != "coverage"


def _differs(edit: Any) -> bool:
    """Return whether an edit would not do what it says once its texts are shortened."""
    return max(len(edit.file), len(edit.replacement)) > _TEXT or not (_exists(edit.start) and _exists(edit.end))


def _exists(position: Position) -> bool:
    return 1 <= position.line <= _LAST_LINE and 0 <= position.column <= _LAST_LINE


def _range(at: Location) -> dict[str, int]:
    """The numbers of a location that no file has, and those that it can have instead."""
    changed = {}
    line = max(1, min(at.line, _LAST_LINE))
    wanted = {"line": line}
    if at.end_line is not None:
        wanted["end_line"] = max(line, min(at.end_line, line + _LONGEST_RANGE))
    if at.column is not None:
        wanted["column"] = max(0, min(at.column, _LAST_LINE))
    if at.end_column is not None:
        wanted["end_column"] = max(0, min(at.end_column, _LAST_LINE))
    for name, number in wanted.items():
        if getattr(at, name) != number:
            changed[name] = number
    return changed
