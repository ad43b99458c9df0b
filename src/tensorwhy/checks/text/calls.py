"""What a call gives for a parameter."""

from __future__ import annotations

import ast


def argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """What a call is given for a parameter; None where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    first = call.args[: position + 1]
    return first[position] if len(first) > position and not any(isinstance(e, ast.Starred) for e in first) else None


def flag(call: ast.Call, position: int, name: str, default: bool) -> bool | None:
    """The truth value that a call gives for a parameter; None where the text does not tell."""
    given = argument(call, position, name)
    if given is None:
        spread = any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords)
        return None if spread else default
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, bool) else None
