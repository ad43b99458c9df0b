"""Losses that take probabilities, and what they are given: Keras clips other numbers to 0 and 1 and says nothing.

Of the first calls at each line it is looked at the values, or, in a graph, at the operation that made them.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters import autograph, variable_values
from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_FUNCTIONS = {
    "binary_crossentropy": "sigmoid",
    "categorical_crossentropy": "softmax",
    "sparse_categorical_crossentropy": "softmax",
}
"""Losses, each with the activation that gives what it takes."""
_LOOKS, _LARGEST = 24, 1 << 16
_OUTSIDE = 1e-3
_MOVES = frozenset({"Identity", "Reshape", "Squeeze", "ExpandDims", "Cast", "StridedSlice", "Transpose"})
_READS = frozenset({"ReadVariableOp", "Cast"})
_MATRICES = frozenset({"MatMul", "BatchMatMulV2", "Conv1D", "Conv2D", "Reshape", "ExpandDims", "Squeeze", "Einsum"})


class _Misfit(NamedTuple):
    """A call of a loss, and the range of what it is given, as far as its values were seen."""

    function: str
    at: Location
    low: float | None
    high: float | None
    half: bool = False


_FOUND: dict[Location, _Misfit] = {}
_OVER_ONE: dict[Location, None] = {}
_fuses_losses: list[Any] = []
"""The modules of Keras 2, which computes a loss from what went into the last activation."""
_OLDER = 2
_LOOKED: dict[tuple[int, int, str], int] = {}


def watch(module: Any, user: UserCode) -> Callable[[], None]:
    """Look at the losses of a module. Returns what takes the hooks out."""
    looking = Bulkhead()

    def hooked(original: Any) -> Any:
        name = original.__name__

        @functools.wraps(original)
        def loss(target: Any, output: Any, from_logits: Any = False, *args: Any, **kwargs: Any) -> Any:
            looking(_count, name, output, sys._getframe(1), user)
            if from_logits is False:
                looking(_look, name, output, sys._getframe(1), user)
            return original(target, output, from_logits, *args, **kwargs)

        return loss

    if module.__name__.endswith("backend"):
        _fuses_losses.append(module)
    undo = [replaced(module, name, hooked) for name in _FUNCTIONS]

    def all_back() -> None:
        _FOUND.clear()
        _LOOKED.clear()
        _OVER_ONE.clear()
        _fuses_losses.clear()
        for each in undo:
            each()

    return all_back


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One for each line that calls such a loss with other numbers."""
    sources = Sources()
    for misfit in _FOUND.values():
        yield _fact(misfit, sources)
    for at in _OVER_ONE if generation == _OLDER else ():
        yield _over_one(at)


def _count(name: str, output: Any, frame: FrameType | None, user: UserCode) -> None:
    """Note a softmax over one unit. Keras 2 takes it together with the loss, and its gradient is then no zero."""
    shape = getattr(output, "shape", None)
    if name != "categorical_crossentropy" or not _fuses_losses or shape is None or not shape or shape[-1] != 1:
        return
    place = _caller(frame, user)
    at = place[2] if place is not None else _compiled(frame)
    if at is not None:
        _OVER_ONE[at] = None


def _compiled(frame: FrameType | None) -> Location | None:
    """Where the model that is being trained was compiled."""
    while frame is not None:
        model = locals_of(frame).get("self")
        found = fitting.compiled_at(model) if model is not None else None
        if found is not None:
            return found
        frame = frame.f_back
    return None


def _over_one(at: Location) -> Observed:
    return Observed(
        slug="zero-cancelled",
        message="the loss is the same for every model output: it runs over one class, whose probability is always 1",
        label="this cross-entropy runs over one unit, whose probability is always 1",
        location=at,
        severity="warning",
        notes=("the weights can still move: labels of 0 give a gradient, although the loss stays the same",),
        fixes=(
            Fix(summary="for one unit with a sigmoid, use the binary cross-entropy"),
            Fix(summary="or give the last layer one unit per class, and a softmax"),
        ),
    )


def _look(name: str, output: Any, frame: FrameType | None, user: UserCode) -> None:
    place = _caller(frame, user)
    if place is None:
        return
    key = (id(place[0]), place[1], name)
    looks = _LOOKED[key] = _LOOKED.get(key, 0) + 1
    if looks > _LOOKS:
        return
    low = high = None
    if hasattr(output, "_numpy_internal") or type(output).__name__ == "EagerTensor":
        array = variable_values.memory(output)
        if not 0 < array.size <= _LARGEST or array.dtype.kind != "f":
            return
        low, high = float(array.min()), float(array.max())
        if not (low < -_OUTSIDE or high > 1 + _OUTSIDE):  # NaN is no number to judge by
            return
    elif not _is_of_a_bare_layer(output):
        return
    at = place[2]
    known = _FOUND.get(at)
    if known is not None and known.low is not None and known.high is not None and low is not None and high is not None:
        low, high = min(low, known.low), max(high, known.high)
    _FOUND[at] = _Misfit(name, at, low, high, getattr(output.dtype, "name", "") == "float16")


def _caller(frame: FrameType | None, user: UserCode) -> tuple[Any, int, Location] | None:
    """The user's line that called the loss; None below a training call, where the settings of the model count."""
    while frame is not None:
        file = frame.f_code.co_filename
        if user.owns(file):
            return frame.f_code, frame.f_lasti, locations.resolve(frame.f_code, frame.f_lasti)
        found = autograph.original(file, frame.f_lineno) if autograph.is_generated(file) else None
        if found is not None and user.owns(found.file):
            return frame.f_code, frame.f_lasti, found
        if frame.f_code.co_name in ("fit", "evaluate", "train_on_batch") and _has_outputs(frame):
            return None
        frame = frame.f_back
    return None


def _has_outputs(frame: FrameType) -> bool:
    model = locals_of(frame).get("self")
    return model is not None and isinstance(getattr(model, "outputs", None), list)


def _is_of_a_bare_layer(tensor: Any) -> bool:
    """Return whether a tensor of a graph is a product with weights, plus a bias: any number."""
    op = getattr(tensor, "op", None)
    while op is not None and op.type in _MOVES and op.inputs:
        op = op.inputs[0].op
    if op is None or op.type == "BiasAdd":
        return op is not None
    if op.type != "AddV2" or len(op.inputs) != 2:
        return False
    kinds = [each.op.type for each in op.inputs]
    return any(one in _READS and other in _MATRICES for one, other in (kinds, kinds[::-1]))


def _fact(misfit: _Misfit, sources: Sources) -> Observed:
    call = reading.call_at(misfit.at, sources)
    given = reading.argument(call, 1, "y_pred", "output") if call is not None else None
    text = ast.unparse(given) if given is not None else ""
    what = f"`{text}`" if 0 < len(text) <= _SHORT else "what it is given"
    activation = _FUNCTIONS[misfit.function]
    seen = (
        f"has values from {misfit.low:.3g} to {misfit.high:.3g}"
        if misfit.low is not None
        else "is computed without an activation, so it can be any number"
    )
    return Observed(
        slug="loss-misfit",
        message=f"`{misfit.function}` takes probabilities, but {what} {seen}: Keras clips it to 0 and 1, where the "
        "gradient is zero",
        label="a loss for probabilities",
        location=misfit.at,
        severity="warning",
        notes=("in float16 the upper limit rounds to 1, so the loss can be infinite",) if misfit.half else (),
        fixes=(
            Fix(summary="tell the loss that it gets logits: `from_logits=True`"),
            Fix(summary=f"or end the model with `{activation}`"),
        ),
    )


_SHORT = 40
