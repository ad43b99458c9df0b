"""Will this gradient be None? Answered by the tape's own rules, from what was recorded.

A tape passes a gradient from the output of an operation that it recorded to each input whose gradient function gives
one, whether the input itself was watched or not. A source gets a gradient when such a way leads to it from a target.
"""

from __future__ import annotations

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.timeline import Replay


def has_gradient(
    lineage: Lineage, replay: Replay, targets: tuple[int, ...], sources: tuple[int, ...], before: int
) -> tuple[bool, ...]:
    """For each source, whether the answer is a gradient (True) or None (False).

    A target that is its own source gets ones, even when no tape ever saw it.
    """
    reached = set(targets)
    stack = list(targets)
    while stack:
        tensor = stack.pop()
        for edge in lineage.edges(tensor, before):
            if (
                edge.source >= 0
                and edge.source not in reached
                and not edge.loss
                and edge.event.index in replay.recorded
                and lineage.is_differentiable(edge.source)
            ):
                reached.add(edge.source)
                stack.append(edge.source)
    return tuple(source in reached for source in sources)
