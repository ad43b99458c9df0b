"""Edits applied to text, and shown as a diff. Formatting, comments, line ends and encoding stay as they are."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence

import msgspec

from tensorwhy.model.report import Edit, Position
from tensorwhy.source.files import encoding_of


class Conflict(ValueError):
    """Two edits change the same text, or an edit points at text that is not there."""


class SourceFile(msgspec.Struct, frozen=True):
    """A Python file as it lies on the disk: its text with its own line ends, and how that is encoded."""

    text: str
    encoding: str

    @classmethod
    def decoded(cls, data: bytes) -> SourceFile:
        """Raises SyntaxError or UnicodeError where Python itself would not read it either."""
        encoding = encoding_of(data)
        return cls(data.decode(encoding), encoding)

    def encoded(self) -> bytes:
        """The bytes to write."""
        return self.text.encode(self.encoding)

    def with_edits(self, edits: Iterable[Edit]) -> SourceFile:
        """The file after all edits, whose new lines end as the others do. Raises Conflict."""
        end = "\r\n" if "\r\n" in self.text else "\n"
        return SourceFile(applied(self.text, edits, end), self.encoding)


def distinct(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits without those that stand there twice: two diagnoses may ask for the same repair."""
    return tuple(dict.fromkeys(edits))


def applied(text: str, edits: Iterable[Edit], line_end: str = "\n") -> str:
    """The text after all edits. What is inserted at one place stays in the given order. Raises Conflict."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: Position) -> int:
        line = position.line
        if not 1 <= line < len(starts) or not 0 <= position.column < starts[line] - starts[line - 1]:
            raise Conflict(f"line {position.line} has no column {position.column}")
        return starts[line - 1] + position.column

    spans = [(offset(edit.start), offset(edit.end), edit) for edit in distinct(edits)]
    pieces, done = [], 0
    for start, end, edit in sorted(spans, key=lambda span: span[:2]):
        if start < done or end < start:
            raise Conflict(f"two fixes change line {edit.start.line}")
        pieces += [text[done:start], edit.replacement.replace("\n", line_end)]
        done = end
    return "".join([*pieces, text[done:]])


def between(file: str, before: str, after: str) -> tuple[Edit, ...]:
    """Edits of whole lines that make one text of a file of another."""
    old, new = (text.replace("\r\n", "\n").split("\n") for text in (before, after))
    found = []
    for tag, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if end < len(old):
            begins, ends = Position(line=start + 1, column=0), Position(line=end + 1, column=0)
            text = "".join(f"{line}\n" for line in new[first:last])
        else:  # the last line has no end: what comes before it is taken instead
            begins = Position(line=max(start, 1), column=len(old[start - 1]) if start else 0)
            ends = Position(line=len(old), column=len(old[-1]))
            text = "".join(f"\n{line}" for line in new[first:last])[0 if start else 1 :]
        found.append(Edit(file=file, start=begins, end=ends, replacement=text))
    return tuple(found)


def unified(before: str, after: str, name: str) -> str:
    """A unified diff of one file, as `patch` and `git apply` read it; empty when nothing changed."""
    lines = []
    for line in difflib.unified_diff(_lines(before), _lines(after), _name(f"a/{name}"), _name(f"b/{name}")):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


def _name(path: str) -> str:
    """As git writes it: in quotes when it has characters that a line cannot hold, so that it names no other file."""
    if path.isprintable() and '"' not in path and "\\" not in path:
        return path + ("\t" if " " in path else "")  # `patch` would read the name to its first space only
    plain = bytes(set(range(0x20, 0x7F)) - set(b'"\\'))
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in os.fsencode(path)) + '"'


def _lines(text: str) -> Sequence[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])
