"""Losses that compare each target with several outputs, or each output with several targets.

`(32, 1)` and `(32, 30, 1)` broadcast, and the loss falls. Of the first calls of each loss the shapes are compared; the
layers of the model tell which of them gives the axis on.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

Shape = tuple[int | None, ...]
_BY_ELEMENT = (
    "mean_squared_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_logarithmic_error",
    "binary_crossentropy",
    "huber",
    "log_cosh",
    "poisson",
)
"""Losses that compare each number of the one with the number in its place of the other."""
_LOOKS, _MOST = 4, 64


class _Compared(NamedTuple):
    loss: str
    given: Shape
    made: Shape
    at: Location
    layer: Location | None
    label: str


_FOUND: dict[tuple[str, int], _Compared] = {}
_LOOKED: dict[int, int] = {}


def watch(loss_class: Any, user: UserCode) -> Callable[[], None]:
    """Look at what the losses of a class are given. Returns what takes the hook out."""
    looking = Bulkhead()

    def hooked(original: Any) -> Any:
        @functools.wraps(original)
        def __call__(self: Any, y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
            if _LOOKED.get(id(self), 0) < _LOOKS:
                looking(_look, self, y_true, y_pred, sys._getframe(1), user)
            return original(self, y_true, y_pred, *args, **kwargs)

        return __call__

    undo = replaced(loss_class, "__call__", hooked)

    def all_back() -> None:
        _FOUND.clear()
        _LOOKED.clear()
        undo()

    return all_back


def _look(loss: Any, given: Any, made: Any, frame: FrameType | None, user: UserCode) -> None:
    if len(_LOOKED) < _MOST:
        _LOOKED[id(loss)] = _LOOKED.get(id(loss), 0) + 1
    name = str(getattr(getattr(loss, "fn", None), "__name__", ""))
    shapes = [nodes.shape(each) if hasattr(each, "shape") else None for each in (given, made)]
    if name not in _BY_ELEMENT or shapes[0] is None or shapes[1] is None or len(_FOUND) >= _MOST:
        return
    targets, outputs = _size(shapes[0]), _size(shapes[1])
    if not targets or not outputs or targets == outputs or max(targets, outputs) % min(targets, outputs):
        return
    place = locations.caller(user, frame)
    if place is None:
        return
    at = locations.resolve(*place)
    model = _model(frame, user)
    layer = _last(model, shapes[1]) if model is not None else None
    made_at = creations.made(layer) if layer is not None else None
    label = f"`{layer.name}` gives {_written(shapes[1])}" if layer is not None else ""
    _FOUND[at.file, at.line] = _Compared(name, shapes[0], shapes[1], at, made_at, label)


def _size(shape: Shape) -> int | None:
    """How many numbers there are for each sample; None where that is unknown."""
    return math.prod(shape[1:]) if all(each is not None for each in shape[1:]) else None  # type: ignore[arg-type]


def _model(frame: FrameType | None, user: UserCode) -> Any:
    """The model that a training call is for; in a loop of the program's own the one that is alive, if there is one."""
    while frame is not None and not user.owns(frame.f_code.co_filename):
        held = locals_of(frame).get("self") if frame.f_code.co_name in ("fit", "evaluate", "train_on_batch") else None
        if packages.kind_of(held) == "model":
            return held
        frame = frame.f_back
    live = creations.live(("model",))
    return live[0] if len(live) == 1 else None


def _last(model: Any, made: Shape) -> Any:
    """The last layer of a chain, where it gives this shape."""
    found = None
    for layer in packages.layers_of(model)[1:]:
        calls = nodes.calls_of(layer)
        outputs = nodes.outputs(calls[-1]) if calls else ()
        shape = nodes.shape(outputs[0]) if len(outputs) == 1 else None
        found = layer if shape is not None and shape[1:] == made[1:] else None
    return found


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each line that trains or computes such a loss."""
    sources = Sources()
    while _FOUND:  # each is told once
        each = _FOUND.pop(next(iter(_FOUND)))
        used = reading.exact(each.at, sources) or each.at
        targets, outputs = _size(each.given) or 1, _size(each.made) or 1
        few = outputs < targets
        many = max(targets, outputs) // min(targets, outputs)
        what = f"each output with {many} targets" if few else f"each target with {many} outputs"
        yield Observed(
            slug="accidental-broadcast",
            message=f"the model gives {_written(each.made)} and the targets have {_written(each.given)}: "
            f"`{each.loss}` broadcasts them, and compares {what}",
            severity="warning",
            label=each.label or "the loss is computed here",
            location=each.layer or used,
            related=(Marked.at(used, "the loss is computed here", "used"),) if each.layer is not None else (),
            fixes=(
                Fix(
                    summary=f"let the model give {targets} numbers for each sample, as many as there are targets"
                    if few
                    else "let the model give one output for each sample: `Flatten`, a pooling layer, or "
                    "`return_sequences=False` in the last recurrent layer"
                    if targets == 1 and len(each.made) > 2
                    else "give as many targets as the model has outputs, or let its last layer give as many as there"
                    " are targets",
                    caveat=f"unless all {many} {'targets' if few else 'outputs'} are meant to be compared with the one"
                    f" {'output' if few else 'target'}",
                ),
            ),
        )


def _written(shape: Shape) -> str:
    return "(" + ", ".join(["n", *(str(size) for size in shape[1:])]) + ("," if len(shape) == 1 else "") + ")"
