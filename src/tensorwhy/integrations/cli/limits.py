"""Bounds the memory of a command that only reads: what it is given may be made to use all there is.

Readers have limits of their own. This one is for what they do not foresee: a MemoryError can be told in one line,
while a machine without memory takes other programs down.
"""

from __future__ import annotations

import os
import sys

MOST = 800 << 20
"""Bytes that a command may take in addition to what it has when it begins."""

_USED = "/proc/self/statm"


def limit_memory() -> None:
    """Let allocations fail from here on when they come to too much, where the system can do that."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # the others reserve more than they use
    if sys.platform != "linux":
        return
    import resource

    try:
        with open(_USED, encoding="ascii") as stream:
            taken = int(stream.read().split()[0]) * resource.getpagesize()
    except OSError:  # a chroot or sandbox without /proc: the command runs all the same
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    room = taken + _LIBRARIES + MOST
    if soft == resource.RLIM_INFINITY or soft > room:
        resource.setrlimit(resource.RLIMIT_AS, (room, hard))


_LIBRARIES = 400 << 20
"""Addresses that pyarrow's libraries and threads take, most of which are never used."""
