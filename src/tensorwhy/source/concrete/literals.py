"""Where string literals end, and where the expressions in them stand: Python's tree tells neither in all versions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_START = re.compile(r"([a-zA-Z]{0,2})(\"\"\"|'''|\"|')")
_PLAIN = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}", re.DOTALL) for quote in ('"""', "'''", '"', "'")}
_DEBUG = re.compile(r"\s*=\s*[!:}]")


@dataclass
class Literal:
    """One string literal: where it ends, and for a formatted one from where to where each of its parts goes."""

    end: int
    formatted: bool
    texts: list[tuple[int, int]] = field(default_factory=list)
    expressions: list[tuple[int, int]] = field(default_factory=list)


def literal(text: str, start: int) -> Literal:
    """The literal that begins here. Raises ValueError where there is none that ends."""
    begin = _START.match(text, start)
    if begin is None:
        raise ValueError("no literal begins here")
    prefix, quote = begin[1].lower(), begin[2]
    if "f" in prefix or "t" in prefix:
        try:
            return _formatted(text, begin.end(), quote, "r" in prefix)
        except IndexError:
            raise ValueError("a literal without an end") from None
    end = _PLAIN[quote].match(text, begin.end())
    if end is None:
        raise ValueError("a literal without an end")
    return Literal(end.end(), False)


def _formatted(text: str, at: int, quote: str, raw: bool) -> Literal:
    found, begun = Literal(0, True), at

    def flush(end: int) -> None:
        if end > begun:
            found.texts.append((begun, end))

    while not text.startswith(quote, at):
        if text[at : at + 1] == "\\":
            named = not raw and text.startswith("N{", at + 1)
            at = text.index("}", at) + 1 if named else at + (1 if text[at + 1] in "{}" else 2)
        elif text[at : at + 2] in ("{{", "}}"):
            at += 2
        elif text[at : at + 1] == "{":
            flush(at)
            at = begun = _field(text, at, quote, found.expressions)
        else:
            at += len(text[at])  # IndexError at the end of the text
    flush(at)
    found.end = at + len(quote)
    return found


def _field(text: str, start: int, quote: str, found: list[tuple[int, int]]) -> int:
    """Behind the replacement field that begins here. Its expression is found, and those in its format."""
    at, depth = start + 1, 0
    while True:
        sign = text[at]
        if sign in "'\"":
            at = literal(text, _prefixed(text, at)).end
            continue
        if depth == 0 and (
            sign in "}:" or (sign == "!" and text[at + 1] != "=") or (sign == "=" and _debugs(text, start, at))
        ):
            break
        depth += (sign in "([{") - (sign in ")]}")
        at += 1
    found.append((start + 1, at))
    while text[at] not in "}:":
        at += 1
    if text[at] == ":":
        at += 1
        while text[at] != "}":
            if text.startswith(quote, at):
                raise ValueError("a format without an end")
            at = _field(text, at, quote, found) if text[at] == "{" else at + 1
    return at + 1


def _prefixed(text: str, at: int) -> int:
    start = at
    while start > 0 and at - start < 2 and text[start - 1] in "rRbBfFuUtT":
        start -= 1
    return start


def _debugs(text: str, start: int, at: int) -> bool:
    """Return whether this sign is the one of `f"{x=}"`."""
    return text[at - 1] not in "=!<>" and at > start + 1 and _DEBUG.match(text, at) is not None
