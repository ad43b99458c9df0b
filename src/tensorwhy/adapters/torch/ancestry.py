"""The history of PyTorch's tensors: from the journal, and where nothing was recorded from the graph that they carry."""

from __future__ import annotations

from collections import deque
from typing import Any

import torch

from tensorwhy.model.history import History, Origin, OriginKind
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_UNRECORDED = "nothing was recorded when it was made; to know more, make it inside `with tensorwhy.record():`"
_OWN_GRAPH = "read from the graph that it carries, which knows no lines; " + _UNRECORDED


def ancestry(thing: Any, session: Any, user: UserCode, limit: int) -> History | None:
    """The history of a tensor, of at most `limit` origins; None for anything else."""
    if not isinstance(thing, torch.Tensor):
        return None
    sort = "parameter" if isinstance(thing, torch.nn.Parameter) else "leaf tensor" if thing.is_leaf else "tensor"
    number = session.recorder.serials.known(thing) if session is not None else None
    if number is None:
        return History(sort=sort, origins=_of_graph(thing, limit), note=_OWN_GRAPH if thing.grad_fn else _UNRECORDED)
    return History(sort=sort, origins=_recorded(number, session, limit))


def _recorded(number: int, session: Any, limit: int) -> tuple[Origin, ...]:
    lineage, journal, sources = session.lineage(), session.journal, Sources()
    known = lineage.rules.variables
    order, queue = {number: 0}, deque([number])
    found: list[Origin] = []
    while queue:
        tensor = queue.popleft()
        makers = [event for event in lineage.makers(tensor) if event.kind <= j.ENTRY] if tensor not in known else []
        inputs = [value for value in makers[0].inputs if value > 0] if makers else []
        for each in dict.fromkeys(inputs):
            if each not in order and len(order) < limit:
                order[each] = len(order)
                queue.append(each)
        location = journal.location(makers[0].place) if makers else known[tensor].created if tensor in known else None
        kind: OriginKind = "variable" if tensor in known else "op" if inputs else "constant" if makers else "unknown"
        made = makers[0] if makers else None
        named = sources.name(location) if location is not None else ""
        found.append(
            Origin(
                op=lineage.op_name(made) if made is not None else "leaf" if tensor in known else "unknown",
                kind=kind,
                name=known[tensor].name if tensor in known else named,
                location=location,
                text=sources.expression(location) if location is not None else "",
                dtype=lineage.rules.dtypes.get(lineage.dtype.get(tensor, -1), "")
                or (known[tensor].dtype if tensor in known else ""),
                shape=known[tensor].shape if tensor in known else None,
                inputs=tuple(order[each] for each in dict.fromkeys(inputs) if each in order),
                more=sum(each not in order for each in set(inputs)),
            )
        )
    return tuple(found)


def _of_graph(tensor: Any, limit: int) -> tuple[Origin, ...]:
    if tensor.grad_fn is None:
        return ()
    order, queue = {tensor.grad_fn: 0}, deque([tensor.grad_fn])
    found: list[Origin] = []
    while queue:
        node = queue.popleft()
        inputs = [each for each, _ in node.next_functions if each is not None]
        for each in inputs:
            if each not in order and len(order) < limit:
                order[each] = len(order)
                queue.append(each)
        leaf = getattr(node, "variable", None)
        found.append(
            Origin(
                op=node.name().removesuffix("0").removesuffix("Backward") if leaf is None else "leaf",
                kind="op" if leaf is None else "variable",
                shape=tuple(leaf.shape) if leaf is not None else None,
                inputs=tuple(order[each] for each in inputs if each in order),
                more=sum(each not in order for each in inputs),
            )
        )
    return tuple(found)
