"""Whether a call runs under a gradient tape of the user's: there, values are what is wanted."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tensorwhy.adapters.keras_common.failures import lookup, tensor_methods
from tensorwhy.adapters.stack import Frame
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def under_tape(calls: Sequence[Frame], tensor: Any, sources: Sources) -> bool:
    """Return whether the last of these calls, or one that called it, stands in a `with tf.GradientTape()` block.

    What is called from there may assemble a model; then the tensor is of none that is finished.
    """
    for call in reversed(calls):
        if call.user and _in_block(call, sources):
            return call is calls[-1] or tensor_methods.in_finished_model(tensor)
    return False


def _in_block(call: Frame, sources: Sources) -> bool:
    location = call.location
    tree = sources.tree(location.file) if location is not None else None
    if location is None or tree is None:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and reading.on_line(node, location.line):
            for item in node.items:
                tape = item.optional_vars
                held = lookup.value(tape, call) if isinstance(tape, ast.Name) else None
                if type(held).__name__ == "GradientTape":
                    return True
    return False
