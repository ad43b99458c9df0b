"""Reads files that others may have put there: regular ones only, never waiting, and never more than was allowed for.

A path may name a pipe that nobody writes to, a device that never ends, or a sparse file of terabytes. What is refused
raises an OSError, as what cannot be read does.
"""

from __future__ import annotations

import errno
import os
import stat
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
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {_size(limit)}", path)
    return data


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count} bytes"
