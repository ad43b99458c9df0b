"""Exchanges two files in one step, where the system can.

A file that is merely replaced is lost, with whatever an editor saved into it since it was last looked at. A file that
was exchanged can still be looked at, and exchanged back.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable

_HERE = -100  # AT_FDCWD of Linux
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def exchanged(one: str, other: str) -> bool:
    """Exchange them; False, and nothing happened, where the system or the file system cannot. Raises OSError."""
    call = _call()
    if call is None:
        return False
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), other)


@functools.cache
def _call() -> Callable[[bytes, bytes], int] | None:
    try:
        if sys.platform == "linux":
            linux = ctypes.CDLL(None, use_errno=True).renameat2
            linux.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: int(linux(_HERE, one, _HERE, other, _EXCHANGE))
        if sys.platform == "darwin":
            darwin = ctypes.CDLL(None, use_errno=True).renamex_np
            darwin.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: int(darwin(one, other, _EXCHANGE))
    except (OSError, AttributeError):  # a C library without it
        pass
    return None
