"""Where, inside of a loop, what it gives became something that has no gradient."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.steps import Edge, Lost, Step


def turned(lineage: Lineage, before_it: Step | None, step: Step) -> Step | None:
    """For a step by which a loop gives integers, or that reads such from its array: the one that made them integers.

    None where that is not known.
    """
    kinds = lineage.rules.kinds
    read = before_it if before_it is not None and step.edge.op in kinds.listing else step
    loop = read.edge.event
    name, *functions = lineage.journal.names[loop.name].split("|")
    body = lineage.rules.functions.get(functions[-1]) if name in kinds.loops and functions else None
    position = loop.outputs.index(read.made) if read.made in loop.outputs else len(loop.outputs)
    if body is None or position >= len(body.outputs):
        return None
    result = body.outputs[position]
    if read is step:
        return _became(lineage, result)
    writes = (edge for _, edge in _back(lineage, result) if edge.op in kinds.enlisting)
    found = (_became(lineage, edge.source) for edge in writes if edge.source == edge.event.inputs[-1])
    return next((each for each in found if each is not None), None)


def _became(lineage: Lineage, tensor: int) -> Step | None:
    """The nearest step by which something that can have a gradient becomes what cannot, on the way to a tensor."""
    for made, edge in _back(lineage, tensor):
        if lineage.is_differentiable(edge.source) and not lineage.is_differentiable(made):
            return Step(edge.source, made, edge, (Lost(edge.loss or "dtype"),))
    return None


def _back(lineage: Lineage, start: int) -> Iterator[tuple[int, Edge]]:
    """All edges that lead to a tensor, the nearest ones first, each with what it leads to."""
    seen, level = {start}, [start]
    while level:
        further: list[int] = []
        for tensor in level:
            for edge in lineage.edges(tensor, lineage.journal.position):
                yield tensor, edge
                if edge.source >= 0 and edge.source not in seen:
                    seen.add(edge.source)
                    further.append(edge.source)
        level = further
