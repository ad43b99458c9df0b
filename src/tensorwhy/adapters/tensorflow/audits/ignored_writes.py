"""Writes to a TensorArray that are lost: in a graph, `write` returns the written array and changes nothing else."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.failures import lost_writes, tensor_lists
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """One fact for each line whose write nothing uses, while the same array is read without it."""
    yield from (fact for fact in lost_writes.facts(Writes(session).all, session.user) if fact.call not in session.told)


class Writes:
    """The lost writes of a session. Looking for graphs among all objects takes time, and is done once."""

    def __init__(self, session: Any) -> None:
        self._session = session

    @functools.cached_property
    def all(self) -> list[tuple[Any, Any]]:
        """Each write with what reads the same array without it."""
        graphs = _graphs() if self._session.met("TensorListSetItem") else []
        return [pair for graph in graphs for pair in tensor_lists.ignored_writes(graph)]

    def of_variable(self, handle: int) -> Iterator[Fact]:
        """Those whose value comes from a variable: a gradient for it was asked, and is None."""
        own = (pair for pair in self.all if tensor_lists.is_made_of(pair[0].inputs[2], frozenset({handle})))
        for fact in lost_writes.facts(own, self._session.user):
            self._session.told.add(fact.call)
            yield msgspec.structs.replace(fact, failed=True)


def _graphs() -> list[Any]:
    """The graphs of traced functions that are still alive and were not taken apart; loops and branches hang on them."""
    from tensorflow.python.framework import func_graph

    return [each for each in gc.get_objects() if type(each) is func_graph.FuncGraph and getattr(each, "__dict__", True)]
