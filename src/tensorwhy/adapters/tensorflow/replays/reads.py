"""Reads of variables in an executed step: nodes of their own, so that a variable is one value with several uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tensorwhy.adapters.tensorflow.replays.numbers import numbers
from tensorwhy.lineage.signal import Node
from tensorwhy.model.facts.signal import Numbers


class Reads:
    """Nodes that stand for reads of variables, so that a variable is one value with several uses, as any other."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.passed: dict[tuple[int, int], Any] = {}
        self.whole: dict[int, Any] = {}

    def add(self, handle: int, read: int, gradient: Any) -> None:
        """A variable was read, and this gradient (an array, None) came back to what it gave."""
        if gradient is not None:
            self.passed[len(self.nodes), 0] = numbers(gradient)
            known = self.whole.get(handle)
            if known is None or known.shape == gradient.shape:
                self.whole[handle] = gradient if known is None else known + gradient
        self.nodes.append(Node("", "read", (handle,), (read,)))

    def before(
        self, nodes: Sequence[Node], passed: Mapping[tuple[int, int], Numbers | None]
    ) -> tuple[list[Node], dict[tuple[int, int], Numbers | None]]:
        """Return the nodes of a step with these before them."""
        first = len(self.nodes)
        moved = {(at + first, position): each for (at, position), each in passed.items()}
        return [*self.nodes, *nodes], {**self.passed, **moved}

    def arriving(self) -> dict[int, Numbers | None]:
        """Return the gradients of the variables, from all of their reads."""
        return {handle: numbers(array) for handle, array in self.whole.items()}
