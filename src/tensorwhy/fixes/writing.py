"""Writes several files as one: each gets its new contents, or all keep the old ones.

The new contents are written beside the files first, then each is exchanged with its file. A single exchange is atomic,
several are not: so a journal holds what the files held, from before the first exchange until after the last. Where one
fails, the files are put back at once; where the process is killed, the next run finds the journal and puts them back.
What comes out of an exchange is looked at: an edit that somebody saved in the last moment goes back in.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence

from tensorwhy.fixes import journal
from tensorwhy.fixes.exchange import exchanged
from tensorwhy.fixes.journal import Entry, Unwritten
from tensorwhy.recording import regular_files

if sys.platform != "win32":
    import fcntl

__all__ = ["Unwritten", "interrupted", "put_back", "write"]

_PREFIX = ".tensorwhy-"
_SOURCES = (".py", ".pyw", ".ipynb")


def write(folder: str, files: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Give these files (path -> contents before and after) their new contents, all or none. Raises Unwritten.

    Only sources in `folder` are written, and none where one of them holds something else than before.
    """
    tree = os.path.realpath(folder)
    entries = []
    for path, (before, after) in files.items():
        real = _source(tree, folder, path)
        entries.append(Entry(real, _beside(real), before, after))
    with _alone(tree):
        if journal.saved(tree):
            raise Unwritten("an earlier run was interrupted while writing")
        for entry in entries:
            _expect(entry, entry.before)
        try:
            _prepare(tree, entries)
            for entry in entries:
                _put(entry, entry.before)
            journal.settle([entry.path for entry in entries])
        except OSError as error:
            _undo(tree, entries)
            raise Unwritten(f"{error.filename}: cannot be written ({error.strerror})") from None
        except BaseException:
            _undo(tree, entries)
            raise
        with contextlib.suppress(OSError):  # a journal of what is complete does no harm
            _forget(tree, entries)


def interrupted(folder: str) -> bool:
    """True if a run was killed while it wrote to this program's files. Raises Unwritten when that cannot be told."""
    return bool(journal.saved(os.path.realpath(folder)))


def put_back(folder: str) -> tuple[str, ...]:
    """Undo what a killed run wrote, and remove what it left. Gives the files that were edited since: those stay.

    What it had written completely stays too. Raises Unwritten where nothing can be put back.
    """
    tree = os.path.realpath(folder)
    with _alone(tree):
        entries = journal.saved(tree)
        for entry in entries:  # the tree may have changed since
            _source(tree, tree, entry.path)
        try:
            if all(_holds(each.path) == each.after and _holds(each.temporary) in _ours(each) for each in entries):
                _forget(tree, entries)
                return ()
            return _revert(tree, entries)
        except OSError as error:
            raise Unwritten(f"{error.filename}: cannot be restored ({error.strerror})") from None


def _source(tree: str, folder: str, path: str) -> str:
    """The real path of a file that may be written: a source in the tree. Raises Unwritten for everything else."""
    shown = os.path.abspath(path)
    inside = os.path.relpath(shown, os.path.abspath(folder))
    if inside.startswith(os.pardir):  # the folder may have another name
        inside = os.path.relpath(os.path.join(os.path.realpath(os.path.dirname(shown)), os.path.basename(shown)), tree)
    real = os.path.join(tree, inside)
    if inside.startswith(os.pardir) or os.path.isabs(inside):
        raise Unwritten(f"{path} is outside {tree}")
    if any(part.startswith(".") for part in inside.split(os.sep)):
        raise Unwritten(f"{path} is hidden, or in a hidden folder")
    if os.path.realpath(real) != real:
        raise Unwritten(f"{path} is a symbolic link, or is reached through one")
    if not real.endswith(_SOURCES):
        raise Unwritten(f"{path} is neither a Python file nor a notebook")
    if os.path.lexists(real) and not stat.S_ISREG(os.lstat(real).st_mode):
        raise Unwritten(f"{path} is not a regular file")
    return real


@contextlib.contextmanager
def _alone(tree: str) -> Iterator[None]:
    """Two runs never write to the files of one program at the same time. The lock ends with its process."""
    if sys.platform == "win32":  # folders cannot be locked there
        yield
        return
    handle = os.open(tree, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unwritten("another run is writing to these files") from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


def _prepare(tree: str, entries: Sequence[Entry]) -> None:
    """The journal, and the new contents beside the files, safely on the disk."""
    journal.save(tree, tuple(entries))
    for entry in entries:
        _create(entry, entry.after)
    journal.settle([entry.path for entry in entries])


def _create(entry: Entry, data: bytes) -> None:
    """The file beside, with the permissions and the owner of the one whose place it takes."""
    part = entry.temporary + journal.PART
    journal.remove(part)
    journal.create(part, data)
    shutil.copymode(entry.path, part)
    if sys.platform != "win32":
        status = os.stat(entry.path)
        with contextlib.suppress(OSError):  # only root may give files away
            os.chown(part, status.st_uid, status.st_gid)
    os.replace(part, entry.temporary)


def _put(entry: Entry, expected: bytes) -> None:
    """Exchange the file with the one beside it, if it holds what is expected; otherwise it stays. Raises Unwritten."""
    _expect(entry, expected)
    if not exchanged(entry.temporary, entry.path):
        os.replace(entry.temporary, entry.path)
    elif _holds(entry.temporary) != expected:
        exchanged(entry.temporary, entry.path)
        if _holds(entry.temporary) not in _ours(
            entry
        ):  # saved once more meanwhile: the latest edit is the one that counts
            exchanged(entry.temporary, entry.path)
        _expect(entry, expected)


def _expect(entry: Entry, expected: bytes) -> None:
    if _holds(entry.path) != expected:
        raise Unwritten(f"{entry.path} has changed since it was analyzed")


def _undo(tree: str, entries: Sequence[Entry]) -> None:
    """Put back what was written; where even that fails, the journal stays for the next run."""
    try:
        _revert(tree, entries)
    except OSError as error:
        raise Unwritten(
            f"{error.filename}: can be neither written nor restored ({error.strerror}); the next run tries again"
        ) from None


def _revert(tree: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The old contents where the new ones are. Gives the files that hold neither."""
    others = []
    for entry in entries:
        now, beside = _holds(entry.path), _holds(entry.temporary)
        if now == entry.after and beside != entry.after:  # exchanged; otherwise somebody else wrote the same
            if beside is None:
                _create(entry, entry.before)
            with contextlib.suppress(Unwritten):  # edited at this very moment: it stays
                _put(entry, entry.after)
        elif now not in (entry.before, entry.after):
            others.append(entry.path)
    journal.settle([entry.path for entry in entries])
    _forget(tree, entries)
    return tuple(others)


def _forget(tree: str, entries: Sequence[Entry]) -> None:
    """Remove what was needed for writing only, the journal last. What somebody else wrote is never removed."""
    for entry in entries:
        if _holds(entry.temporary) in _ours(entry):
            journal.remove(entry.temporary)
        journal.remove(entry.temporary + journal.PART)
    journal.forget(tree)


def _ours(entry: Entry) -> tuple[bytes | None, ...]:
    return (None, entry.before, entry.after)


def _beside(path: str) -> str:
    return os.path.join(os.path.dirname(path), f"{_PREFIX}{secrets.token_hex(8)}")


def _holds(path: str) -> bytes | None:
    try:
        return regular_files.read(path, journal.LARGEST, follow=False)
    except FileNotFoundError:
        return None
