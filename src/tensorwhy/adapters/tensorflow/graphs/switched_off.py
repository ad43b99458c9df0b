"""Where the program switched eager execution off, for the whole process: its own line, or one that it imports."""

from __future__ import annotations

import ast
import sys

import tensorflow as tf

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CALLS = ("disable_eager_execution", "disable_v2_behavior")


def line(live: LiveFailure, sources: Sources) -> Location | None:
    """The first such call in the user's files; None where eager execution is on, or a library switched it off."""
    if tf.compat.v1.executing_eagerly_outside_functions():
        return None
    running = [frame.frame.f_code.co_filename for frames in live.frames for frame in frames]
    imported = [str(getattr(module, "__file__", "") or "") for module in list(sys.modules.values())]
    for file in dict.fromkeys(running + imported):
        tree = sources.tree(file) if live.user.owns(file) else None
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Call) and reading.callee(node) in _CALLS:
                return reading.where(node, file, "<module>", sources)
    return None
