"""What a call gives for a parameter."""

from __future__ import annotations

import ast

from tensorwhy.recording.reading import argument


def flag(call: ast.Call, position: int, name: str, default: bool) -> bool | None:
    """The truth value that a call gives for a parameter; None where the text does not tell."""
    given = argument(call, position, name)
    if given is None:
        spread = any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords)
        return None if spread else default
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, bool) else None
