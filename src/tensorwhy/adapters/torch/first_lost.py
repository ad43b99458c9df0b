"""The first loss that is not finite, after recording came to rest: what its graph saved says where that began.

A graph has no lines. Its nodes are those of a graph of the same call of `backward` that was recorded, one by one.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.recorder import Recorder

_MOST = 5_000
_LOOKS = (1, 3)
_FIRST, _SECOND = ("self", "input", "mat1"), ("other", "weight", "mat2", "exponent")
"""What nodes call the inputs that they saved."""


class FirstLost(NamedTuple):
    """The row of the operation at which it begins, after so many calls of `backward`.

    `given`: it was handed over by a tensor without a graph. `low` and `high` are the ends of what else the operation
    was given, and `zeros` so many of these numbers are 0.
    """

    number: int
    row: int
    given: bool
    low: float = 0.0
    high: float = 0.0
    size: int = 0
    zeros: int = 0


class Graphs:
    """Remembers what the graphs of recorded calls look like. No node and no tensor is kept."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._known: dict[tuple[str, ...], list[int]] = {}
        self._looks: dict[int, int] = {}
        self.found: FirstLost | None = None

    def look(self, targets: tuple[Any, ...], place: int) -> None:
        """`backward` is about to run in a recorded step."""
        looks = self._looks[place] = self._looks.get(place, 0) + 1
        if looks in _LOOKS and len(targets) == 1 and targets[0].grad_fn is not None:
            nodes = _nodes(targets[0].grad_fn)
            self._known[tuple(node.name() for node in nodes)] = [self._row(node) for node in nodes]

    def _row(self, node: Any) -> int:
        """The row of the call that made a node."""
        sequence = self._recorder.sequence
        at = bisect.bisect_left(sequence, (node._sequence_nr(), -1))
        return sequence[at][1] if at < len(sequence) and "AccumulateGrad" not in node.name() else -1

    def lost(self, loss: Any, number: int) -> None:
        """A loss is not finite, for the first time."""
        nodes = _nodes(loss.grad_fn) if loss.grad_fn is not None else []
        rows = self._known.get(tuple(node.name() for node in nodes))
        if rows is None:
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            begun = _begun(nodes)
        if begun is None or rows[begun[0]] < 0:
            return
        at, given = begun
        numbers = [each for _, each in _saved(nodes[at]) if _is_finite(each)]
        if given or not numbers:
            self.found = FirstLost(number, rows[at], given)
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            first = numbers[0].detach().float()
            ends = float(first.min()), float(first.max())
            self.found = FirstLost(number, rows[at], given, *ends, first.numel(), int((first == 0).sum()))


def _nodes(root: Any) -> list[Any]:
    """The nodes of a graph, in an order that is the same for graphs of the same shape; none of one that is large."""
    found, seen, stack = list[Any](), set[Any](), [root]
    while stack and len(found) < _MOST:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        found.append(node)
        stack += [each for each, _ in reversed(node.next_functions) if each is not None]
    return found if not stack else []


def _begun(nodes: list[Any]) -> tuple[int, bool] | None:
    """The node at which it begins, by its place, and whether that was given what is not finite; None for weights."""
    order = sorted(range(len(nodes)), key=lambda at: nodes[at]._sequence_nr())
    places = {node: at for at, node in enumerate(nodes)}
    for at in order:
        node = nodes[at]
        if "AccumulateGrad" in node.name():
            continue
        saved = dict(_saved(node))
        bad = [name for name, each in saved.items() if not _is_finite(each)]
        if not bad:
            continue
        edges = [each for each, _ in node.next_functions]
        if all(name in ("result", "output", "grid") for name in bad):
            return at, False
        name = next(each for each in bad if each not in ("result", "output"))
        edge = 0 if name in _FIRST else 1 if name in _SECOND else -1
        edge += len(edges) == 3 and name in ("mat1", "mat2")
        if edge < 0 or edge >= len(edges):
            return None
        maker = edges[edge]
        if maker is None:
            return at, True
        if "AccumulateGrad" in maker.name():
            return None
        return places[maker], False
    return places[nodes[0]], False


def _saved(node: Any) -> Iterator[tuple[str, Any]]:
    """The tensors that a node has saved, by their names."""
    for name in dir(type(node)):
        if name.startswith("_saved_") and not name.startswith("_saved_tensors"):
            try:
                value = getattr(node, name)
            except RuntimeError:  # it was freed
                continue
            if isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel():
                yield name.removeprefix("_saved_"), value


def _is_finite(tensor: Any) -> bool:
    return math.isfinite(float(tensor.detach().abs().max()))
