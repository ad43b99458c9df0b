"""Reads the code blocks of a page, as the tests of the documentation run them.

- `python` whose first line is a comment with a file's name: that file, for the commands that follow
- `python` else: run, all of a page in one program
- `console`: commands after `$`, each with what it shows; in that, a line `...` stands for any lines, and ` ...` at the
  end of a line for its rest
- `yaml`: a file, whose `tensorwhy` commands are looked at
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# ([\w./-]+\.(?:py|yml|yaml))\n")


class Block(msgspec.Struct, frozen=True):
    """One fenced block. `start` is where its text begins in the page."""

    language: str
    text: str
    start: int

    @property
    def file(self) -> str:
        """The name of the file that it is; empty when it is none."""
        found = _FILE.match(self.text)
        return found[1] if found else ""


class Command(msgspec.Struct, frozen=True):
    """One command of a console block, and what follows it there."""

    words: tuple[str, ...]
    shown: str
    start: int


def blocks(page: Path) -> list[Block]:
    """All fenced blocks with a language, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(found[1], found[2], found.start(2)) for found in _FENCE.finditer(text)]


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block."""
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    at = block.start + len(parts[0])
    for line, shown in zip(parts[1::2], parts[2::2]):
        at += len(line) + 3
        yield Command(tuple(line.split()), shown, at)
        at += len(shown)


def matches(shown: str, real: str) -> bool:
    """Whether this is what was shown."""
    pattern = []
    for line in shown.splitlines():
        if line == "...":
            pattern.append(r"(?:.*\n)*?")
        elif line.endswith(" ..."):
            pattern.append(re.escape(line[:-4]) + r".*\n")
        else:
            pattern.append(re.escape(line.rstrip()) + r"\n")
    return re.fullmatch("".join(pattern), "".join(line.rstrip() + "\n" for line in real.splitlines())) is not None
