"""A running graph failed at what was computed from a TensorArray, and a write to that array was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import failed_node, lost_writes, tensor_lists
from tensorwhy.model.facts import Fact

_MOST = 20_000


def probe(live: LiveFailure) -> Iterator[Fact]:
    """The lost writes of arrays on the way to the operation that failed. What the array itself refuses, others tell."""
    way = live.joined()
    found = failed_node.failed(live.exceptions, way)
    if found is None or found[0].type.startswith("TensorList"):
        return
    pairs = {id(write): (write, reader) for graph in failed_node.graphs(way) for write, reader in _lost(graph)}
    before = _ancestors(found[0]) if pairs else set()
    for fact in lost_writes.facts((pair for pair in pairs.values() if id(pair[1]) in before), live.user):
        yield msgspec.structs.replace(fact, failed=True)


def _lost(graph: Any) -> list[tuple[Any, Any]]:
    return [] if getattr(graph, "outer_graph", None) is None else tensor_lists.ignored_writes(graph)


def _ancestors(operation: Any) -> set[int]:
    """The identities of the operations that an operation is computed from, in the graphs around it, too."""
    pending, seen = [operation], set[int]()
    while pending and len(seen) < _MOST:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        for tensor in getattr(current, "inputs", ()):  # what TensorFlow 2.8 makes in C++ lacks them
            outer = tensor_lists.outside(tensor) if tensor.op.type == "Placeholder" else None
            pending.append((tensor if outer is None else outer).op)
    return seen
