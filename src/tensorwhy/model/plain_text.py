"""Makes text that others wrote safe to print: the one place that every renderer and every message goes through.

Names, messages and source lines may hold characters that rewrite a terminal, change the direction of what follows, or
begin a command of the system that collects the log.
"""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_LOG_COMMAND = re.compile(r"##(?=[\w.-]*\[)")
"""GitHub and Azure look for `##[error]` and `##vso[...]` anywhere in a line."""
LONGEST_LINE = 1000
"""Characters of a message of one line: what it quotes may be of any length."""


def plain(text: str) -> str:
    """The text with control and direction characters written out; tabs and line ends stay."""
    if text.isprintable() and "##" not in text:
        return text
    return _LOG_COMMAND.sub(r"#\\x23", "".join(map(_shown, text.replace("\r\n", "\n"))))


def one_line(text: str, limit: int = LONGEST_LINE) -> str:
    """The text as a single line of at most about `limit` characters: a longer one loses its middle."""
    if len(text) > 2 * limit:
        text = shortened(text, 2 * limit)
    return shortened(plain(" ".join(text.split())), limit)


def shortened(text: str, limit: int) -> str:
    """The beginning and the end of a text that is too long, and how much is missing between them."""
    if len(text) <= limit:
        return text
    head = max(limit * 3 // 4, 1)
    tail = max(limit - head, 1)
    return f"{text[:head]}… ({len(text) - head - tail:,} more characters) …{text[-tail:]}"


def in_log(line: str) -> str:
    """A whole line of output, which is never the command `::error ...` of GitHub: those begin lines."""
    rest = line.lstrip()
    if rest.startswith("::") and rest[2:3].isalpha():
        return f"{line[: len(line) - len(rest)]}:\\x3a{rest[2:]}"
    return line


def encodable(text: str) -> str:
    """The text as UTF-8 can hold it: names of files and tensors may have bytes that are no text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _shown(character: str) -> str:
    if character in "\t\n" or character.isprintable() or unicodedata.category(character) not in _UNSEEN:
        return character
    return ascii(character)[1:-1]
