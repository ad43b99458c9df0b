"""A value that was added to a model as its loss or metric, outside of every `call`: `model.add_loss(penalty)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.symbolic import NotSymbolic
from tensorwhy.source.files import Sources

_VALUES = ("eager tensor", "array", "variable", "number")


def values(live: LiveFailure, generation: int) -> Iterable[Fact]:
    """The first value that Keras 2 was handed and that is no symbolic tensor."""
    sources = Sources()
    for stack in live.whole() if generation == 2 else ():
        index, call = len(stack.frames) - 1, stack.raised
        before = stack.caller(index)
        if (
            not packages.runs(call)
            or before is None
            or before.location is None
            or not isinstance(stack.exception, ValueError)
        ):
            continue
        value, added = _refused(call)
        if packages.sort(value) not in _VALUES or packages.generation_of(call.local("self")) != generation:
            continue
        given = givens.describe(value, stack, index, live.user, sources, position=0)
        written = givens.called(stack, index, sources, call.function)
        yield NotSymbolic(given=given, needed_by=written, used=before.location, added=added)
        return


def _refused(call: Frame) -> tuple[Any, Literal["", "loss", "metric"]]:
    """What Keras did not take, and what it was to be. Within a `call` it takes values, too."""
    if call.local("in_call_context") is not False:
        return None, ""
    if call.function == "add_loss":
        return next(iter(call.local("eager_losses") or ()), None), "loss"
    named = call.local("name") is not None or call.local("from_metric_obj")
    return (call.local("value"), "metric") if call.function == "add_metric" and named else (None, "")
