"""Remembers the user's line of every lookup table: one that is missing in a SavedModel fails far from there."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.adapters.keras_common import creations
from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hook the constructor that all tables share."""
    from tensorflow.python.ops.lookup_ops import LookupInterface

    return creations.after(LookupInterface, "__init__", user)
