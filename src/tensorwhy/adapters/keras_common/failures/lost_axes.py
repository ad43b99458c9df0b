"""A loss that refuses targets and outputs of shapes that do not fit, and the layer after which they no longer do.

Targets with one value for each step, and a model whose last recurrent layer gives one output in all, differ by an axis.
The layers of the model tell where that axis was lost, or where the size of an axis comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.learning.training import layers_of
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

_TRAINING = ("fit", "evaluate", "train_on_batch")
_GIVEN, _MADE = ("target", "y_true"), ("output", "y_pred")
Shape = tuple[int | None, ...]


class _Lost(NamedTuple):
    layer: Any
    before: Shape
    after: Shape


def misfits(live: LiveFailure, generation: int) -> Iterator[Observed]:
    """The layer that took an axis away which the targets have."""
    for stack in live.whole():
        if stack.raised.user:
            continue
        for index, frame in stack.find(_TRAINING):
            model = frame.local("self")
            if packages.kind_of(model) != "model" or packages.generation_of(model) != generation:
                continue
            caller = stack.caller(index)
            shapes = _shapes(stack)
            lost = _lost(model, *shapes) if shapes is not None else None
            if caller is not None and shapes is not None and lost is not None:
                yield _fact(lost, *shapes, caller.location)
                return


def _shapes(stack: Stack) -> tuple[Shape, Shape] | None:
    """The shapes of targets and outputs that the raising function was given."""
    values = [
        next((value for name in names if (value := stack.raised.local(name)) is not None), None)
        for names in (_GIVEN, _MADE)
    ]
    found = [nodes.shape(each) if hasattr(each, "shape") else None for each in values]
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def _lost(model: Any, given: Shape, made: Shape) -> _Lost | None:
    """The last layer of a chain that got an axis of the targets' size, and gave none."""
    if len(given) < 2 or len(given) != len(made):
        return None
    steps, found = given[1], None
    for layer in layers_of(model):
        for node in nodes.calls_of(layer):
            inputs = [nodes.shape(each) for each in nodes.inputs(node)]
            outputs = [nodes.shape(each) for each in nodes.outputs(node)]
            if len(inputs) != 1 or len(outputs) != 1 or inputs[0] is None or outputs[0] is None:
                continue
            before, after = inputs[0], outputs[0]
            if len(before) > 2 and before[1] == steps and steps is not None and len(after) == len(before) - 1:
                found = _Lost(layer, before, after)
    return found if found is not None and steps not in found.after[1:] else None


def _fact(lost: _Lost, given: Shape, made: Shape, used: Any) -> Observed:
    layer, kind = lost.layer, type(lost.layer).__name__
    recurrent = hasattr(layer, "return_sequences")
    fix = (
        "let it give the output of each step: `return_sequences=True`"
        if recurrent
        else f"leave out the `{kind}`, so that each step has an output"
    )
    return Observed(
        slug="loss-misfit",
        message=f"the targets have shape {given}, one value for each of {given[1]} steps, but the model gives {made}: "
        f"layer `{layer.name}` ({kind}) gives one output for all steps",
        severity="error",
        label=f"from {_written(lost.before)} to {_written(lost.after)}",
        location=creations.made(layer) or used,
        related=(Marked.at(used, "the loss refuses them here", "used"),),
        fixes=(Fix(summary=fix, caveat="if one output for all steps is meant: give one target for each sample"),),
    )


def _written(shape: Shape) -> str:
    return "(" + ", ".join("n" if size is None else str(size) for size in shape) + ")"
