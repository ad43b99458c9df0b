"""Reads files that others may have put there: regular ones only, never waiting, and never more than was allowed for.

A path may name a pipe that nobody writes to, a device that never ends, or a sparse file of terabytes. What is refused
raises an OSError, as what cannot be read does.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from typing import BinaryIO

LARGEST = 64 << 20
"""Bytes of a file, where its reader says nothing else. The largest Python files people write have a few megabytes."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def opened(path: str | os.PathLike[str], limit: int = LARGEST, follow: bool = True) -> BinaryIO:
    """Open a regular file of at most `limit` bytes. Without `follow`, the file must not be a symbolic link."""
    handle = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        if status.st_size > limit:
            raise OSError(errno.EFBIG, f"larger than {_size(limit)}", path)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read(path: str | os.PathLike[str], limit: int = LARGEST, follow: bool = True) -> bytes:
    """All bytes of such a file; one that grows meanwhile, or does not know its size, is held to the limit as well."""
    with opened(path, limit, follow) as stream:
        data = stream.read(limit + 1)
    if data is None:  # some files of /proc wait for the system to say something
        raise OSError(errno.EAGAIN, "nothing to read yet", path)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {_size(limit)}", path)
    return data


def program(path: str, limit: int = LARGEST) -> bytes:
    """The text of a program: of a regular file, or of a pipe as long as somebody writes (`python <(generate)`)."""
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        return read(path, limit)
    handle, data, until = os.open(path, _FLAGS), b"", time.monotonic() + _PATIENCE
    try:
        while len(data) <= limit:
            try:
                piece = os.read(handle, 1 << 16)
            except BlockingIOError:  # who writes is not done
                select.select([handle], [], [])
                continue
            if not piece and data:
                return data
            if not piece and time.monotonic() > until:
                raise OSError(errno.EINVAL, "nothing writes to it", path)
            time.sleep(0 if piece else 0.05)
            data += piece
    finally:
        os.close(handle)
    raise OSError(errno.EFBIG, f"larger than {_size(limit)}", path)


_PATIENCE = 3.0
"""Seconds in which somebody has to begin to write to a pipe."""


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count} bytes"
