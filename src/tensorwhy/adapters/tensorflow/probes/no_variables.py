"""An optimizer of TensorFlow 1 with nothing to optimize: what the loss is computed from, and why none of it counts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserFrame
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name, static_shape
from tensorwhy.model.facts.training import NothingToOptimize
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_OPTIMIZER = "training/optimizer.py"
_POSITIONS = {"minimize": 2, "compute_gradients": 1}
"""Where these methods take `var_list`."""
_HANDLES = ("VarHandleOp", "Variable", "VariableV2")


def probe(live: LiveFailure) -> Iterator[NothingToOptimize]:
    """One fact, when the optimizer itself refused because its list of variables is empty."""
    for exception, frames in zip(live.exceptions, live.frames, strict=True):
        caller = next((frame for frame in reversed(frames) if isinstance(frame, UserFrame)), None)
        if isinstance(exception, ValueError) and caller is not None and _is_empty(frames[-1]):
            yield _fact(frames[-1], caller.location, live.user)
            return


def _is_empty(frame: Frame) -> bool:
    code, local = frame.frame.f_code, frame.frame.f_locals
    if not code.co_filename.replace("\\", "/").endswith(_OPTIMIZER):
        return False
    given = {"compute_gradients": "var_list", "minimize": "grads_and_vars"}.get(code.co_name, "")
    return given in local and not local[given]


def _fact(frame: Frame, asked: Location, user: UserCode) -> NothingToOptimize:
    sources = Sources()
    call = reading.named_call(asked, sources, *_POSITIONS)
    chosen = None
    if call is not None:
        name = call[0].func.attr if isinstance(call[0].func, ast.Attribute) else ""
        chosen = reading.argument(call[0], _POSITIONS.get(name, 99), "var_list")
    read = list(_read(frame.frame.f_locals.get("loss"), user))
    made = None
    if isinstance(chosen, (ast.Name, ast.Attribute)):
        statement = reading.last_assignment(ast.unparse(chosen), asked, sources)
        made = sources.place(asked.file, statement) if statement is not None else None
    return NothingToOptimize(
        asked=asked,
        chosen=chosen is not None and ast.unparse(chosen) != "None",
        made=made,
        variables=tuple(each for each in read if each.trainable) or tuple(read),
    )


def _read(loss: Any, user: UserCode) -> Iterator[Variable]:
    """The variables that a loss in a graph is computed from, in the order in which they were made."""
    if not symbolic.is_symbolic(loss):
        return
    from tensorflow.compat import v1

    handles = {id(op): op for op in _before(loss.op) if op.type in _HANDLES}
    trainable = {id(each) for each in loss.graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)}
    for variable in loss.graph.get_collection(v1.GraphKeys.GLOBAL_VARIABLES):
        op = handles.pop(id(variable.op), None)
        if op is not None:
            yield Variable(
                tensor=op.outputs[0]._id,
                name=str(variable.name),
                dtype=dtype_name(variable),
                shape=static_shape(variable),
                trainable=id(variable) in trainable,
                created=creations.made(variable) or symbolic.describe(op.outputs[0], user).created,
            )
    for op in handles.values():  # made outside of the collections
        made = symbolic.describe(op.outputs[0], user).created
        yield Variable(tensor=op.outputs[0]._id, name=op.name, trainable=False, created=made)


def _before(op: Any) -> Iterable[Any]:
    found: dict[Any, None] = {}
    stack = [op]
    while stack:
        each = stack.pop()
        if each not in found:
            found[each] = None
            stack += [tensor.op for tensor in each.inputs]
    return found
