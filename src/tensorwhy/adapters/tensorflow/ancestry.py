"""The history of TensorFlow's own tensors: eager ones from the journal, symbolic ones from their graph, variables."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.keras_common.learning import calls
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of, resource
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.history import History, Origin, OriginKind
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_HOW = "create it inside `with tensorwhy.record():`, after `tensorwhy.install()`, or under `tensorwhy run`"
UNRECORDED = f"nothing was recorded when it was created; to know more, {_HOW}"
PAUSED = (
    "it was created before recording began, or while recording was paused (it pauses once every gradient call is "
    "known); "
    '`tensorwhy.record("full")` never pauses'
)
NOT_RECORDED = "not recorded"
COLLECTED = "its graph no longer exists: only what the tensor itself still holds is known"
_TRACED = re.compile(r"__(?:inference|forward|backward)_(?P<function>.+)_\d+")


def ancestry(thing: Any, session: Any, user: UserCode, limit: int) -> History | None:
    """The history of a tensor or variable of TensorFlow, or of an array that came from one; None for anything else.

    `session` is the recording that may have seen it made, or None. At most `limit` origins are told.
    """
    if packages.is_keras_tensor(thing):
        return None
    if _is_variable(thing) or isinstance(thing, ops.EagerTensor) or symbolic.is_symbolic(thing):
        return _Walk(session, user, limit).history(thing)
    if isinstance(thing, np.ndarray) and session is not None:
        tensor = session.recorder.arrays.origin(thing)
        if tensor is not None:
            return _Walk(session, user, limit).of_array(thing, tensor)
    return None


class _Found(NamedTuple):
    """One origin, and what it was made from: live tensors and variables, or ids of the journal."""

    origin: Origin
    inputs: tuple[Any, ...] = ()


class _Walk:
    """Goes breadth first from one tensor to what it was made from."""

    def __init__(self, session: Any, user: UserCode, limit: int) -> None:
        self._session = session
        self._user = user
        self._limit = max(limit, 1)
        self._sources = Sources()
        self._captured: dict[int, dict[int, Any]] = {}
        self._lineage = Lineage(session.journal, session.rules()) if session is not None else None

    def history(self, thing: Any) -> History:
        origins = self._from(thing)
        made = origins[0].kind != "unknown"
        note = ""
        if symbolic.is_symbolic(thing) and symbolic.graph_of(thing) is None:
            note = COLLECTED
        elif not made:
            note = UNRECORDED if self._lineage is None else PAUSED
        return History(sort=packages.sort(thing), origins=origins, note=note)

    def of_array(self, array: Any, tensor: int) -> History:
        """An array carries no history; the tensor that it came from does."""
        first = Origin(op="numpy()", kind="call", dtype=str(array.dtype), shape=tuple(array.shape), inputs=(1,))
        rest = [
            msgspec.structs.replace(origin, inputs=tuple(at + 1 for at in origin.inputs))
            for origin in self._from(tensor)
        ]
        note = "the array left TensorFlow here: tensors made from it start a new history"
        return History(sort="array", origins=(first, *rest), note=note)

    def _from(self, thing: Any) -> tuple[Origin, ...]:
        queue = deque([thing])
        place = {_key(thing): 0}
        found: list[Origin] = []
        layers: dict[Any, calls.LayerCall] = {}
        while queue:
            each = queue.popleft()
            origin, inputs = self._find(each)
            call = calls.made_in(_key(each)) or layers.get(_key(each))
            if call is not None and origin.kind not in ("variable", "unknown"):
                origin = msgspec.structs.replace(origin, layer=call.layer)
                # What a layer computed on the way to its output was made in it too, back to what it was given.
                layers |= {_key(one): call for one in inputs if _key(one) not in call.inputs}
            sources, more = [], 0
            for each in inputs:
                key = _key(each)
                if key not in place and len(place) < self._limit:
                    place[key] = len(place)
                    queue.append(each)
                if key in place:
                    sources.append(place[key])
                else:
                    more += 1
            found.append(msgspec.structs.replace(origin, inputs=tuple(dict.fromkeys(sources)), more=more))
        return tuple(found)

    def _find(self, thing: Any) -> _Found:
        if isinstance(thing, int):
            return self._recorded(thing, {})
        if packages.is_keras_tensor(thing):
            return _Found(Origin(op="KerasTensor", kind="input", dtype=nodes.dtype(thing), shape=nodes.shape(thing)))
        if _is_variable(thing):
            return self._variable(thing)
        if isinstance(thing, ops.EagerTensor):
            return self._recorded(thing._id, {"dtype": thing.dtype.name, "shape": nodes.shape(thing)})
        return self._symbolic(thing)

    # -- eager ---------------------------------------------------------------------------------------------------

    def _recorded(self, tensor: int, known: dict[str, Any]) -> _Found:
        lineage = self._lineage
        if lineage is None:
            return _Found(Origin(op=NOT_RECORDED, kind="unknown", **known))
        if tensor in lineage.rules.variables:
            return self._known_variable(tensor)
        makers = lineage.makers(tensor)
        if not makers:
            return _Found(Origin(op=NOT_RECORDED, kind="unknown", **known))
        event = makers[0]
        name = lineage.journal.names[event.name].partition("|")[0]
        kind: OriginKind = "op"
        op = name
        if event.kind == j.ENTRY:
            op, kind = f"from Python: {name}", "constant"
        elif name in lineage.rules.functions or _TRACED.fullmatch(name):
            op, kind = f"call of `{_plain(name)}`", "call"
        elif name == "VarHandleOp":
            op, kind = "Variable", "variable"
        location = lineage.journal.location(event.place)
        dtype = lineage.rules.dtypes.get(lineage.dtype.get(tensor, -1), "")
        origin = Origin(
            op=op,
            kind=kind,
            location=location,
            text=self._text(location),
            **{"dtype": dtype, **known},
        )
        return _Found(origin, tuple(self._inputs(event)))

    def _inputs(self, event: Event) -> Iterator[int]:
        for value in event.inputs:
            handle = j.variable_handle(value)
            if handle is not None or value >= 0:
                yield value if handle is None else handle

    # -- variables -----------------------------------------------------------------------------------------------

    def _variable(self, variable: Any) -> _Found:
        handle = handle_of(variable)
        if self._lineage is not None and handle in self._lineage.rules.variables:
            return self._known_variable(handle)
        location = creations.made(variable)
        return _Found(
            Origin(
                op="Variable",
                kind="variable",
                name=str(getattr(variable, "path", variable.name)).removesuffix(":0"),
                dtype=tf.as_dtype(variable.dtype).base_dtype.name,
                shape=nodes.shape(variable),
                location=location,
                text=self._text(location),
            )
        )

    def _known_variable(self, handle: int) -> _Found:
        assert self._lineage is not None
        known = self._lineage.rules.variables[handle]
        makers = self._lineage.makers(handle)
        location = known.created or (self._lineage.journal.location(makers[0].place) if makers else None)
        return _Found(
            Origin(
                op="Variable",
                kind="variable",
                name=known.name.removesuffix(":0"),
                dtype=known.dtype,
                shape=known.shape,
                location=location,
                text=self._text(location),
            )
        )

    # -- symbolic ------------------------------------------------------------------------------------------------

    def _symbolic(self, tensor: Any) -> _Found:
        known = symbolic.describe(tensor, self._user)
        graph = symbolic.graph_of(tensor)
        if graph is None:
            return _Found(
                Origin(op=NOT_RECORDED, kind="unknown", name=known.name, dtype=known.dtype, shape=known.shape)
            )
        op = tensor.op
        outside = self._captures(graph).get(tensor._id)
        origin = Origin(
            op="captured from outside" if outside is not None else known.op,
            kind="input" if known.op == "Placeholder" and outside is None else "op",
            name=op.name,
            function=known.graph.name if known.graph.kind != "plain" else "",
            location=known.created,
            text=self._text(known.created),
            dtype=known.dtype,
            shape=known.shape,
        )
        return _Found(origin, (outside,) if outside is not None else tuple(op.inputs))

    def _captures(self, graph: Any) -> dict[int, Any]:
        """By the id of what stands for it inside the graph: the tensor or variable that was captured from outside."""
        known = self._captured.get(id(graph))
        if known is None:
            known = {}
            if symbolic.is_function_graph(graph):
                # `graph.variables` raises when one of them is gone.
                alive = (each() for each in getattr(graph, "_weak_variables", ()))
                variables = {id(resource(variable)): variable for variable in alive if variable is not None}
                known = {inner._id: variables.get(id(outer), outer) for outer, inner in graph.captures}
            self._captured[id(graph)] = known
        return known

    def _text(self, location: Location | None) -> str:
        return self._sources.line(location.file, location.line).strip() if location is not None else ""


def _is_variable(thing: Any) -> bool:
    """Return whether this is a variable of TensorFlow, or one of Keras 3 around it."""
    return isinstance(thing, tf.Variable) or (packages.kind_of(thing) == "variable" and handle_of(thing) >= 0)


def _key(thing: Any) -> Any:
    """What tells two tensors apart, whether they are alive or only in the journal."""
    if isinstance(thing, int):
        return thing
    if _is_variable(thing):
        handle = handle_of(thing)
        return handle if handle >= 0 else id(thing)
    return getattr(thing, "_id", None) or id(thing)


def _plain(name: str) -> str:
    """The user's name of a traced function: `step` for `__inference_step_42`."""
    found = _TRACED.fullmatch(name)
    return found["function"] if found is not None else name
