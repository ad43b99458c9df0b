"""Texts that UTF-8 does not have: names of files and arguments of programs may hold bytes that are no text.

They are rare. Whatever a trace is written with fails on them, and is then given the same values with those written out.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tensorwhy.model.plain_text import encodable


def as_json(value: object) -> bytes:
    """The value as JSON."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(written_out(msgspec.to_builtins(value)))


def written_out(value: Any) -> Any:
    """A value of Python's own types in which each text is one that UTF-8 has."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {written_out(key): written_out(each) for key, each in value.items()}
    return [written_out(each) for each in value] if isinstance(value, (list, tuple)) else value
