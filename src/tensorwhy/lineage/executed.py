"""One executed step, as the signal walk reads it: numbers of values, of gradients, and of what each use hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tensorwhy.lineage.signal import MANY_UNITS, Node, Walk
from tensorwhy.model.facts.signal import Numbers


class Executed:
    """The numbers of a step. `sources` are the keys that gradients were asked for: of a variable that of its handle.

    `arrived` are those that get a gradient where they have other values: they are at an optimum. `apart` are those that
    get one where the elements of the targets count unevenly: in their sum, what each element hands back cancels.
    `variables` are values that were read from variables, `unchanged` those that stay the same where the sources have
    others.
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
        apart: frozenset[int] = frozenset(),
        unchanged: frozenset[int] = frozenset(),
        variables: frozenset[int] = frozenset(),
    ) -> None:
        self.nodes = nodes
        self.targets = targets
        self.sources = sources
        self.arrived = arrived
        self.apart = apart
        self.unchanged = unchanged
        self.variables = variables
        self._values = values
        self._arriving = arriving
        self._passed = passed

    def value(self, key: int) -> Numbers | None:
        """Return the numbers of a value."""
        return self._values.get(key)

    def arriving(self, key: int) -> Numbers | None:
        """Return the gradient of the targets with respect to a value."""
        return self._arriving.get(key)

    def is_at_the_end(self, at: int) -> bool:
        """Return whether nothing that is learned is computed with, between an operation and the targets.

        What has become a single number by then, as losses do, is no feature: a learned weight of it does not count.
        """
        behind, later, features = set(self.variables), set(self.nodes[at].outputs), set(self.nodes[at].outputs)
        for node in self.nodes:
            if not behind.isdisjoint(node.inputs):
                behind.update(node.outputs)
        for node in self.nodes[at + 1 :]:
            if later.isdisjoint(node.inputs):
                continue
            if not features.isdisjoint(node.inputs) and any(key in behind - later for key in node.inputs):
                return False
            later.update(node.outputs)
            if not features.isdisjoint(node.inputs):
                features.update(key for key in node.outputs if (n := self.value(key)) is None or n.size != 1)
        return True

    def passed(self, node: int, position: int) -> Numbers | None:
        """Return what one operation alone hands on to one of its inputs."""
        return self._passed.get((node, position))


class Observable(Protocol):
    """A step that can be executed again: a recorded slice, or a copy of a traced graph."""

    def observe(self, moved: bool = False, weighted: bool = False) -> Executed:
        """Execute it, forward and backward, with the gradient of every use of every value.

        `moved`: with other values of its sources. `weighted`: the elements of the targets count unevenly.
        """


def observed(step: Observable) -> Executed:
    """Execute a step, and again where that tells why a source gets nothing."""
    found = step.observe()
    ended = {key for key in found.sources if (numbers := found.arriving(key)) is None or numbers.finite}
    if not ended:
        return found
    again = step.observe(moved=True)
    there = Walk(again, found.sources, MANY_UNITS)
    found.arrived = frozenset(key for key in ended if there.state(key) == "flows")
    found.unchanged = again.unchanged
    if any(numbers is not None and numbers.size > 1 for numbers in map(found.value, found.targets)):
        apart = Walk(step.observe(weighted=True), found.sources, MANY_UNITS)
        found.apart = frozenset(key for key in ended if apart.state(key) == "flows")
    return found
