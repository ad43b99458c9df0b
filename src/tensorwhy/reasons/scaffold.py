"""Begins a new reason: `python -m tensorwhy.reasons.scaffold TW123 some-slug` writes its folder.

The folder is found by the catalogue at once, and its tests fail until the rule, the programs and the page are written.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tensorwhy.reasons
from tensorwhy.diagnosis.reason import FAMILIES

RULE = '''"""{CODE} {slug}: <why this reason exists, in one sentence>."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about

META = about(__name__, summary="")


def match(case: Case) -> Evidence | None:
    """Holds when <which fields of which fact say so>."""
    return None
'''

PAGE = """# {CODE} {slug}

## What happened
<!-- What the reader saw, and what it means, in two or three plain sentences. -->

## Why
<!-- The rule of the framework behind it, with the source of the claim. -->

## How to confirm
<!-- The smallest experiment that shows it in the reader's own program. -->

## Fix
<!-- The repair, as code; several if they differ by what was meant. -->

## When this fix is wrong
<!-- The intention with which the code was right as it stood. -->

## References
<!-- The framework's documentation or source. -->
"""

BROKEN = """# A small real program in which {slug} happens; mark the guilty line with a comment that says why: {CODE}
import tensorflow as tf
"""

FIXED = """# The same program, repaired; it asserts that what was lost is there.
import tensorflow as tf
"""


def scaffold(code: str, slug: str, root: Path) -> Path:
    """Write the folder of a new reason below `root`, and return it. ValueError when the code or slug cannot be used."""
    code, slug = code.upper(), slug.lower()
    if not re.fullmatch(r"TW\d{3}", code) or code[2] not in FAMILIES:
        raise ValueError(f"a code is TW and three digits, the first one of {', '.join(FAMILIES)}: got {code!r}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
        raise ValueError(f"a slug is lower-case words joined by hyphens: got {slug!r}")
    for taken in (code, slug):
        if other := tensorwhy.reasons.find(taken):
            raise ValueError(f"{taken} is taken by {other.folder.name}: codes and slugs are never used twice")
    folder = root / f"{code}_{slug}".lower().replace("-", "_")
    folder.mkdir()
    files = {
        "__init__.py": "",
        "rule.py": RULE,
        "reason.md": PAGE,
        "broken_tensorflow.py": BROKEN,
        "fixed_tensorflow.py": FIXED,
    }
    for name, text in files.items():
        (folder / name).write_text(text.replace("{CODE}", code).replace("{slug}", slug), encoding="utf-8")
    return folder


def main(arguments: list[str]) -> int:
    """The command; returns its exit code."""
    if len(arguments) != 2:
        print("usage: python -m tensorwhy.reasons.scaffold CODE SLUG     e.g. TW123 some-slug", file=sys.stderr)
        return 2
    try:
        folder = scaffold(arguments[0], arguments[1], Path(tensorwhy.reasons.__path__[0]))
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"wrote {folder}: now write its files, and run pytest tests/test_catalogue.py -k {folder.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
