"""Check one document as it is in the editor; the file on disk may differ."""

from __future__ import annotations

import linecache

import msgspec

from tensorwhy.integrations.cli.selection import Selection
from tensorwhy.integrations.editors.findings import Finding, Published
from tensorwhy.pipeline.checking import check
from tensorwhy.rendering.lsp import published
from tensorwhy.source.files import encoding_of

LARGEST = 2_000_000
"""Characters of a document that is checked while it is written."""


def findings(path: str, text: str, selection: Selection) -> list[Finding]:
    """Return the findings in the text; none while it cannot be parsed, because the editor reports that itself."""
    if len(text) > LARGEST:
        return []
    lines = text.splitlines(keepends=True)
    linecache.cache[path] = (len(text), None, lines, path)  # where whoever wants to see a line looks it up
    report = selection.of(check([path], path, read=lambda file: _encoded(text)))

    def line(file: str, number: int) -> str | None:
        return lines[number - 1] if file == path and 0 < number <= len(lines) else None

    found = msgspec.convert(published(report, line, path), list[Published])
    return [each for one in found for each in one.diagnostics]


def _encoded(text: str) -> bytes:
    """The text as its first lines say that it is encoded on the disk."""
    plain = text.encode(errors="replace")
    try:
        return text.encode(encoding_of(plain), errors="replace")
    except (SyntaxError, LookupError):
        return plain
