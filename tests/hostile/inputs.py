"""Strategies that make bad input of good input: what is nearly right gets further than what is random."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

TEXTS = (
    "",
    "\x1b]0;PWNED\x07\x1b[31mRED\x1b[0m",
    "\n::error file=a::INJECTED\r\n",
    "##[error]x ##vso[task.setvariable]y",
    "\u202eevil\u2066 \x9b31m \u2028 \x00 \x7f",
    "\ud800",
    "../../../../etc/passwd",
    "<script>alert(1)</script>'\"><img src=x>",
    "`" * 3,
    "é" * 5000,
    "x" * 200_000,
    " ::error::x" * 300,
    "日本語" * 50,
    "%s%n{0}{}",
)
NUMBERS = (0, -1, 1, 2, 10**6, 10**9, 10**15, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**64, 10**30)
SMALL: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(TEXTS),
    st.sampled_from(NUMBERS),
    st.sampled_from([None, True, False, 1.5, -0.0, 1e308, [], {}, [[]], {"": {}}]),
    st.text(max_size=8),
)
VALUES = st.one_of(
    SMALL,
    st.recursive(
        SMALL, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    st.integers(min_value=100, max_value=3000).map(lambda depth: Raw("[" * depth + "]" * depth)),
    st.sampled_from(["1e999", "-0", "9" * 5000, "NaN", "Infinity", '"\\ud800"', '{"a":1,"a":2}']).map(
        lambda text: Raw(text)
    ),
)


class Raw:
    """JSON as it is written: numbers and nesting that no value of Python has."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Raw({self.text[:20]!r}...)"


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


@st.composite
def changed_json(draw: st.DrawFn, base: Any, most: int = 4) -> bytes:
    """A JSON value with other things in some of its places: replaced, removed, or many times over."""
    value = copy.deepcopy(base)
    raw: dict[str, str] = {}
    for number in range(draw(st.integers(1, most))):
        path = draw(st.sampled_from(list(places(value))))
        alike = {str: st.sampled_from(TEXTS), int: st.sampled_from(NUMBERS)}.get(type(_at(value, path)), VALUES)
        new = copy.deepcopy(draw(st.one_of(alike, alike, VALUES)))  # it is changed, too
        if isinstance(new, Raw):
            raw[f"@@{number}@@"] = new.text
            new = f"@@{number}@@"
        how = draw(st.sampled_from(["replace", "replace", "replace", "remove", "repeat"]))
        value = _changed(value, path, how, new, draw(st.sampled_from([3, 50, 3000])))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()))
    for name, written in raw.items():
        text = text.replace(f'"{name}"', written)
    return text.encode("utf-8", "surrogatepass")


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _changed(value: Any, path: tuple[Any, ...], how: str, new: Any, times: int) -> Any:
    if not path:
        return new if how == "replace" else value
    owner = value
    for key in path[:-1]:
        owner = owner[key]
    last = path[-1]
    if how == "replace":
        owner[last] = new
    elif how == "remove":
        del owner[last]
    elif isinstance(owner, list):
        owner[last:last] = [owner[last]] * times
    else:
        owner.update({f"{last}{number}": owner[last] for number in range(min(times, 50))})
    return value


@st.composite
def changed_bytes(draw: st.DrawFn, data: bytes, most: int = 4) -> bytes:
    """The bytes with some changed, removed, put in, or doubled."""
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, most))):
        at = draw(st.integers(0, max(len(changed) - 1, 0)))
        how = draw(st.sampled_from(["flip", "cut", "insert", "end", "double"]))
        length = draw(st.sampled_from([1, 2, 8, 100]))
        if how == "flip" and changed:
            changed[at] ^= draw(st.integers(1, 255))
        elif how == "cut":
            del changed[at : at + length]
        elif how == "insert":
            changed[at:at] = draw(st.binary(min_size=1, max_size=8))
        elif how == "end":
            del changed[at:]
        else:
            changed[at:at] = changed[at : at + length] * draw(st.sampled_from([1, 20]))
    return bytes(changed)


@st.composite
def changed_lines(draw: st.DrawFn, texts: list[str]) -> bytes:
    """A program with lines of others in it, lines that are missing, and lines that are there very often."""
    lines = draw(st.sampled_from(texts)).splitlines(keepends=True)
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, max(len(lines) - 1, 0)))
        how = draw(st.sampled_from(["cut", "others", "repeat", "indent", "swap", "word", "chain"]))
        if how == "cut":
            del lines[at : at + draw(st.integers(1, 3))]
        elif how == "others":
            other = draw(st.sampled_from(texts)).splitlines(keepends=True)
            start = draw(st.integers(0, max(len(other) - 1, 0)))
            lines[at:at] = other[start : start + draw(st.integers(1, 20))]
        elif how == "repeat":
            lines[at:at] = lines[at : at + draw(st.integers(1, 4))] * draw(st.sampled_from([2, 30, 1000]))
        elif how == "indent" and lines:
            lines[at] = "    " + lines[at]
        elif how == "swap" and lines:
            other_at = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other_at] = lines[other_at], lines[at]
        elif how == "word" and lines:
            words = lines[at].split(" ")
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
            lines[at] = " ".join(words)
        elif how == "chain" and lines:
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            form = draw(
                st.sampled_from(["{0} + {0}", "[{0}, {0}]", "tf.add({0}, {0})", "f({0})({0})", "{0} if {0} else {0}"])
            )
            count = draw(st.sampled_from([20, 60, 400]))
            name = draw(st.sampled_from(["x", "y", "loss", "v"]))
            lines[at:at] = [f"{indent}{name} = {form.format(name)}\n" for _ in range(count)]
    text = "".join(lines).encode("utf-8", "surrogatepass")
    return draw(changed_bytes(text, 2)) if draw(st.sampled_from([False, False, False, True])) else text


WORDS = (
    *(
        "lambda: 0",
        "(" * 60,
        "x" * 3000,
        "9" * 5000,
        "global x",
        "async",
        "match",
        "\x1b[31m",
        "\u202e",
        "*a, *b =",
        "yield",
    ),
    *(
        "tf.GradientTape()",
        "tape.gradient(x, x)",
        "@tf.function\n",
        "f'{x!r:{y}}'",
        "\f",
        "\\\n",
        '"""',
        "# noqa",
        "\x00",
    ),
)
