"""Keeps our own files out of the stacks that TensorFlow stores with every graph node and prints in its messages.

`tf_stack` drops frames by file name, as its own `CurrentModuleFilter` does for one module. Its filters form a stack per
thread, each built upon the one below, so the one at the bottom is where a file is hidden from everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hide the frames below the program, and those of hooks within it."""
    from tensorflow.python.util import tf_stack

    stacks = tf_stack._source_filter_stacks
    before, known = stacks.default_factory, dict(stacks)
    hidden = frozenset(user.hidden)

    class Hidden(tf_stack.SentinelFilter):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.internal_set.update_to(set(hidden))

        def get_filtered_filenames(self) -> frozenset[str]:
            return hidden

    bottoms: list[tuple[list[Any], Any]] = [(stack, stack[0]) for stack in known.values()]
    stacks.default_factory = lambda: [Hidden()]
    for stack, _ in bottoms:
        stack[0] = Hidden()

    def uninstall() -> None:
        stacks.default_factory = before
        for stack, bottom in bottoms:
            stack[0] = bottom

    return uninstall
