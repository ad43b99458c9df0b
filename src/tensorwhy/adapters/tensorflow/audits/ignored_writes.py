"""Writes to a TensorArray that are lost: in a graph, `write` returns the written array and changes nothing else."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.failures import array_objects, failed_node, tensor_lists
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources


def audit(session: Any) -> Iterable[Fact]:
    """One fact for each line whose write nothing uses, while the same array is read without it."""
    if session.met("TensorListSetItem"):  # looking for graphs among all objects takes time
        yield from (fact for fact in _lost(session.user) if fact.call not in session.told)


def of_variable(session: Any, handle: int) -> Iterable[Fact]:
    """The same, of writes whose value comes from a variable: a gradient for it was asked, and is None."""
    if session.met("TensorListSetItem"):
        for fact in _lost(session.user, frozenset({handle})):
            session.told.add(fact.call)
            yield msgspec.structs.replace(fact, failed=True)


def _lost(user: UserCode, handles: frozenset[int] | None = None) -> Iterator[ArrayReused]:
    sources = Sources()
    seen: set[tuple[str, int]] = set()
    for graph in _graphs():
        for write, reader in tensor_lists.ignored_writes(graph):
            if handles is not None and not tensor_lists.is_made_of(write.inputs[2], handles):
                continue
            made, read = failed_node.origin(write, user), failed_node.origin(reader, user)
            if made.location is None or not all(path.endswith(array_objects.WRITING) for path, _ in made.library):
                continue
            key = (made.location.file, made.location.line)
            if key in seen:
                continue
            seen.add(key)
            name = array_objects.name_at(made.location, "write", sources)
            yield ArrayReused(
                problem="write-ignored",
                call=array_objects.call_place(made.location, "write", sources),
                used=read.location,
                created=array_objects.made_at(name, made.location, sources),
                array=name,
                in_loop=write.graph is not reader.graph,
                failed=False,
            )


def _graphs() -> list[Any]:
    """The graphs of traced functions that are still alive and were not taken apart; loops and branches hang on them."""
    from tensorflow.python.framework import func_graph

    return [each for each in gc.get_objects() if type(each) is func_graph.FuncGraph and getattr(each, "__dict__", True)]
