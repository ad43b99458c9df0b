"""Notes what NumPy warns of while the program computes what it trains on."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.adapters import number_warnings
from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Look at the warnings that are shown."""
    return number_warnings.watch(user)
