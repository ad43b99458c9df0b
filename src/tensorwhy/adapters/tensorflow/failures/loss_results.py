"""A loss function of the program's whose result has another number of values than the weights that Keras gives them.

Without weights, Keras takes the mean of whatever a loss returns; weights have one number for each sample. No line of
the program runs when the two meet: the frame of Keras's loss, or the traceback of the node, tells who returned it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import failed_node, fixed_sizes
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CALL = "call__"
_FUNCTIONS = ("fn", "call_fn")
_REQUIRES = "one value for each sample, which Keras multiplies by its weight"
_ADVICE = (
    "return one value for each sample: let samples that do not count be 0 (`tf.where`) instead of removing them",
)


def refused(live: LiveFailure, user: UserCode) -> RefusedObject | None:
    """The loss function whose result does not fit the weights; None where that is not what failed."""
    stack = live.joined()
    own = stack.own
    found = _running(stack, user) or _traced(live, stack, user)
    if found is None or own is None or own.location is None:
        return None
    defined, result, made = found
    sources = Sources()
    function = sources.function(defined)
    values = reading.returns(function) if function is not None else ()
    used = sources.place(defined.file, values[0]) if len(values) == 1 else made or defined
    return RefusedObject(
        thing=Thing(what="tensor", detail=f"{result.dtype.name} {tuple(result.shape.as_list())}"),
        used=used,
        call="",
        how="returned",
        holder=_name(defined, sources),
        parked=own.location,
        check=Check(requires=_REQUIRES),
        advice=_ADVICE,
    )


_Found = tuple[Location, Any, "Location | None"]


def _running(stack: Stack, user: UserCode) -> _Found | None:
    """The loss that Keras was weighing, where its frame is still there."""
    found = next(((at, each) for at, each in stack.find(_CALL) if _is_loss(type(each.local("self")))), None)
    if found is None or stack.below(found[0]):
        return None
    losses, weights = found[1].local("losses"), found[1].local("sample_weight")
    if not isinstance(losses, tf.Tensor) or not _differ(losses.shape, getattr(weights, "shape", None)):
        return None
    loss: Any = found[1].local("self")
    held = [autograph.unwrapped(vars(loss).get(each)) for each in _FUNCTIONS]
    for function in (*held, getattr(type(loss), "call", None)):
        code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
        if code is not None and user.owns(code.co_filename):
            place = Location(file=code.co_filename, line=code.co_firstlineno + 1, function=code.co_name)
            return place, losses, None
    return None


def _traced(live: LiveFailure, stack: Stack, user: UserCode) -> _Found | None:
    """The loss in whose call an operation of a graph failed, by the tracebacks of the operation and its inputs."""
    failed = failed_node.failed(live.exceptions, stack)
    operation: Any = fixed_sizes.forward_of(failed[0]) if failed is not None else None
    frames = list(getattr(operation, "traceback", None) or ()) if operation is not None else []
    at = next((at for at in range(len(frames) - 1, -1, -1) if _is_loss(failed_node.class_of(frames[at]))), None)
    if at is None or any(user.owns(each.filename) for each in frames[at:]) or len(operation.inputs) != 2:
        return None
    inputs = [failed_node.through_captures(each) for each in operation.inputs]
    if any(each.shape.rank != 1 for each in inputs):
        return None
    found = [(each, inner) for each in inputs if (inner := list(_within(_before(each), frames[:at], frames[at], user)))]
    if len(found) != 1:
        return None
    tensor, inner = found[0]
    made = failed_node.origin(_before(tensor).op, user).location
    return Location(file=inner[0].filename, line=inner[0].lineno, function=inner[0].name), tensor, made


def _within(tensor: Any, outside: list[Any], loss: Any, user: UserCode) -> Iterator[Any]:
    """The program's frames that made a tensor for the same call of a loss."""
    frames = list(getattr(tensor.op, "traceback", None) or ())
    at = len(outside)
    same = len(frames) > at and (frames[at].filename, frames[at].name) == (loss.filename, loss.name)
    if same and [_place(each) for each in frames[:at]] == [_place(each) for each in outside]:
        yield from (each for each in frames[at:] if user.owns(each.filename))


def _before(tensor: Any) -> Any:
    """The tensor that was only given another dtype."""
    while tensor.op.type in ("Cast", "Identity"):
        tensor = failed_node.through_captures(tensor.op.inputs[0])
    return tensor


def _place(frame: Any) -> tuple[str, int]:
    return frame.filename, frame.lineno


def _is_loss(cls: type | None) -> bool:
    """Return whether a class is Keras's own class of losses, or one made from it."""
    bases = cls.__mro__ if cls is not None else ()
    return any(each.__name__ == "Loss" and packages.is_keras_module(each.__module__) for each in bases)


def _differ(one: Any, other: Any) -> bool:
    """Return whether two shapes of one axis have different sizes; an axis of size 1 behind it does not count."""
    if one is None or other is None or tf.TensorShape(one).rank != 1:
        return False
    size, sizes = tf.TensorShape(one).as_list()[0], tf.TensorShape(other).as_list()
    return sizes[:1] != [size] and sizes[1:] in ([], [1]) and size != 1


def _name(defined: Location, sources: Sources) -> str:
    """The function as its class names it: `Ordinal.call`."""
    around = [each for each in sources.nodes(defined.file) if isinstance(each, ast.ClassDef)]
    classes = [each.name for each in around if reading.on_line(each, defined.line)]
    return ".".join((*classes[-1:], defined.function))
