"""The catalogue speaks plain English: short sentences, the field's own words, none of the phrases that need a "
"second reading."""

from __future__ import annotations

import re

import pytest

from tensorwhy.reasons import catalogue

MOST_WORDS = 34
"""Words of the longest sentence. Names and code in backticks count as one word each."""
BANNED = (
    "wrong where", "so that", "on the way", "in place of", "hands on", "hands no", "is told", "told of", "of which",
    "by itself alone", "no matter", "too dear", "anew", "is given to it", "gives none", "takes none",
    "is being traced", "begins as", "made here", "is to be", "what is not", "whatever it is", "stands on", "stands for",
    "and no tensor", "of its own", "not so",
)  # fmt: skip
TEXTS = [
    pytest.param(reason.meta.summary, id=f"{reason.meta.code}-summary") for reason in catalogue()
] + [
    pytest.param(path.read_text(encoding="utf-8"), id=f"{reason.meta.code}-explanation")
    for reason in catalogue()
    if (path := reason.folder / "explanation.txt").exists()
]  # fmt: skip
_KEY = re.compile(r"^\s*= (seen as|also|also needed): .*?(?=^\s*= |\Z)", re.MULTILINE | re.DOTALL)
_EXCERPT = re.compile(r"^\s*(\d+ )?\|.*$|^\s*(-->|:::) .*$", re.MULTILINE)
_LABEL = re.compile(r"[\^-]{2,} ?(.*)")


def sentences(text: str) -> list[str]:
    """What is said, without source lines and what frameworks said: messages, labels, notes, fixes, a sentence each."""
    labels = [found[1].strip() for line in text.splitlines() if "|" in line and (found := _LABEL.search(line))]
    prose = re.sub(r"^\s*= [a-z ,()]+: ", "\n\n", _EXCERPT.sub("\n", _KEY.sub("\n", text)), flags=re.MULTILINE)
    whole = [" ".join(part.split()) for part in re.split(r"\n\s*\n", prose)]
    code = [re.sub(r"`[^`]*`", "`…`", part) for part in (*labels, *whole)]
    return [each.strip() for part in code for each in re.split(r"(?<=[.;:]) (?=\S)", part) if each.strip()]


@pytest.mark.parametrize("text", TEXTS)
def test_a_sentence_is_short_and_plain(text: str) -> None:
    said = sentences(text)
    assert [each for each in said if len(each.split()) > MOST_WORDS] == []
    assert [(phrase, each) for each in said for phrase in BANNED if re.search(rf"\b{phrase}\b", each.lower())] == []
