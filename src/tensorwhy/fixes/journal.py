"""Keeps what an interrupted write had begun, outside of the tree that is written to.

Whoever made a tree may put any file into it, so nothing in it is ever an instruction: a journal is read only from a
folder of this user that nobody else can write to and that lies outside of the tree. Record 14 says what follows.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tensorwhy.recording import regular_files

PART = ".part"
"""Ends the name of a file that is being written."""
LARGEST = 1 << 30
"""Bytes of a journal: twice the text of all files of a write."""


class Unwritten(Exception):
    """No file has new contents; says why."""


class Entry(msgspec.Struct, frozen=True):
    """One file, both of its contents, and the file beside it that is exchanged with it."""

    path: str
    temporary: str
    before: bytes
    after: bytes


class _Journal(msgspec.Struct, frozen=True):
    """`tree` is the real path of the folder that all files lie in."""

    tree: str
    entries: tuple[Entry, ...]


def saved(tree: str) -> tuple[Entry, ...]:
    """What an interrupted write to this tree left; empty when nothing. Raises Unwritten for an unreadable journal."""
    for file in _files(tree):
        if not os.path.lexists(file):
            continue
        try:
            found = msgspec.json.decode(regular_files.read(file, LARGEST, follow=False), type=_Journal)
        except (OSError, msgspec.MsgspecError) as error:
            raise Unwritten(f"{file}: cannot be read ({error}); remove it if you do not need it") from None
        if found.tree == tree:
            return found.entries
    return ()


def save(tree: str, entries: tuple[Entry, ...]) -> None:
    """Keep what is going to be written, safely on the disk. Raises OSError, and Unwritten where there is no place."""
    for file in _files(tree, create=True):
        part = str(file) + PART
        remove(part)
        create(part, msgspec.json.encode(_Journal(tree, entries)))
        os.replace(part, file)
        settle([str(file)])
        return
    raise Unwritten(f"no folder outside {tree} is writable only by you (set XDG_STATE_HOME to one)")


def forget(tree: str) -> None:
    """Remove the journal: everything was written, or put back."""
    for file in _files(tree):
        remove(str(file))


def create(path: str, data: bytes) -> None:
    """A file that was not there before, for this user alone, safely on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def remove(path: str) -> None:
    """Remove a file that may be gone already."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def settle(paths: list[str]) -> None:
    """Renames are safe on the disk when the folders are."""
    for folder in dict.fromkeys(os.path.dirname(path) for path in paths):
        with contextlib.suppress(OSError):  # not every system can do this with folders
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _files(tree: str, create: bool = False) -> Iterator[Path]:
    """Where the journal of this tree may be."""
    name = hashlib.sha256(os.fsencode(tree)).hexdigest()[:32]
    for folder in _folders(tree, create):
        yield folder / f"{name}.json"


def _folders(tree: str, create: bool) -> Iterator[Path]:
    """Folders of this user alone that are outside of the tree."""
    import platformdirs

    user = str(os.geteuid()) if os.name != "nt" else ""
    for base in (platformdirs.user_state_dir("tensorwhy", False), f"{tempfile.gettempdir()}/tensorwhy-{user}"):
        folder = Path(os.path.realpath(os.path.join(base, "writes")))
        if folder.is_relative_to(tree):
            continue
        if create:
            with contextlib.suppress(OSError):
                folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                folder.mkdir(mode=0o700, exist_ok=True)
        if _is_private(folder):
            yield folder


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode) or not os.access(folder, os.W_OK):
        return False
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
