"""A computation whose numbers are given by hand, for the signal walk."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tensorwhy.lineage.signal import Node
from tensorwhy.model.facts.signal import Numbers

X, W, MASK, H, LOSS, RATIO = 1, 2, 3, 4, 5, 6


class Toy:
    """A computation whose numbers are given by hand."""

    def __init__(
        self,
        nodes: Sequence[Node],
        values: dict[int, list[float]],
        arriving: dict[int, list[float]],
        passed: dict[tuple[int, int], list[float]],
    ) -> None:
        self.nodes = nodes
        self.targets = (LOSS,)
        self._values = {key: numbers(each) for key, each in values.items()}
        self._arriving = {key: numbers(each) for key, each in arriving.items()}
        self._passed = {key: numbers(each) for key, each in passed.items()}

    def value(self, key: int) -> Numbers | None:
        return self._values.get(key)

    def arriving(self, key: int) -> Numbers | None:
        return self._arriving.get(key)

    def passed(self, node: int, position: int) -> Numbers | None:
        return self._passed.get((node, position))


def numbers(values: list[float]) -> Numbers:
    finite = [each for each in values if math.isfinite(each)]
    return Numbers(
        shape=(len(values),),
        size=len(values),
        zeros=values.count(0.0),
        nans=sum(map(math.isnan, values)),
        infinite=sum(map(math.isinf, values)),
        low=min(finite, default=0.0),
        high=max(finite, default=0.0),
        digits="float32",
    )
