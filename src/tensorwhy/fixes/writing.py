"""Writes several files as one: each gets its new contents, or all keep the old ones.

The new contents are written beside the files first, then one rename for each puts them in place. A single rename is
atomic, several are not: so a journal in the program's folder holds what the files held, from before the first rename
until after the last. Where a rename fails, the files are put back from it at once; where the process is killed, the
next run finds the journal and puts them back then.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

if sys.platform != "win32":
    import fcntl

JOURNAL = ".tensorwhy-fix.json"
_PREFIX = ".tensorwhy-"


class Unwritten(Exception):
    """No file has new contents; says why."""


class _Entry(msgspec.Struct, frozen=True):
    """One file, both of its contents, and where the new ones lie until it is renamed."""

    path: str
    temporary: str
    before: bytes
    after: bytes


def write(folder: str, files: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Give these files (path -> contents before and after) their new contents, all or none. Raises Unwritten.

    `folder` is the program's, and gets the journal. Where one file holds something else than before, none is touched.
    """
    entries = [_Entry(path, _beside(path), before, after) for path, (before, after) in files.items()]
    with _alone(folder):
        if interrupted(folder):
            raise Unwritten("an earlier run was interrupted while it wrote")
        try:
            _prepare(folder, entries)
            _replace(entries)
        except OSError as error:
            _undo(folder, entries)
            raise Unwritten(f"{error.filename}: cannot be written ({error.strerror})") from None
        except BaseException:
            _undo(folder, entries)
            raise
        with contextlib.suppress(OSError):  # a journal of what is complete does no harm
            _forget(folder, entries)


def interrupted(folder: str) -> bool:
    """Whether a run was killed while it wrote to this program's files."""
    return os.path.exists(os.path.join(folder, JOURNAL))


def put_back(folder: str) -> tuple[str, ...]:
    """Undo what a killed run wrote, and remove what it left. Gives the files that were edited since: those stay.

    What it had written completely stays too. Raises Unwritten where nothing can be put back.
    """
    journal = Path(folder, JOURNAL)
    with _alone(folder):
        try:
            entries = msgspec.json.decode(journal.read_bytes(), type=list[_Entry])
        except (OSError, msgspec.MsgspecError) as error:
            raise Unwritten(f"{journal}: cannot be read ({error})") from None
        if not all(_within(folder, entry) for entry in entries):
            raise Unwritten(f"{journal}: is about files outside of {folder}")
        try:
            if all(_holds(entry.path) == entry.after for entry in entries):
                _forget(folder, entries)
                return ()
            return _revert(folder, entries)
        except OSError as error:
            raise Unwritten(f"{error.filename}: cannot be put back ({error.strerror})") from None


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Two runs never write to the files of one program at the same time. The lock ends with its process."""
    if sys.platform == "win32":  # folders cannot be locked there
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unwritten("another run writes to these files at this moment") from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


def _prepare(folder: str, entries: Sequence[_Entry]) -> None:
    """The journal, and the new contents beside the files, safely on the disk."""
    part = _part(folder)
    _remove(part)
    _create(part, msgspec.json.encode(entries))
    os.replace(part, os.path.join(folder, JOURNAL))
    for entry in entries:
        _create(entry.temporary, entry.after)
        shutil.copymode(entry.path, entry.temporary)
    _settle([os.path.join(folder, JOURNAL), *(entry.path for entry in entries)])


def _replace(entries: Sequence[_Entry]) -> None:
    for entry in entries:
        if Path(entry.path).read_bytes() != entry.before:
            raise Unwritten(f"{entry.path} was changed since it was analysed")
    for entry in entries:
        os.replace(entry.temporary, entry.path)
    _settle([entry.path for entry in entries])


def _undo(folder: str, entries: Sequence[_Entry]) -> None:
    """Put back what was renamed; where even that fails, the journal stays for the next run."""
    try:
        _revert(folder, entries)
    except OSError as error:
        raise Unwritten(
            f"{error.filename}: can neither be written nor put back ({error.strerror}); the next run tries again"
        ) from None


def _revert(folder: str, entries: Sequence[_Entry]) -> tuple[str, ...]:
    """The old contents where the new ones are. Gives the files that hold neither."""
    others = []
    for entry in entries:
        now = _holds(entry.path)
        if now == entry.after:
            _remove(entry.temporary)
            _create(entry.temporary, entry.before)
            shutil.copymode(entry.path, entry.temporary)
            os.replace(entry.temporary, entry.path)
        elif now != entry.before:
            others.append(entry.path)
    _settle([entry.path for entry in entries])
    _forget(folder, entries)
    return tuple(others)


def _forget(folder: str, entries: Sequence[_Entry]) -> None:
    """Remove what was needed for writing only, the journal last."""
    for path in (*(entry.temporary for entry in entries), _part(folder), os.path.join(folder, JOURNAL)):
        _remove(path)


def _part(folder: str) -> str:
    """The journal while it is being written."""
    return os.path.join(folder, JOURNAL + ".part")


def _beside(path: str) -> str:
    return os.path.join(os.path.dirname(path), f"{_PREFIX}{secrets.token_hex(8)}")


def _within(folder: str, entry: _Entry) -> bool:
    """Whether a journal, which anybody may have written, names what a run in this folder could have written."""
    inside = os.path.realpath(folder) + os.sep
    here = os.path.realpath(entry.path).startswith(inside) and os.path.realpath(entry.temporary).startswith(inside)
    return here and os.path.basename(entry.temporary).startswith(_PREFIX)


def _holds(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        return None


def _create(path: str, data: bytes) -> None:
    """A file that was not there before, safely on the disk."""
    with open(path, "xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _settle(paths: Sequence[str]) -> None:
    """Renames are safe on the disk when the folders are."""
    for folder in dict.fromkeys(os.path.dirname(path) for path in paths):
        with contextlib.suppress(OSError):  # not every system knows this of folders
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
