"""The report itself, as JSON of the schema `tensorwhy.report/1`."""

from __future__ import annotations

import json
import re

import msgspec

from tensorwhy.model.report import Report
from tensorwhy.rendering import Options


def render(report: Report, options: Options) -> str:
    return written(report)


def written(value: object) -> str:
    """Indented JSON in which every character can be seen: those that cannot are escaped, as JSON allows."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
    return _UNSEEN.sub(_escaped, text)


_UNSEEN = re.compile(r"[^\x00-\x7e]|##(?=[\w.-]*\[)")


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    if text == "##":  # GitHub and Azure would look for a command behind it
        return "#\\u0023"
    return text if text.isprintable() else json.dumps(text)[1:-1] if text != "\x7f" else "\\u007f"
