"""What a run of the tests takes, by TENSORWHY_TESTS.

Without it: what a change needs on the usual TensorFlow. `version` (`make test-versions`): what a change needs on
another one, for which a few programs of each kind stand. `everything`: what `make test-matrix` runs.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Hashable
from pathlib import Path

_OF_A_KIND = 2


def everything() -> bool:
    """Return whether nothing is left out, nothing is known from a record, and no process is a fork."""
    return os.environ.get("TENSORWHY_TESTS") == "everything"


def for_another_version(programs: list[Path], kind: Callable[[Path], Hashable], root: Path) -> list[Path]:
    """What of these is run: on another version some of each kind, and all that say which versions they are for."""
    if os.environ.get("TENSORWHY_TESTS") != "version":
        return programs
    counts: dict[Hashable, int] = {}
    chosen = set()
    # By name, so that a new program changes the others of its kind only.
    for path in sorted(programs, key=lambda path: zlib.crc32(path.relative_to(root).as_posix().encode())):
        known = counts.get(kind(path), 0)
        counts[kind(path)] = known + 1
        if known < _OF_A_KIND or "# requires:" in path.read_text(encoding="utf-8"):
            chosen.add(path)
    return [path for path in programs if path in chosen]
