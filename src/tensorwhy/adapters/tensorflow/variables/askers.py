"""Who asks for a gradient: the user's own code, a model's method, beside which optimizer, on which replica."""

from __future__ import annotations

import weakref
from types import FrameType
from typing import Any

from tensorwhy.recording.frames import locals_of

_REACH = 4
"""How many of the user's frames are searched for an optimizer."""


def by_user(frame: FrameType | None, files: Any) -> bool:
    """Whether the first frame outside of TensorFlow, and of hooks on it, is the user's."""
    while frame is not None and any(part in frame.f_code.co_filename.replace("\\", "/") for part in _BETWEEN):
        frame = frame.f_back
    return frame is not None and bool(files[frame.f_code.co_filename])


_BETWEEN = ("/tensorflow/python/", "/tensorwhy/adapters/", "/tensorwhy/recording/")


def optimizer_in_reach(frame: FrameType | None, files: Any) -> bool:
    """Whether the user's functions that led here have an optimizer: as a variable, or as an attribute of `self`."""
    from tensorwhy.adapters.keras_common import packages

    found = 0
    while frame is not None and found < _REACH:
        if files[frame.f_code.co_filename]:
            found += 1
            local = locals_of(frame)
            held = getattr(local.get("self"), "__dict__", {})
            for space in (local, held, frame.f_globals):
                if any(packages.kind_of(value) == "optimizer" for value in list(space.values())):
                    return True
        frame = frame.f_back
    return False


def asking_model(frame: FrameType | None, files: Any) -> weakref.ref[Any] | None:
    """The model whose own method the user's innermost frames are in."""
    from tensorwhy.adapters.keras_common import packages

    while frame is not None:
        if files[frame.f_code.co_filename]:
            asker = locals_of(frame).get("self")
            return weakref.ref(asker) if packages.kind_of(asker) == "model" else None
        frame = frame.f_back
    return None


def replica() -> int:
    """The number of the replica that this thread runs for `tf.distribute`; 0 where there is only one."""
    from tensorflow import distribute

    context = distribute.get_replica_context() if distribute.has_strategy() else None
    number = getattr(context, "_replica_id_in_sync_group", 0)
    return number if isinstance(number, int) else 0


def replicas() -> int:
    """On how many devices `tf.distribute` runs what this thread runs; 1 where there is no strategy."""
    from tensorflow import distribute

    return int(distribute.get_strategy().num_replicas_in_sync) if distribute.has_strategy() else 1
