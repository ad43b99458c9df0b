"""The Python files and notebooks that the paths of a command line stand for."""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Callable, Iterator, Sequence

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
    for found in walked(folder, _foreign):
        yield from (each.path for each in found if each.name.endswith((".py", ".ipynb")) and _is_regular(each.path))


def walked(folder: str, foreign: Callable[[os.DirEntry[str]], bool]) -> Iterator[list[os.DirEntry[str]]]:
    """What each folder holds, by name, from the outside in; foreign ones are not looked into.

    `os.walk` calls itself for each level, and a tree of others may have more levels than Python takes calls.
    """
    waiting = [folder]
    while waiting:
        try:
            found = sorted(os.scandir(waiting.pop()), key=lambda each: each.name)
            below = [each for each in found if each.is_dir(follow_symlinks=False)]
        except OSError:  # it may not be read, or its path is too long
            continue
        yield found
        waiting += [each.path for each in reversed(below) if not foreign(each)]


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:  # it was there a moment ago
        return False


def _foreign(folder: os.DirEntry[str]) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _NOT_SOURCES
    return hidden or os.path.exists(os.path.join(folder.path, "pyvenv.cfg"))


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    """Return whether a pattern matches the file, or a folder that it lies in."""
    if not patterns:
        return False
    parts = os.path.relpath(path).split(os.sep)
    prefixes = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return any(fnmatch.fnmatchcase(prefix, pattern.strip("/")) for pattern in patterns for prefix in prefixes)
