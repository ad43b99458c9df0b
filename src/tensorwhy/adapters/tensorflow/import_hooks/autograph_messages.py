"""Keeps our own frames out of the stack that AutoGraph writes into the message of an exception it passes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hide the frames of hooks between converted code and the library that raised."""
    from tensorflow.python.autograph.pyct import error_utils

    original = error_utils._stack_trace_inside_mapped_code
    hidden = user.hidden

    def _stack_trace_inside_mapped_code(tb: Any, *args: Any) -> Any:
        return original([frame for frame in tb if frame[0] not in hidden], *args)

    def uninstall() -> None:
        if error_utils._stack_trace_inside_mapped_code is _stack_trace_inside_mapped_code:
            error_utils._stack_trace_inside_mapped_code = original

    error_utils._stack_trace_inside_mapped_code = _stack_trace_inside_mapped_code
    return uninstall
