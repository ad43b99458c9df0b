"""What people read is plain English: short sentences, the field's own words, no phrase that needs a second reading."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tensorwhy.reasons import catalogue

MOST_WORDS = 34
"""Words of the longest sentence. Names and code in backticks count as one word each."""
BANNED = (
    "wrong where", "so that", "on the way", "in place of", "hands on", "hands no", "is told", "told of", "of which",
    "by itself alone", "no matter", "too dear", "is dear", "anew", "is given to it", "gives none", "takes none",
    "is being traced", "begins as", "made here", "is to be", "what is not", "whatever it is", "stands on", "stands for",
    "and no tensor", "of its own", "not so", "hands back", "hand back", "refused here, ", "is lost at", "let go of",
    "lets go of", "up to here", "in words only", "that of", "those of which", "what is told", "made anew", "settles",
    "nothing lost", "nothing was lost", "begins anew", "by hand as", "is no float", "is no text",
    "comes out of it", "goes in has", "gives away", "lies in", "lies between", "lie between", "whatever comes in",
    "lets nothing through", "let nothing through", "looked at", "was given zeros", "without a word", "of one's own",
    "as it stands", "in any case", "and nothing else", "is asked for it", "all the same", "mended", "the way to it",
    "has been let", "question is wrong", "out of the question", "what it was given", "is no tensor", "is no variable",
    "what goes in", "what comes out", "to nobody", "the gradient is there",
)  # fmt: skip
ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/*.md", "docs/howto/*.md")
TEXTS = [
    pytest.param(reason.meta.summary, id=f"{reason.meta.code}-summary") for reason in catalogue()
] + [
    pytest.param(path.read_text(encoding="utf-8"), id=f"{reason.meta.code}-{path.stem}")
    for reason in catalogue()
    for path in sorted(reason.folder.glob("explanation*.txt"))
]  # fmt: skip
_KEY = re.compile(r"^\s*= (seen as|also|see also): .*?(?=^\s*= |\Z)", re.MULTILINE | re.DOTALL)
_EXCERPT = re.compile(r"^\s*(\d+ )?\|.*$|^\s*(-->|:::) .*$", re.MULTILINE)
_LABEL = re.compile(r"[\^-]{2,} ?(.*)")
_BLOCK = re.compile(r"^```.*?^```|^ {4}\S.*$|^#.*$|^\|.*$|^## References.*\Z", re.MULTILINE | re.DOTALL)
"""What is no prose of a page: code, headings, tables, and the addresses at the end."""


def sentences(text: str) -> list[str]:
    """What is said, without source lines and what frameworks said: messages, labels, notes, fixes, a sentence each."""
    labels = [found[1].strip() for line in text.splitlines() if "|" in line and (found := _LABEL.search(line))]
    prose = re.sub(r"^\s*= [a-z ,()]+: ", "\n\n", _EXCERPT.sub("\n", _KEY.sub("\n", text)), flags=re.MULTILINE)
    return _split([*labels, *re.split(r"\n\s*\n", prose)])


def of_page(text: str) -> list[str]:
    """Return the sentences of a page."""
    text = re.sub(r"^## References.*\Z", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(```|~~~).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^( {4}\S.*|#.*|\|.*|<.*|:::.*|\[.*\]:.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*([-*]|\d+\.) ", "\n\n", re.sub(r"\]\([^)]*\)", "]", text), flags=re.MULTILINE)
    return _split(re.split(r"\n\s*\n", text))


def _split(parts: list[str]) -> list[str]:
    code = [re.sub(r"`[^`]*`", "`…`", " ".join(part.split())) for part in parts]
    return [each.strip() for part in code for each in re.split(r"(?<=[.;:?]) (?=\S)", part) if each.strip()]


def check(said: list[str]) -> None:
    assert [each for each in said if len(each.split()) > MOST_WORDS] == []
    assert [(phrase, each) for each in said for phrase in BANNED if re.search(rf"\b{phrase}\b", each.lower())] == []


@pytest.mark.parametrize("text", TEXTS)
def test_a_sentence_is_short_and_plain(text: str) -> None:
    check(sentences(text))


@pytest.mark.parametrize("reason", catalogue(), ids=lambda reason: reason.meta.code)
def test_a_page_of_the_catalogue_is_short_and_plain(reason) -> None:
    check(of_page((reason.folder / "reason.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "page", [each for glob in PAGES for each in sorted(ROOT.glob(glob))], ids=lambda page: page.stem
)
def test_a_page_of_the_documentation_is_short_and_plain(page: Path) -> None:
    check(of_page(page.read_text(encoding="utf-8")))


def test_no_message_ends_where_a_line_of_source_ends() -> None:
    """A string behind one without parentheses is a statement of its own, and its half of a sentence is lost."""
    torn = []
    for file in sorted((ROOT / "src" / "tensorwhy").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            said = isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.JoinedStr))
            if said and re.match(r"""\s*f?['"](?!"")""", lines[node.lineno - 1]):  # no docstring
                torn.append(f"{file.name}:{node.lineno}")
    assert torn == []
