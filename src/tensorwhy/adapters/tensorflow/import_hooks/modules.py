"""Notes the variables of modules that a plain value takes the place of."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.adapters.keras_common.learning import replaced_weights
from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hook how attributes of modules are set."""
    from tensorflow import Module

    tracking = next(each for each in Module.__mro__ if each.__name__ == "AutoTrackable")  # its home changed
    return replaced_weights.watch(tracking, user)
