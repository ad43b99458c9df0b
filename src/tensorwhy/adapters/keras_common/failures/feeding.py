"""Reads a failure of `predict` under an open tape: the tape asks for the gradient of reading from a dataset.

Keras 2 traces `predict` under the tape, as any function. Its data come out of an iterator, which has no gradient, so
TensorFlow fails while it differentiates the function, before anybody asked for a gradient.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import lookup
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.recorder import FedWhileRecording
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_GIVING_ARRAYS = ("predict", "predict_on_batch", "predict_generator")


def under_tape(live: LiveFailure, generation: int) -> Iterator[FedWhileRecording]:
    """The `predict` whose function could not be differentiated, with the tape that asked for it."""
    sources = Sources()
    for stack in live.whole():
        op = _undifferentiable(stack)
        index = _feeding(stack, generation) if op else None
        before = stack.caller(index) if index is not None else None
        if index is None or before is None or before.location is None:
            continue
        node = reading.call_at(before.location, sources)
        written = ast.unparse(node.func) if node is not None else "predict"
        yield FedWhileRecording(
            call=written,
            model=written.rpartition(".")[0] or "model",
            location=before.location,
            op=op,
            opened=next(
                (opened for each in reversed(stack.frames[:index]) if (opened := _opened(each, sources))), None
            ),
        )
        return


def _undifferentiable(stack: Stack) -> str:
    """The kind of operation that reads from an iterator, when its missing gradient is what failed."""
    if not isinstance(stack.exception, LookupError):
        return ""
    for call in reversed(stack.frames):
        if call.function == "_GradientsHelper" and call.module.startswith("tensorflow."):
            op = call.local("op")
            given: Any = getattr(op, "inputs", ())
            fed = len(given) == 1 and getattr(given[0].dtype, "name", "") == "resource"
            return str(op.type) if fed and str(op.type).startswith("Iterator") else ""
    return ""


def _feeding(stack: Stack, generation: int) -> int | None:
    """The frame of the model's method, or of the wrapper that Keras puts around it."""
    for index, call in enumerate(stack.frames):
        passed = call.local("args") if call.function == "error_handler" else None
        name = getattr(call.local("fn"), "__name__", "") if passed else call.function
        owner: Any = passed[0] if passed else call.local("self")
        if not packages.runs(call) or name not in _GIVING_ARRAYS or packages.kind_of(owner) != "model":
            continue
        if packages.generation_of(owner) == generation:
            return index
    return None


def _opened(call: Frame, sources: Sources) -> Location | None:
    """The innermost `with` around a line of the user that opened a tape which still records."""
    if call.location is None:
        return None
    tree = sources.tree(call.location.file)
    found: Location | None = None
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.With) or not reading.on_line(node, call.location.line):
            continue
        for item in node.items:
            tape = item.optional_vars
            held = lookup.value(tape, call) if isinstance(tape, ast.Name) else None
            if getattr(held, "_recording", False) is True and tape is not None:
                found = reading.where(item.context_expr, call.location.file, call.location.function, sources)
    return found
