"""Reads a failed `Input(tensor=...)`: it was given something with values, and an input of a model has none."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.symbolic import NotSymbolic
from tensorwhy.source.files import Sources

_VALUES = ("eager tensor", "array", "variable", "number")


def with_values(live: LiveFailure, generation: int) -> Iterator[NotSymbolic]:
    """The value that an input layer of this generation was to be made of."""
    sources = Sources()
    for stack in live.whole():
        last = stack.innermost_user()
        for index in range(0 if last is None else last + 1, len(stack.frames)):
            call = stack.frames[index]
            layer, thing = call.local("self"), call.local("input_tensor")
            if not (packages.runs(call) and call.function == "__init__" and type(layer).__name__ == "InputLayer"):
                continue
            before = stack.caller(index)
            if packages.sort(thing) not in _VALUES or before is None or before.location is None:
                continue
            if packages.generation_of(layer) != generation:
                continue
            given = givens.describe(thing, stack, index, live.user, sources, parameter="tensor", position=6)
            needed_by = givens.called(stack, index, sources, "Input")
            yield NotSymbolic(given=given, needed_by=needed_by, used=before.location)
            return
