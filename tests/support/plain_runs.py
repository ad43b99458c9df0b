"""Knows what programs do without the tool, so that a program is not run plainly in every run of the tests.

`tests/plain_runs.txt` has a line for each program: its name, a hash of its text and of the versions of Python and the
frameworks, and a hash of what it wrote and how it ended. A run with the tool that did exactly that did what the program
does alone. Where it did something else, and where the program or a version is new, the program is run. Programs draw
the same random numbers each time.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from support import selected
from support.runner import HERE, Result

_FRAMEWORKS = ("tensorflow-cpu", "tensorflow", "keras", "tf_keras", "torch", "numpy")
_ROOT = HERE.parents[1]
_RECORD = HERE.parent / "plain_runs.txt"


def alone(files: Sequence[Path], explained: Result, run: Callable[[], Result]) -> Result:
    """What the program does without the tool: `explained`, if the record says so, or what `run` gives."""
    known = () if selected.everything() else _record()
    return explained if f"{_text(files)} {_outcome(explained)}" in known else run()


def record(name: str, files: Sequence[Path], plain: Result) -> None:
    """Put a program's line into the record."""
    import fcntl

    with _RECORD.open("a+") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        others = [line for line in stream.read().splitlines() if not line.startswith(f"{name} ")]
        stream.truncate(0)
        stream.write("\n".join(sorted([*others, f"{name} {_text(files)} {_outcome(plain)}"])) + "\n")


def _record() -> frozenset[str]:
    lines = _RECORD.read_text(encoding="utf-8").splitlines() if _RECORD.exists() else []
    return frozenset(line.partition(" ")[2] for line in lines)


def _text(files: Sequence[Path]) -> str:
    parts = [f"{sys.version_info.major}.{sys.version_info.minor}"]
    for name in _FRAMEWORKS:
        try:
            parts.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return _hash(*parts, *(part for file in files for part in (file.name, file.read_text(encoding="utf-8"))))


def _outcome(result: Result) -> str:
    # Programs print paths, in the texts of errors.
    return _hash(str(result.exit_code), result.stdout.replace(str(_ROOT), "..."))


def _hash(*parts: str) -> str:
    known = hashlib.sha256()
    for part in parts:
        text = part.encode(errors="surrogatepass")
        known.update(b"%d " % len(text) + text)
    return known.hexdigest()[:20]
