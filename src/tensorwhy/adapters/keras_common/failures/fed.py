"""Reads a failure in `fit`, `evaluate` or `predict` whose data do not fit the inputs that the model declares."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.failures import targets
from tensorwhy.adapters.keras_common.learning import fed
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.data import FedData, Misnamed, Misshapen
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_METHODS = ("fit", "evaluate", "predict")


def misfits(live: LiveFailure, generation: int) -> Iterator[FedData]:
    """The data of the call that failed, training's own for validation among them."""
    for stack in live.whole():
        if stack.raised.user:
            continue
        for index, frame in stack.find(_METHODS):
            model = frame.local("self")
            if packages.runs(frame) and packages.kind_of(model) == "model":
                if packages.generation_of(model) == generation:
                    fact = _fact(live, stack, index, frame, model)
                    fact = fact or next(targets.misnamed(stack, index, frame, model), None)
                    if fact is not None:
                        yield fact
                        return
                break


def _fact(live: LiveFailure, stack: Stack, index: int, frame: Frame, model: Any) -> FedData | None:
    caller = stack.caller(index)
    data: Any = frame.local("x")
    if caller is None or data is None:
        return None
    inputs, as_dict = fed.declared(model)
    batch = frame.local("batch_size")
    found = (
        fed.misfit(inputs, as_dict and packages.generation_of(model) == 3, fed.given(data, batch)) if inputs else None
    )
    if found is None:
        return None
    outer = next((each for each in stack.frames[:index] if each.name == "fit" and each.local("self") is model), None)
    validation = frame.name == "evaluate" and outer is not None
    if _is_ordinary(found) and not validation:
        return None
    call = reading.call_at(caller.location, sources := Sources())
    position, keyword = (99, "validation_data") if validation else (0, "x")
    written = reading.argument(call, position, keyword) if call is not None else None
    shapes = fed.given(data, batch)
    dataset = hasattr(data, "element_spec")
    origin = bindings.origin(data, stack.user_frames(index), sources, live.user, depth=0) if dataset else None
    shown: dict[str, Any] = {
        "call": "fit" if validation else frame.name,
        "text": ast.unparse(written) if written is not None else "",
        "used": caller.location,
        "made": origin.location if origin is not None else None,
        "model": creations.made(model),
        "input": found.input.name if found.input is not None else "",
        "validation": validation,
        "dataset": dataset,
    }
    if found.kind == "keys":
        keys = tuple(sorted(shapes)) if isinstance(shapes, dict) else ()
        return Misnamed(keys=keys, inputs=tuple(sorted(each.key for each in inputs)), **shown)
    wanted = found.input.shape if found.input is not None else ()
    return Misshapen(kind=found.kind, given=found.shape, wanted=wanted, chosen=batch is None and not dataset, **shown)


def _is_ordinary(found: fed.Misfit) -> bool:
    """Return whether only a size differs: Keras names the axis and both sizes, and there is nothing to add."""
    return found.kind == "shape" and found.input is not None and len(found.shape) == len(found.input.shape)
