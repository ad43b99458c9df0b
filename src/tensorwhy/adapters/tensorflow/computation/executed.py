"""One executed step, as the signal walk reads it: numbers of values, of gradients, and of what each use hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tensorwhy.adapters.tensorflow.computation.numbers import numbers
from tensorwhy.lineage.signal import Node
from tensorwhy.model.facts.signal import Numbers


class Executed:
    """The numbers of a step. `sources` are the keys that gradients were asked for: of a variable that of its handle.

    `arrived` are those that get a gradient where they have other values: they are at an optimum.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        targets: Sequence[int],
        values: Mapping[int, Numbers | None],
        arriving: Mapping[int, Numbers | None],
        passed: Mapping[tuple[int, int], Numbers | None],
        sources: Sequence[int],
        arrived: frozenset[int] = frozenset(),
    ) -> None:
        self.nodes = nodes
        self.targets = targets
        self.sources = sources
        self.arrived = arrived
        self._values = values
        self._arriving = arriving
        self._passed = passed

    def value(self, key: int) -> Numbers | None:
        """Return the numbers of a value."""
        return self._values.get(key)

    def arriving(self, key: int) -> Numbers | None:
        """Return the gradient of the targets with respect to a value."""
        return self._arriving.get(key)

    def passed(self, node: int, position: int) -> Numbers | None:
        """Return what one operation alone hands on to one of its inputs."""
        return self._passed.get((node, position))


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
