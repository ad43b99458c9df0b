"""The recording that runs now, for what is called by name: words for objects, and probes of failures."""

from __future__ import annotations

import weakref
from typing import Any

from tensorwhy.adapters.torch.seen import Recording

_known: list[weakref.ref[Any]] = []


def know(recording: Recording) -> None:
    """From now on, this is the recording."""
    _known[:] = [weakref.ref(recording)]


def recording() -> Recording | None:
    """The last one that was begun, as long as it is there."""
    return _known[0]() if _known else None
