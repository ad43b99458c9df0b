"""Variables whose value became a constant of a functional model while it was assembled (Keras 3).

`scale * x`, with a bare `tf.Variable` first and a symbolic Keras tensor second: TensorFlow's operator reads the
variable and hands its value to Keras, whose node keeps it. The model never sees the variable, and no tape sees it
being read. The read is on the stack while the node is made, so this looks only at nodes that got an eager tensor.

So it is with a layer that was called on a plain tensor: its output is a constant, and its weights belong to no model.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.learning import calls
from tensorwhy.adapters.keras_common.learning.calls import LayerCall
from tensorwhy.adapters.keras_common.learning.training import TrainingWatch, handles_of
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.variables import Holding, Untracked
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source.files import Sources

_OPERATOR = "_run_op"
"""The function of `tf.Variable` that reads it for an operator; it calls the variable `a`."""
_NEAREST = 40


class _Read(msgspec.Struct, frozen=True):
    """The variable itself may be gone by the end: the model does not hold it."""

    node: weakref.ref[Any]
    variable: weakref.ref[Any]
    name: str
    made: Location | None
    value: bytes | None


class _Called(NamedTuple):
    """A node that got the output of a layer, whose weights were made in that call."""

    node: weakref.ref[Any]
    call: LayerCall


_READS: list[_Read] = []
_CALLED: list[_Called] = []


def watch(node: Any) -> Callable[[], None]:
    """Look at every node of this class when it is made. Returns what takes the hook out."""
    looking = Bulkhead()

    def hooked(original: Any) -> Any:
        @functools.wraps(original)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            looking(_look, self, (*args, *kwargs.values()), sys._getframe(1))

        return __init__

    put_back = replaced(node, "__init__", hooked)

    def undo() -> None:
        put_back()
        _READS.clear()
        _CALLED.clear()

    return undo


def _look(node: Any, given: tuple[Any, ...], frame: FrameType) -> None:
    plain = [each for each, _ in nodes.flat(list(given)) if type(each).__name__ == "EagerTensor"]
    for each in plain:
        call = calls.made_in(each._id)
        if call is not None and call.fresh:
            _CALLED.append(_Called(weakref.ref(node), call))
    if plain:
        variable = _read_by(frame)
        if variable is not None:
            name = str(variable.name).partition(":")[0]
            made = creations.made(variable)
            _READS.append(_Read(weakref.ref(node), weakref.ref(variable), name, made, variable_values.digest(variable)))


def _read_by(frame: FrameType | None) -> Any:
    for _ in range(_NEAREST):
        if frame is None:
            return None
        if frame.f_code.co_name == _OPERATOR:
            variable = locals_of(frame).get("a")
            return variable if getattr(variable, "trainable", False) else None
        frame = frame.f_back
    return None


def facts(session: Any, generation: int) -> Iterator[Untracked]:
    """The trainable variables, and outputs of new layers, that trained models of Keras 3 hold as constants."""
    if generation != 3:
        return
    training: TrainingWatch = session.training
    yield from _layers(training)
    sources = Sources()
    seen: set[tuple[str, Location | None]] = set()
    for read in _READS:
        node, variable = read.node(), read.variable()
        model = _trained_with(node, training) if node is not None else None
        if model is None or (read.name, read.made) in seen:
            continue
        seen.add((read.name, read.made))
        names = sources.names(read.made) if read.made is not None else ()
        yield Untracked(
            what="variable",
            name=names[0] if len(names) == 1 else read.name,
            made=read.made,
            model=type(model).__name__,
            trained_at=None,
            held=Holding(at=creations.made(node), looker="Keras"),
            unchanged=variable is None or variable_values.digest(variable) == read.value,
            foreign=True,
            read_once=True,
        )


def _layers(training: TrainingWatch) -> Iterator[Untracked]:
    seen: set[Location | None] = set()
    for called in _CALLED:
        node, call = called.node(), called.call
        model = _trained_with(node, training) if node is not None else None
        layer = call.reference()
        if model is None or call.made in seen or (layer is not None and (nodes.calls_of(layer) or _belongs(layer))):
            continue
        seen.add(call.made)
        yield Untracked(
            what="layer",
            name=f"{call.kind} `{call.layer}`",
            made=call.made,
            model=type(model).__name__,
            trained_at=None,
            held=Holding(at=creations.made(node), looker="Keras"),
            weights=call.fresh,
            unchanged=True,
            read_once=True,
        )


def _belongs(layer: Any) -> bool:
    """Return whether some other live layer or model knows the weights of this one."""
    own = handles_of(layer, "trainable_variables")
    others = (each for each in creations.live(("layer", "model")) if each is not layer)
    return any(own & handles_of(each, "trainable_variables") for each in others)


def _trained_with(node: Any, training: TrainingWatch) -> Any:
    for model in creations.live(("model",)):
        holds = any(each is node.operation for each in getattr(model, "_operations", None) or ())
        if packages.generation_of(model) == 3 and holds and training.asked_all_of(model):
            return model
    return None
