"""The first loss that is not finite, after recording came to rest: what its graph saved says where that began.

A graph has no lines. Its nodes are those of a graph of the same call of `backward` that was recorded, one by one, as
far as both are alike from the loss on: a longer series has more of them behind that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.operations.elements import Element, first_bad, of_labels
from tensorwhy.adapters.torch.recording.recorder import Recorder

_MOST = 5_000
_LOOKS = (1, 3)
_FIRST, _SECOND = ("self", "input", "mat1", "log_probs"), ("other", "weight", "mat2", "exponent")
"""What nodes call the inputs that they saved."""
_RESULTS = ("result", "result0", "output")
_AGAIN = ("Log", "Log2", "Log10", "Log1P", "Pow", "Acos", "Asin", "Atanh", "Reciprocal", "Lgamma", "Digamma")
"""Functions that are called once more, with the input that a node saved."""
_STEEP = ("Sqrt", "Rsqrt", "Acos", "Asin", "Atanh", "Acosh", "LinalgSvd", "LinalgEigh", "Std", "Var", "Reciprocal")
_DEPTH = 6


class FirstLost(NamedTuple):
    """The row of the operation at which it begins, after so many calls of `backward`.

    `given`: it was handed over by a tensor without a graph. `low` and `high` are the ends of what else the operation
    was given, and `zeros` so many of these numbers are 0. `element` is the first number of its result that is lost.
    """

    number: int
    row: int
    given: bool
    low: float = 0.0
    high: float = 0.0
    size: int = 0
    zeros: int = 0
    element: Element | None = None


class Graphs:
    """Remembers what the graphs of recorded calls look like. No node and no tensor is kept."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._known: dict[tuple[str, ...], list[int]] = {}
        self._steep: dict[tuple[str, ...], tuple[int, ...]] = {}
        self.slopes: tuple[int, ...] = ()
        """Where weights were lost before that, although each loss was finite: the rows with an infinite slope at 0."""
        self._looks: dict[int, int] = {}
        self.found: FirstLost | None = None

    def look(self, targets: tuple[Any, ...], place: int) -> None:
        """`backward` is about to run in a recorded step."""
        looks = self._looks[place] = self._looks.get(place, 0) + 1
        if looks in _LOOKS and len(targets) == 1 and targets[0].grad_fn is not None:
            nodes = _nodes(targets[0].grad_fn)
            key = tuple(node.name() for node in nodes)
            self._known[key] = [self._row(node) for node in nodes]
            self._steep[key] = tuple(dict.fromkeys(self._row(node) for node in nodes if _is_steep(node)))

    def _row(self, node: Any) -> int:
        """The row of the call that made a node."""
        return -1 if _is_leaf(node) else self._recorder.row(node)

    def _alike(self, key: tuple[str, ...]) -> list[int]:
        """The rows of the nodes of a graph, as far as one that was recorded is the same."""
        best = max(self._known, key=lambda each: _common(each, key), default=())
        return self._known[best][: _common(best, key)] if best else []

    def lost(self, loss: Any, number: int) -> None:
        """A loss is not finite, for the first time."""
        nodes = _nodes(loss.grad_fn) if loss.grad_fn is not None else []
        key = tuple(node.name() for node in nodes)
        rows = self._alike(key)
        with torch.no_grad(), torch._C.DisableTorchFunction():
            if not all(_is_finite(node.variable) for node in nodes if _is_leaf(node) and node.variable.numel()):
                self.slopes = tuple(row for row in self._steep.get(key, ()) if row >= 0)
                return
            begun = _begun(nodes)
        if begun is None or begun[0] >= len(rows) or rows[begun[0]] < 0:
            return
        at, given = begun
        numbers = [each for _, each in _saved(nodes[at]) if _is_finite(each)]
        if given or not numbers:
            self.found = FirstLost(number, rows[at], given, element=None if given else _element(nodes[at]))
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            first = numbers[0].detach().float()
            ends = float(first.min()), float(first.max())
            zeros, element = int((first == 0).sum()), _element(nodes[at])
            self.found = FirstLost(number, rows[at], given, *ends, first.numel(), zeros, element)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many nodes two graphs have in common, from their targets on."""
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _nodes(root: Any) -> list[Any]:
    """The nodes of a graph, in an order that is the same for graphs of the same shape; none of one that is large."""
    found, seen, stack = list[Any](), set[Any](), [root]
    while stack and len(found) + len(stack) < 2 * _MOST and len(found) < _MOST:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        found.append(node)
        stack += [each for each, _ in reversed(node.next_functions) if each is not None]
    return found if not stack else []


def _begun(nodes: list[Any]) -> tuple[int, bool] | None:
    """The node at which it begins, by its place, and whether that was given what is not finite.

    None for weights that are not finite, and where what is saved does not tell.
    """
    places = {node: at for at, node in enumerate(nodes)}
    found = nodes[0]
    for node in sorted(nodes, key=lambda each: each._sequence_nr()):
        bad = [] if _is_leaf(node) else [name for name, each in _saved(node) if not _is_finite(each)]
        bad = [name for name in bad if name in _RESULTS or not name.startswith("result")]  # others only help it
        if bad and _is_masked(node):
            continue
        if bad and _of_labels(node) is not None:
            return places[node], False
        if not bad:
            continue
        if all(name in _RESULTS for name in bad):
            return places[node], False
        edges = [each for each, _ in node.next_functions]
        edge = _edge(next(each for each in bad if each not in _RESULTS), len(edges))
        if edge < 0 or (edges[edge] is not None and _is_leaf(edges[edge])):
            return None
        if edges[edge] is None:
            return places[node], True
        found = edges[edge]
        break
    begun = _behind(found)
    return (places[begun], False) if begun is not None else None


def _behind(node: Any, depth: int = 0) -> Any:
    """Of a node with a result that is not finite: it, or the one behind it whose inputs are; else None."""
    for _ in range(_MOST):
        known = {_edge(name, len(node.next_functions)) for name, _ in _saved(node)}
        edges = [each for each, _ in node.next_functions]
        hidden = [e for at, e in enumerate(edges) if e is not None and at not in known and not _is_leaf(e)]
        if _breaks(node) or (not hidden and known - {-1}):
            return node
        if len(hidden) != 1:
            found = [_behind(each, depth + 1) for each in hidden] if depth < _DEPTH else []
            return next((each for each in found if each is not None and _breaks(each)), None)
        node = hidden[0]
    return None


def _breaks(node: Any) -> bool:
    """Whether a node makes something that is not finite of the finite numbers that it has saved."""
    saved = dict(_saved(node))
    kind = node.name().removesuffix("Backward0")
    if _is_of_nothing(node):
        return kind.startswith("Mean") or "Loss" in kind or "CrossEntropy" in kind
    if kind == "Div":
        return "other" in saved and not bool(saved["other"].all())
    if kind.startswith("NllLoss"):
        return "total_weight" in saved and not bool(saved["total_weight"].all())
    function = getattr(torch, kind.lower(), None) if kind in _AGAIN else None
    if function is None or "self" not in saved or not _is_finite(saved["self"]):
        return False
    more = (node._saved_exponent,) if kind == "Pow" else ()
    return not _is_finite(function(saved["self"], *more))


def _is_masked(node: Any) -> bool:
    """Whether a node gives the logarithm of 0 to some of the classes alone: the program has left those out."""
    result = dict(_saved(node)).get("result") if node.name().startswith("LogSoftmax") else None
    return result is not None and not bool(result.isnan().any())


def _of_labels(node: Any) -> Element | None:
    """The first label that has the logarithm of 0."""
    if not node.name().startswith("NllLoss") or node._saved_self.isnan().any():
        return None
    return of_labels(node._saved_self, node._saved_target)


def _element(node: Any) -> Element | None:
    """The first number of a saved result that is not finite, and what else the node saved for that."""
    if (label := _of_labels(node)) is not None:
        return label
    result = next((each for name, each in _saved(node) if name in _RESULTS and not _is_finite(each)), None)
    names = (name for name in dir(type(node)) if name.startswith("_saved_"))
    given = {name.removeprefix("_saved_"): getattr(node, name, None) for name in names} if result is not None else {}
    return (
        None
        if result is None
        else first_bad(result, {name: each for name, each in given.items() if not name.startswith(_RESULTS)})
    )


def _is_of_nothing(node: Any) -> bool:
    """Whether a node was given no elements."""
    given = getattr(node, "_saved_self", None)
    if isinstance(given, torch.Tensor):
        return not given.numel()
    return getattr(node, "_saved_self_sym_numel", 1) == 0 or 0 in getattr(node, "_saved_self_sym_sizes", ())


def _is_steep(node: Any) -> bool:
    """Whether a node has an infinite slope at 0, or at the ends of its range."""
    kind = node.name().removesuffix("Backward0")
    exponent = getattr(node, "_saved_exponent", 1.0) if kind == "Pow" else 1.0
    return kind in _STEEP or (isinstance(exponent, float) and 0.0 < exponent < 1.0)


def _is_leaf(node: Any) -> bool:
    return "AccumulateGrad" in node.name()


def _edge(name: str, edges: int) -> int:
    """Which input of a node it saved under a name; -1 for what is none."""
    edge = 0 if name in _FIRST else 1 if name in _SECOND else -1
    return edge + (edges == 3 and name in ("mat1", "mat2")) if edge < edges else -1


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
