"""The Python files and notebooks that the paths of a command line stand for."""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Iterator, Sequence

from tensorwhy.integrations.cli.errors import BadInput

_NOT_SOURCES = {"__pycache__", "__pypackages__", "node_modules", "site-packages", "dist-packages", "build", "dist"}
"""Folders of what others wrote, or of what was made from sources; hidden ones and environments are left out, too."""


def source_files(paths: Sequence[str], exclude: Sequence[str] = ()) -> list[str]:
    """Absolute paths, those of a folder in the order of their names, each once. Raises BadInput.

    `exclude` are patterns of files and folders below a folder, relative to here: `legacy`, `tests/*/data.py`.
    """
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            below = _below(os.path.abspath(path))
            found.update(dict.fromkeys(each for each in below if not _excluded(each, exclude)))
        elif not os.path.exists(path):
            raise BadInput(
                f"{path or repr(path)}: no such file or folder; pass Python files, notebooks, or folders of them"
            )
        else:
            found[os.path.abspath(path)] = None
    return list(found)


def _below(folder: str) -> Iterator[str]:
    """What the folder itself holds: links lead elsewhere, and pipes would wait."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _foreign(place, name))
        paths = (os.path.join(place, name) for name in sorted(names) if name.endswith((".py", ".ipynb")))
        yield from filter(_is_regular, paths)


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:  # it was there a moment ago
        return False


def _foreign(place: str, name: str) -> bool:
    hidden = name.startswith(".") or name in _NOT_SOURCES
    return hidden or os.path.exists(os.path.join(place, name, "pyvenv.cfg"))


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    """Return whether a pattern matches the file, or a folder that it lies in."""
    if not patterns:
        return False
    parts = os.path.relpath(path).split(os.sep)
    prefixes = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return any(fnmatch.fnmatchcase(prefix, pattern.strip("/")) for pattern in patterns for prefix in prefixes)
