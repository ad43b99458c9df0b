"""A symbolic tensor that was refused by a graph, or by eager execution, that it does not belong to."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import leaks
from tensorwhy.adapters.tensorflow.graphs import misuse, symbolic
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    found = misuse.find(live)
    if found is None:
        return
    graph = symbolic.graph_of(found.tensor)
    if graph is None or symbolic.is_function_graph(graph):
        yield leaks.describe(found.tensor, found.graph, found.used, live)
